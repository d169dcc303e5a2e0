package tidepool.tcp;

import java.util.Arrays;

/**
 * The time until which a session accepts answers of its nodes. A pool with a roster may remove a node that is cut off
 * from the others and still answers this session. The remover first revokes the session at all other nodes and then
 * waits for the lease. A node answers only sessions that are not revoked. So an answer counts only while every node has
 * recently answered a request: at most one lease after that request was sent, on this process's clock. Otherwise a
 * session could read old data from the removed node. {@code docs/operating/reliability.md} has the argument.
 *
 * <p>A check costs one read and one comparison, with the time that is read anyway when answers arrive.
 */
final class LeaseWindow {
    /** For pools without a roster, whose nodes never change. */
    static final LeaseWindow FOR_EVER = new LeaseWindow(0, 0);

    private final long leaseNanos;
    private final long[] heard; // by node: when the latest request that it has answered was sent
    private final boolean[] known;
    private volatile boolean lapsing;
    private volatile long untilNanos;

    LeaseWindow(int nodes, long leaseNanos) {
        this.leaseNanos = leaseNanos;
        this.heard = new long[nodes];
        this.known = new boolean[nodes];
    }

    /** Called when a node has answered a request that was sent at {@code sentNanos}. */
    synchronized void heard(int node, long sentNanos) {
        if (node >= heard.length || known[node] && sentNanos - heard[node] <= 0) return;
        known[node] = true;
        heard[node] = sentNanos;
        for (boolean one : known) if (!one) return; // a session does nothing before it is attached at every node
        long oldest = Arrays.stream(heard).reduce((a, b) -> a - b < 0 ? a : b).getAsLong();
        untilNanos = oldest + leaseNanos;
        lapsing = true;
    }

    /** Returns whether an answer that has arrived by {@code nowNanos} may be outdated. */
    boolean isOver(long nowNanos) {
        return lapsing && nowNanos - untilNanos > 0;
    }
}
