package tidepool.tcp;

import java.util.Arrays;

/**
 * Until when a session may believe what its nodes say. A pool with a roster may lose a node that is cut off from the others
 * and still answers us; whoever removes it shuts our session out at all the others first, and waits. So an answer counts
 * only while every node has lately answered something, which it would not have done to a session that was shut out: within
 * the lease, counted from when that was sent, on our own clock. {@code docs/reliability.md} has the argument.
 *
 * <p>To ask costs one read and one comparison, with the time that is read anyway when answers arrive.
 */
final class Freshness {
    /** For pools whose nodes are what they are for ever. */
    static final Freshness FOR_EVER = new Freshness(0, 0);

    private final long leaseNanos;
    private final long[] heard; // when that was sent which each node has answered
    private final boolean[] known;
    private volatile boolean lapsing;
    private volatile long untilNanos;

    Freshness(int nodes, long leaseNanos) {
        this.leaseNanos = leaseNanos;
        this.heard = new long[nodes];
        this.known = new boolean[nodes];
    }

    /** A node has answered what was sent at that time. */
    synchronized void heard(int node, long sentNanos) {
        if (node >= heard.length || known[node] && sentNanos - heard[node] <= 0) return;
        known[node] = true;
        heard[node] = sentNanos;
        for (boolean one : known) if (!one) return; // before it has entered everywhere, a session does nothing
        long oldest = Arrays.stream(heard).reduce((a, b) -> a - b < 0 ? a : b).getAsLong();
        untilNanos = oldest + leaseNanos;
        lapsing = true;
    }

    /** Whether what has arrived by now may be old. */
    boolean isOver(long nowNanos) {
        return lapsing && nowNanos - untilNanos > 0;
    }
}
