package tidepool.node;

import java.util.ArrayList;
import java.util.List;

/** The state of a session at a node: its connections, its secret, and when it was heard last. */
final class HostedSession {
    private final int number;
    private final List<ClientConnection> connections = new ArrayList<>();
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

    List<ClientConnection> connections() {
        return connections;
    }

    /** Called when a client has attached under this number. */
    void attached() {
        attached = true;
    }

    boolean isAttached() {
        return attached;
    }

    /** Called when the session may begin to change memory that has to be recovered if it dies. */
    void touch() {
        touched = true;
    }

    /** Returns whether the session may have changed memory at this node. */
    boolean isTouched() {
        return touched;
    }

    /**
     * Returns whether the secret is right. The first call sets it. All bits are compared, so the time reveals nothing.
     */
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

    void add(ClientConnection connection, long nowNanos) {
        connections.add(connection);
        lost = false;
        heard(nowNanos);
    }

    /**
     * Removes a connection. If the last one ends without a GOODBYE, the session may be dead and its grace time begins.
     */
    void remove(ClientConnection connection, boolean goodbye, long nowNanos) {
        connections.remove(connection);
        if (!connections.isEmpty() || goodbye) return;
        lost = true;
        lostNanos = nowNanos;
    }

    boolean isSuspected() {
        return suspected;
    }

    /** Returns the time at which the session becomes suspected if it is not heard before. */
    long suspectedAtNanos(long leaseNanos, long graceNanos) {
        long byLease = heardNanos + leaseNanos;
        return lost ? Math.min(byLease, lostNanos + graceNanos) : byLease;
    }

    void suspect() {
        suspected = true;
        cleared = false;
    }

    /** Returns true once if the session was heard again after it was suspected. */
    boolean takeCleared() {
        boolean was = cleared;
        cleared = false;
        return was;
    }

    /**
     * Returns whether a control call of the session waits for this node. Then its silence is no sign of its death.
     */
    boolean waitsForUs() {
        for (int i = 0; i < connections.size(); i++) if (connections.get(i).isControlPending()) return true;
        return false;
    }
}
