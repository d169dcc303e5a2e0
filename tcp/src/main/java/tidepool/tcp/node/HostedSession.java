package tidepool.tcp.node;

import java.util.ArrayList;
import java.util.List;

/** A session as a node hears it: its connections, its secret, and when it was heard last. */
final class HostedSession {
    private final int number;
    private final List<Connection> connections = new ArrayList<>();
    private boolean secretSet;
    private long secretHigh;
    private long secretLow;
    private long heardNanos;
    private boolean lost;
    private long lostNanos;
    private boolean suspected;
    private boolean cleared;
    private boolean attached;
    private boolean touched;

    HostedSession(int number, long nowNanos) {
        this.number = number;
        this.heardNanos = nowNanos;
    }

    int number() {
        return number;
    }

    List<Connection> connections() {
        return connections;
    }

    /** A client has come in under this number. */
    void attached() {
        attached = true;
    }

    boolean isAttached() {
        return attached;
    }

    /** From now on it may have changed something that has to be repaired if it dies. */
    void touch() {
        touched = true;
    }

    /** Whether it may have left something at this node. */
    boolean isTouched() {
        return touched;
    }

    /** The first who comes sets it. All bits are looked at before it answers. */
    boolean isSecret(long high, long low) {
        if (!secretSet) {
            secretSet = true;
            secretHigh = high;
            secretLow = low;
        }
        return ((secretHigh ^ high) | (secretLow ^ low)) == 0;
    }

    void heard(long nowNanos) {
        heardNanos = nowNanos;
        if (!suspected) return;
        suspected = false;
        cleared = true;
    }

    void add(Connection connection, long nowNanos) {
        connections.add(connection);
        lost = false;
        heard(nowNanos);
    }

    /** The end of the last connection, unless it was said goodbye on, is a sign of death. */
    void remove(Connection connection, boolean goodbye, long nowNanos) {
        connections.remove(connection);
        if (!connections.isEmpty() || goodbye) return;
        lost = true;
        lostNanos = nowNanos;
    }

    boolean isSuspected() {
        return suspected;
    }

    /** When it will be suspected if nothing is heard. */
    long suspectedAtNanos(long leaseNanos, long graceNanos) {
        long byLease = heardNanos + leaseNanos;
        return lost ? Math.min(byLease, lostNanos + graceNanos) : byLease;
    }

    void suspect() {
        suspected = true;
        cleared = false;
    }

    /** Whether it was heard again after it was suspected; says so once. */
    boolean takeCleared() {
        boolean was = cleared;
        cleared = false;
        return was;
    }

    /** What it sent waits for the node itself, and its silence is no sign of anything. */
    boolean waitsForUs() {
        for (int i = 0; i < connections.size(); i++) if (connections.get(i).isControlPending()) return true;
        return false;
    }
}
