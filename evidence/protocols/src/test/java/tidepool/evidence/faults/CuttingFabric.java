package tidepool.evidence.faults;

import java.util.ArrayList;
import java.util.List;
import tidepool.contracts.broken.StepFabric;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;

/**
 * A fabric in which something happens at one verb of a session: it is revoked, one of its links breaks, or other
 * sessions act in between, also between two words of a write. Rounds in the background can be held back until their
 * coordinator waits for them, or for ever.
 */
final class CuttingFabric extends StepFabric {
    private final List<Round> held = new ArrayList<>();
    private boolean holdsBack;
    private int session;
    private long left;
    private boolean alsoNext;
    private Runnable event;
    private int cutLink;
    private int cutNode;
    private long leftOfLink;
    private boolean broken;
    private int tornWrite = -1; // how many large writes are left before the one that is torn; negative for none
    private int tornAfter;
    private boolean diesTorn;

    /** From this number of bytes on, a write is a large one. */
    private static final int LARGE = 512;

    CuttingFabric(Fabric inner) {
        super(inner);
    }

    /**
     * Revokes a session at one of its verbs.
     *
     * @param verb number of verbs of the session that are executed and answered
     * @param withNext whether the next verb is executed, too, and only its answer is lost
     */
    void cutAt(int ofSession, long verb, boolean withNext) {
        beforeVerb(ofSession, verb, () -> {
            for (int node = 0; node < nodes(); node++) control(node).revoke(ofSession);
        });
        alsoNext = withNext;
    }

    /** Runs an action after this number of verbs of a session. */
    void beforeVerb(int ofSession, long verb, Runnable then) {
        session = ofSession;
        left = verb;
        alsoNext = false;
        event = then;
    }

    /**
     * Runs an action when a part of a large write of a session has landed.
     *
     * @param write number of large writes before it
     * @param bytes how many of its bytes have landed
     * @param dies whether the session is revoked at that moment, so that no other byte lands
     */
    void tear(int ofSession, int write, int bytes, boolean dies, Runnable then) {
        session = ofSession;
        left = Long.MAX_VALUE;
        tornWrite = write;
        tornAfter = bytes;
        diesTorn = dies;
        event = then;
    }

    /**
     * Breaks the link of a session to one node.
     *
     * @param verb number of verbs of the session to the node that are executed; the later ones are lost. Verbs to other
     *     nodes are all executed
     */
    void breakLink(int ofSession, int node, long verb) {
        cutLink = ofSession;
        cutNode = node;
        leftOfLink = verb;
        broken = false;
    }

    /** Returns whether a verb was lost on the link; from now on none is. */
    boolean mendLink() {
        boolean lost = broken;
        cutLink = 0;
        broken = false;
        return lost;
    }

    /** Returns how many verbs are left before the action. */
    long left() {
        return left;
    }

    /** Returns whether the action has happened; from now on it does not. */
    boolean disarm() {
        boolean happened = event == null;
        event = null;
        tornWrite = -1;
        session = 0;
        return happened;
    }

    /**
     * Sets whether background rounds are held back: while true, they are sent only when their coordinator waits for
     * them.
     */
    void holdBack(boolean holds) {
        holdsBack = holds;
        if (!holds) held.clear();
    }

    @Override
    protected FilterLane newLane(FilterSession of, Lane lane) {
        return new StepLane(of, lane) {
            @Override
            protected void post(Round round) {
                if (holdsBack && round.isBackground()) held.add(round);
                else super.post(round);
            }

            @Override
            protected void await(Round round) {
                if (held.remove(round)) super.post(round);
            }

            @Override
            protected void step(Round round, Verb verb) {
                if (of.number() == cutLink && verb.link().node() == cutNode && leftOfLink-- <= 0) {
                    broken = true;
                    verb.failed(Effect.UNKNOWN, null);
                    return;
                }
                boolean isLarge = verb.kind() == VerbKind.WRITE && verb.local() != null && verb.length() >= LARGE;
                if (of.number() == session && tornWrite >= 0 && isLarge && tornWrite-- == 0) {
                    tear(verb);
                    return;
                }
                if (of.number() != session || left-- > 0) {
                    super.step(round, verb);
                    return;
                }
                Runnable then = event;
                session = 0;
                event = null;
                if (alsoNext) super.step(round, verb);
                then.run();
                if (alsoNext) verb.failed(Effect.UNKNOWN, null);
                else super.step(round, verb);
            }

            private void tear(Verb verb) {
                Runnable then = event;
                event = null;
                if (tornAfter > 0) writePart(verb, 0, tornAfter);
                if (diesTorn) {
                    for (int node = 0; node < nodes(); node++) control(node).revoke(of.number());
                    verb.failed(Effect.UNKNOWN, null);
                }
                session = 0;
                then.run();
                if (diesTorn) return;
                writePart(verb, tornAfter, verb.length() - tornAfter);
                verb.done();
            }

            private void writePart(Verb verb, long from, long bytes) {
                own().write(innerRegion(verb), verb.offset() + from, bytes, verb.local(), verb.localOffset() + from)
                        .post()
                        .await();
            }
        };
    }
}
