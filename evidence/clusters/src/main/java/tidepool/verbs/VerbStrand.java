package tidepool.verbs;

import java.lang.foreign.MemorySegment;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/**
 * A strand of the simulation. It takes its turns, each in a randomly chosen area, and repairs its connections when
 * something failed.
 *
 * <p>Where a flying verb would do harm the area calls {@link #replaceSession}: revoke, then go on under a new number.
 * Private words tolerate flying verbs; for them the strand often only connects again.
 */
final class VerbStrand {
    static final int CAPACITY = 24;
    static final long LANDING = 8192;

    final RunContext context;
    final StrandSlot slot;
    final Randomness random;
    Lane lane;
    Link[] links;
    Region[] regions;
    Round round;
    Round background;
    MemorySegment source;
    MemorySegment landing;

    /** A number for the connection to each node; a new one after every reconnect, and never used twice. */
    final long[] connection;

    /** The last image that this strand has seen of each record: a later read must not return an older one. */
    final GuardedArea.Memory memory;

    /** The era in which the last round was posted. */
    long postedInEra;

    VerbStrand(StrandSlot slot) {
        this.slot = slot;
        this.context = slot.context;
        this.random = context.simulation.randomness("slot " + slot.index + " life " + slot.lives);
        this.connection = new long[context.options.nodes()];
        this.memory = context.guarded.memory();
    }

    void run() {
        open();
        for (; slot.turnsLeft > 0; slot.turnsLeft--) {
            context.turns++;
            turn();
            if (random.nextInt(4) == 0) Waiting.pause(random.nextInt(2_000));
        }
        slot.finished = true;
    }

    private void turn() {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> context.cells.turn(this);
            case 4 -> context.counters.turn(this);
            case 5, 6 -> context.guarded.turn(this);
            case 7 -> context.guarded.look(this);
            case 8 -> context.litmus.write(this);
            default -> context.litmus.look(this);
        }
        if (context.options.faults().suspicious() && random.nextInt(2_000) == 0) raiseEpoch();
    }

    /** Raises a node's epoch: from now on it refuses all links made under the old epoch, of all sessions. */
    private void raiseEpoch() {
        int node = random.nextInt(links.length);
        context.untilAnswered(() -> {
            long epoch = context.fabric.control(node).epoch();
            context.fabric.control(node).raiseEpoch(epoch + 1);
        });
    }

    // ---- rounds

    /**
     * Posts the round and waits for it. Returns false if not everything is done; then {@link #effect} tells what is.
     */
    boolean done() {
        postedInEra = context.era();
        boolean revoked = context.isRevoked(slot.session.number());
        boolean done = true;
        try {
            round.post().await();
        } catch (FabricException e) {
            done = false;
        }
        if (revoked) refusedAll();
        return done;
    }

    /** Once every node has acknowledged a revocation, no verb of that session is carried out. */
    private void refusedAll() {
        for (int i = 0; i < round.count(); i++)
            Violation.unless(
                    effect(i) != Effect.DONE,
                    "sessions",
                    "a verb of a revoked session was carried out: " + round.verb(i) + " session="
                            + slot.session.number());
    }

    /** Whether the round began and ended without a power failure in between. */
    boolean inOneEra() {
        return postedInEra == context.era();
    }

    Effect effect(int verb) {
        return round.verb(verb).effect();
    }

    long landed(long offset) {
        return Words.plain(landing, offset);
    }

    // ---- connections

    /** After a failure: goes on with the session on new connections, or with a new session. */
    void mend() {
        if (random.nextInt(3) == 0) replaceSession();
        else reconnect();
    }

    /** Connects again wherever the link is broken. Verbs that fly on the old connections may still land. */
    void reconnect() {
        try {
            for (int node = 0; node < links.length; node++) if (links[node].isBroken()) reconnect(node);
        } catch (FabricException refused) {
            replaceSession(); // the session was revoked as dead
        }
        slot.heed();
    }

    private void reconnect(int node) {
        context.untilAnswered(() -> {
            links[node].reconnect();
            connection[node] = context.nextConnection();
            regions[node] = links[node].open(context.capabilities[node]);
        });
    }

    /** Revokes the session everywhere and goes on under a new one: no verb is flying any more. */
    void replaceSession() {
        int old = slot.session.number();
        context.revoke(old);
        slot.revoked();
        if (random.nextBoolean()) context.forget(old);
        open();
    }

    private void open() {
        while (true) {
            try {
                context.untilAnswered(() -> slot.session = context.fabric.attach());
                context.sessions.add(slot.session);
                connect();
                break;
            } catch (FabricException refused) {
                context.revoke(slot.session.number()); // revoked as dead before it had begun
            }
        }
        slot.heed();
    }

    private void connect() {
        lane = slot.session.lane();
        links = new Link[context.options.nodes()];
        regions = new Region[links.length];
        for (int node = 0; node < links.length; node++) {
            int at = node;
            context.untilAnswered(() -> {
                links[at] = lane.connect(at);
                regions[at] = links[at].open(context.capabilities[at]);
            });
            connection[node] = context.nextConnection();
        }
        round = lane.round(CAPACITY);
        background = lane.round(CAPACITY);
        source = lane.landing(LANDING);
        landing = lane.landing(LANDING);
    }
}
