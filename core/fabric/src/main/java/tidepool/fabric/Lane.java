package tidepool.fabric;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/**
 * The access of one strand to the fabric: its links, its rounds, its landing memory and its counters. One strand or
 * thread uses a lane at a time; lanes share only the session.
 */
public abstract class Lane implements AutoCloseable {
    private final Session session;
    private final Traffic traffic = new Traffic();
    private final List<Link> links = new ArrayList<>();
    private final List<Round> rounds = new ArrayList<>();
    private long landingBytes;

    protected Lane(Session session) {
        this.session = session;
    }

    public final Session session() {
        return session;
    }

    /** Returns the traffic of this lane so far; live, not a copy. */
    public final Traffic traffic() {
        return traffic;
    }

    /** Connects to a memory node. A second link to one node is not ordered with the first. May wait. */
    public final Link connect(int node) {
        Checks.argument(node >= 0 && node < session.fabric().nodes(), "no such memory node: node=" + node);
        Link link = newLink(node);
        links.add(link);
        return link;
    }

    /** Returns a reusable round of at most {@code capacity} verbs; the lane keeps it. */
    public final Round round(int capacity) {
        return add(new Round(this, capacity, false));
    }

    /**
     * Returns a reusable round that has memory for {@code capacity} verbs and takes more if it needs them, until it is
     * {@link Round#trim trimmed}; the lane keeps it.
     */
    public final Round growingRound(int capacity) {
        return add(new Round(this, capacity, true));
    }

    private Round add(Round round) {
        rounds.add(round);
        return round;
    }

    /**
     * Returns zeroed local memory in which verbs may land and from which they are sent. It lives as long as it is
     * referenced.
     */
    public MemorySegment landing(long bytes) {
        landingBytes += bytes;
        return session.landingMemory().piece(bytes);
    }

    /** Returns the bytes of landing memory requested so far. A long-lived strand must not request ever more. */
    public final long landingBytes() {
        return landingBytes;
    }

    protected final List<Link> links() {
        return links;
    }

    /** Closes the links. Closing twice does nothing. */
    @Override
    public abstract void close();

    // ---- implemented by a fabric

    protected abstract Link newLink(int node);

    /**
     * Throws an {@code IllegalArgumentException} if this fabric can never carry one of the round's verbs, for example
     * because a CALL is too long. Called for rounds that have other verbs than READ, WRITE and CAS, before any of them
     * is counted or sent, so that {@link #post} does not throw.
     */
    protected void check(Round round) {}

    /** Sends a round. Must neither wait nor throw; may complete the verbs at once. */
    protected abstract void post(Round round);

    /**
     * Sends {@code first}, and {@code next} as soon as every verb of {@code first} is acknowledged. If one of them
     * failed, calls {@link Round#neverSent} instead. Must not wait. Until {@code next} is sent, its {@link #await} and
     * {@link #isComplete} cover both rounds, and its deadline does not count.
     */
    protected abstract void post(Round first, Round next);

    /** Returns whether rounds may pass verbs as {@link VerbGroup}s; otherwise they build each verb separately. */
    protected boolean takesGroups() {
        return false;
    }

    /** Waits until every verb of the round has its effect, or the deadline passed. */
    protected abstract void await(Round round);

    /** Returns whether {@link #await} would return at once. */
    protected abstract boolean isComplete(Round round);

    /**
     * Returns the length of the chain of trips at whose end a round with fences is done. On each link the round takes
     * one trip, and one more for every fence after a verb whose order towards the fenced verb this fabric does not keep
     * for free. If that verb belongs to an earlier round that is still under way, the fenced verb begins when that
     * round is done. The longest link decides.
     */
    final long depthWithFences(Round round, long withoutFences) {
        long deepest = withoutFences;
        for (int i = 0; i < round.count(); i++) {
            if (!round.verb(i).fenced()) continue;
            deepest = Math.max(deepest, depthOn(round, round.verb(i).link(), withoutFences));
        }
        return deepest;
    }

    private long depthOn(Round round, Link link, long withoutFences) {
        long depth = withoutFences;
        int firstOpen = 0; // the wait for earlier verbs is already counted, by the last counted fence
        for (int i = 0; i < round.count(); i++) {
            Verb verb = round.verb(i);
            if (verb.link() != link || !verb.fenced()) continue;
            if (overtakes(verb, round, firstOpen, i)) {
                depth++;
                firstOpen = i;
            }
            for (Round earlier : rounds)
                if (earlier != round && earlier.isUnderWay() && overtakes(verb, earlier, 0, earlier.count()))
                    depth = Math.max(depth, earlier.depthWhenDone() + 1);
        }
        return depth;
    }

    /** Returns whether the verb could, without its fence, take effect before one of the given verbs on its link. */
    private boolean overtakes(Verb verb, Round round, int from, int to) {
        OrderTable orders = session.fabric().orders();
        for (int i = from; i < to; i++)
            if (round.verb(i).link() == verb.link()
                    && !orders.keeps(round.verb(i).kind(), verb.kind())) return true;
        return false;
    }
}
