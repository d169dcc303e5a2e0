package tidepool.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Checks;

/**
 * A strand's way into the fabric: its links, its rounds, its landing memory and its counters. One strand or thread uses
 * a lane at a time; lanes share nothing but the session.
 */
public abstract class Lane implements AutoCloseable {
    /** Landing buffers start on a cache line of their own. */
    private static final long LANDING_ALIGNMENT = 64;

    private final Session session;
    private final Traffic traffic = new Traffic();
    private final Arena arena = Arena.ofAuto();
    private final List<Link> links = new ArrayList<>();

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

    /** A round of at most {@code capacity} verbs, to be used again and again. */
    public final Round round(int capacity) {
        return new Round(this, capacity);
    }

    /** Zeroed memory here that verbs may land in and be sent from. It lives as long as somebody refers to it. */
    public MemorySegment landing(long bytes) {
        return arena.allocate(bytes, LANDING_ALIGNMENT);
    }

    protected final List<Link> links() {
        return links;
    }

    /** Closes the links. Closing twice does nothing. */
    @Override
    public abstract void close();

    // ---- what a fabric writes

    protected abstract Link newLink(int node);

    /** Sends a round. Must not wait; may complete the verbs at once. */
    protected abstract void post(Round round);

    /** Waits until every verb of the round has its effect, or the deadline passed. */
    protected abstract void await(Round round);

    /** Whether {@link #await} would return at once. */
    protected abstract boolean isComplete(Round round);

    /**
     * Trips of a round that has fences: on each link one, and one more for every fence behind a verb whose order towards
     * the fenced verb this fabric does not keep for free; the longest link decides.
     */
    final int tripsWithFences(Round round) {
        int longest = 1;
        for (int i = 0; i < round.count(); i++) {
            if (!round.verb(i).fenced()) continue;
            longest = Math.max(longest, tripsOn(round, round.verb(i).link()));
        }
        return longest;
    }

    private int tripsOn(Round round, Link link) {
        Orders orders = session.fabric().orders();
        int trips = 1;
        int firstOpen = 0; // verbs before it are behind a fence that was paid for
        for (int i = 0; i < round.count(); i++) {
            Verb verb = round.verb(i);
            if (verb.link() != link || !verb.fenced()) continue;
            for (int j = firstOpen; j < i; j++) {
                if (round.verb(j).link() != link || orders.keeps(round.verb(j).kind(), verb.kind())) continue;
                trips++;
                firstOpen = i;
                break;
            }
        }
        return trips;
    }
}
