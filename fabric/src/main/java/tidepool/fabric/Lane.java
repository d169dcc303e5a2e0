package tidepool.fabric;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/**
 * A strand's way into the fabric: its links, its rounds, its landing memory and its counters. One strand or thread uses
 * a lane at a time; lanes share nothing but the session.
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

    /** What this lane has sent so far; live, not a copy. */
    public final Traffic traffic() {
        return traffic;
    }

    /** Connects to a memory node. A second link to the same node is not ordered with the first. May wait. */
    public final Link connect(int node) {
        Checks.argument(node >= 0 && node < session.fabric().nodes(), "no such memory node: node=" + node);
        Link link = newLink(node);
        links.add(link);
        return link;
    }

    /** A round of at most {@code capacity} verbs, to be used again and again; the lane keeps it. */
    public final Round round(int capacity) {
        Round round = new Round(this, capacity);
        rounds.add(round);
        return round;
    }

    /** Zeroed memory here that verbs may land in and be sent from. It lives as long as somebody refers to it. */
    public MemorySegment landing(long bytes) {
        landingBytes += bytes;
        return session.landingMemory().piece(bytes);
    }

    /** Bytes of landing memory that were asked for so far: whoever works for long does not ask for more and more. */
    public final long landingBytes() {
        return landingBytes;
    }

    protected final List<Link> links() {
        return links;
    }

    /** Closes the links. Closing twice does nothing. */
    @Override
    public abstract void close();

    // ---- what a fabric writes

    protected abstract Link newLink(int node);

    /**
     * Throws an {@code IllegalArgumentException} if this fabric can never carry one of the round's verbs, for example
     * because a CALL is too long. Called for rounds that have other verbs than READ, WRITE and CAS, before anything of them
     * is counted or sent, so that {@link #post} does not throw.
     */
    protected void check(Round round) {}

    /** Sends a round. Must neither wait nor throw; may complete the verbs at once. */
    protected abstract void post(Round round);

    /**
     * Sends {@code first}, and {@code next} as soon as every verb of {@code first} was acknowledged; if one of them failed,
     * {@link Round#neverSent} instead. Must not wait. Until it is sent, {@link #await} and {@link #isComplete} of
     * {@code next} are about both, and its deadline does not count.
     */
    protected abstract void post(Round first, Round next);

    /** Whether rounds may hand over verbs as {@link Group}s; otherwise they build each by itself. */
    protected boolean takesGroups() {
        return false;
    }

    /** Waits until every verb of the round has its effect, or the deadline passed. */
    protected abstract void await(Round round);

    /** Whether {@link #await} would return at once. */
    protected abstract boolean isComplete(Round round);

    /**
     * Where the chain of trips ends for a round that has fences. On each link the round takes one trip, and one more for
     * every fence behind a verb whose order towards the fenced verb this fabric does not keep for free; a fence behind such
     * a verb of an earlier round that is still under way begins when that round is done. The longest link decides.
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
        int firstOpen = 0; // verbs before it are behind a fence that was paid for
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

    /** Whether, but for its fence, the verb might take effect before one of those on its link. */
    private boolean overtakes(Verb verb, Round round, int from, int to) {
        Orders orders = session.fabric().orders();
        for (int i = from; i < to; i++)
            if (round.verb(i).link() == verb.link()
                    && !orders.keeps(round.verb(i).kind(), verb.kind())) return true;
        return false;
    }
}
