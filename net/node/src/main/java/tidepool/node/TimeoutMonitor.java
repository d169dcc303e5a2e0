package tidepool.node;

import java.util.List;
import tidepool.wire.AuthMethod;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** The check of all timeouts: leases, handshakes, slow readers, delayed refusals; and of withdrawn credentials. */
final class TimeoutMonitor {
    /** Period of the check for changed credentials. */
    private static final long GATE_NANOS = 200_000_000L;

    private final NodeOptions options;
    private final HostedPools pools;
    private final ConnectionTable connections;
    private final long leaseNanos;
    private final long graceNanos;
    private long generation;
    private long nextNanos;

    TimeoutMonitor(NodeOptions options, HostedPools pools, ConnectionTable connections) {
        this.options = options;
        this.pools = pools;
        this.connections = connections;
        this.leaseNanos = options.lease().toNanos();
        this.graceNanos = options.grace().toNanos();
        this.generation = options.authenticator().generation();
    }

    /** Returns the time of the next check. */
    long nextNanos() {
        return nextNanos;
    }

    void soon(long nanos) {
        nextNanos = Math.min(nextNanos, nanos);
    }

    /** Does all that is due. The caller has read all bytes that had arrived. */
    void look(long nowNanos) {
        nextNanos = options.authenticator().method() == AuthMethod.NONE ? Long.MAX_VALUE : nowNanos + GATE_NANOS;
        lookAtGate();
        for (ClientConnection connection : List.copyOf(connections.all())) lookAt(connection, nowNanos);
        for (HostedPool pool : pools.all()) lookAt(pool, nowNanos);
    }

    private void lookAtGate() {
        long now = options.authenticator().generation();
        if (now == generation) return;
        generation = now;
        for (ClientConnection connection : List.copyOf(connections.all()))
            if (connection.phase == ClientConnection.Phase.OPEN && !isStillGood(connection))
                connections.refuse(
                        connection, RefusedCode.WITHDRAWN, "the credentials of this connection were taken away");
    }

    private boolean isStillGood(ClientConnection connection) {
        String pool = connection.pool == null ? "" : connection.pool.name();
        return options.authenticator().isGood(connection.client, connection.token)
                && options.authenticator().rights(connection.client, pool).equals(connection.rights);
    }

    private void lookAt(ClientConnection connection, long nowNanos) {
        NodeLimits limits = options.limits();
        if (connection.isOver()) {
            if (nowNanos >= connection.dueNanos) connections.end(connection);
            else soon(connection.dueNanos);
        } else if (connection.phase == ClientConnection.Phase.DELAYED) {
            if (nowNanos >= connection.dueNanos)
                connections.refuse(connection, RefusedCode.CREDENTIALS, "wrong name, token or certificate");
            else soon(connection.dueNanos);
        } else if (connection.isStranger()) {
            long due = connection.acceptedNanos + limits.handshake().toNanos();
            if (nowNanos >= due)
                connections.refuse(connection, RefusedCode.TOO_SLOW, "the handshake was not done in time");
            else soon(due);
        } else if (connection.out().isStuck()) {
            long due = connection.out().stuckSinceNanos() + limits.slowReader().toNanos();
            if (nowNanos >= due) connections.refuse(connection, RefusedCode.TOO_SLOW, "answers were not read in time");
            else soon(due);
        }
    }

    private void lookAt(HostedPool pool, long nowNanos) {
        int fresh = 0;
        for (HostedSession session : List.copyOf(pool.sessions())) {
            if (session.isSuspected()) continue;
            if (session.takeCleared()) connections.tellOver(pool, session.number());
            if (session.waitsForUs()) session.heard(nowNanos);
            long due = session.suspectedAtNanos(leaseNanos, graceNanos);
            if (nowNanos < due) {
                soon(due);
                continue;
            }
            if (pool.dropIfUnused(session.number())) continue;
            if (pool.reclaim(session)) continue;
            session.suspect();
            fresh++;
            connections.counters().count(NodeCounter.SUSPECTS);
            connections.auditLog().note("suspects session=" + session.number() + " pool=" + pool.name());
        }
        if (fresh == 0) return;
        long[] suspects = pool.suspected();
        for (ClientConnection control : List.copyOf(pool.controls())) {
            control.out().send(Frame.SUSPECTS, 0, 0, suspects, suspects.length);
            connections.resume(control);
        }
    }
}
