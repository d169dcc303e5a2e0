package tidepool.tcp;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tidepool.base.Checks;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.base.Ids;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.NodeControl;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Session;
import tidepool.wire.AdaptiveSpin;
import tidepool.wire.ControlCode;

/**
 * A fabric over TCP: a pool whose memory nodes are processes on the network. {@code docs/internals/wire.md} describes
 * the frames. A node executes everything on a connection in order, so links keep every order without a fence.
 *
 * <p>Control calls use connections of their own, which the {@link HeartbeatThread} reads; it also renews the leases of
 * the sessions. Nodes report suspected sessions over these connections, so asking which sessions are dead costs no
 * round trip.
 */
final class TcpFabric extends Fabric {
    /** Time-out of control calls; creating and zeroing a large region takes long. */
    private static final long CONTROL_NANOS = 60_000_000_000L;

    private final TcpUrl url;
    private final Dialer dialer;
    private final Ids ids = Ids.secure();
    private final SuspectedSessions suspects = new SuspectedSessions();
    private final Endpoint control;
    private final NodeControl[] controls;
    private final HeartbeatThread heartbeat;
    private final long maxSelectNanos;
    private final long leaseNanos;
    private final long longestLeaseNanos;
    private final List<TcpSession> sessions = new CopyOnWriteArrayList<>();
    private volatile Id128 pool;
    private volatile boolean closed;

    TcpFabric(TcpUrl url, Dialer dialer) {
        this(url, dialer, EndpointReader.MAX_SELECT_NANOS);
    }

    /**
     * @param maxSelectNanos how long a reader sleeps if no socket event and no call ends its sleep. Tests choose a
     *     time that never passes. Otherwise a reader that misses an event would only be slow, and the test would not
     *     fail.
     */
    TcpFabric(TcpUrl url, Dialer dialer, long maxSelectNanos) {
        this.url = url;
        this.dialer = dialer;
        this.maxSelectNanos = maxSelectNanos;
        this.control = new Endpoint(
                url.nodes(), url.timeout().toNanos(), AdaptiveSpin.of(0), null, suspects, () -> {}, maxSelectNanos);
        this.controls = new NodeControl[url.nodes()];
        for (int i = 0; i < controls.length; i++) controls[i] = new TcpControl(this, i);
        boolean open = false;
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        try {
            for (int i = 0; i < controls.length; i++) {
                long lease = controlConnection(i).welcome.leaseNanos();
                shortest = Math.min(shortest, lease);
                longest = Math.max(longest, lease);
            }
            open = true;
        } finally {
            if (!open) control.close();
        }
        this.leaseNanos = shortest;
        this.longestLeaseNanos = longest;
        this.heartbeat = new HeartbeatThread(control, sessions, leaseNanos, url.hasRoster());
        heartbeat.start();
    }

    TcpUrl url() {
        return url;
    }

    long maxSelectNanos() {
        return maxSelectNanos;
    }

    /** Returns the shortest lease of the nodes. */
    long leaseNanos() {
        return leaseNanos;
    }

    /**
     * Returns the longest lease of the nodes. A session goes by the shortest lease of its own nodes, which include one
     * of these.
     */
    @Override
    public long believedNanos() {
        return longestLeaseNanos;
    }

    SuspectedSessions suspects() {
        return suspects;
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public String where(int node) {
        return "node " + node + " at " + url.hosts().get(node) + ":"
                + url.ports().get(node);
    }

    @Override
    public int nodes() {
        return url.nodes();
    }

    @Override
    public OrderTable orders() {
        return OrderTable.PROGRAM;
    }

    /** Returns whether all nodes persist verbs in order. Nodes with a journal do; persistent memory does not. */
    @Override
    public boolean persistsInOrder() {
        refuseIfClosed();
        for (int node = 0; node < nodes(); node++)
            if (!controlConnection(node).welcome.keepsInOrder()) return false;
        return true;
    }

    @Override
    public Session attach() {
        refuseIfClosed();
        int number = believable(nextSession());
        TcpSession session = new TcpSession(this, number, ids.next());
        sessions.add(session);
        return session;
    }

    /**
     * Asks node 0 for a session number. If the control connection breaks before the reply, asks once more over a new
     * one. A cut often hits all connections of a process, and a session that failed by it is replaced at once, possibly
     * before the heartbeat thread has noticed that the control connection is broken, too. A number whose reply was lost
     * belongs to no session.
     */
    private long nextSession() {
        NodeConnection asked = controlConnection(0);
        try {
            return ask(asked, 1, ControlCode.NEXT_SESSION)[0];
        } catch (FabricException e) {
            if (closed || asked.isUp()) throw e;
            return ask(0, 1, ControlCode.NEXT_SESSION)[0];
        }
    }

    private static int believable(long session) {
        if (session > 0 && session < 1L << Session.NUMBER_BITS) return (int) session;
        throw new FabricException(
                Reason.DISCONNECTED, Effect.NOT_DONE, "the node gave out no session number: session=" + session);
    }

    @Override
    public NodeControl control(int node) {
        Checks.argument(node >= 0 && node < controls.length, "no such memory node: node=" + node);
        return controls[node];
    }

    @Override
    public boolean isDead(int session) {
        return suspects.contains(session);
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public int[] announcedDead() {
        return suspects.all();
    }

    /** Connects to a node, which has to belong to this pool. Waits for the handshake. */
    NodeConnection dial(int node, FrameListener listener) {
        NodeConnection connection = dialer.dial(node, pool, listener);
        if (pool == null) pool = connection.welcome.pool();
        return connection;
    }

    /** Makes a control call and waits for its reply. */
    long[] ask(int node, int results, long... words) {
        refuseIfClosed();
        return ask(controlConnection(node), results, words);
    }

    private long[] ask(NodeConnection connection, int results, long... words) {
        ControlCall call = new ControlCall(words);
        call.deadlineNanos = Clock.system().nowNanos() + CONTROL_NANOS;
        control.post(call, connection);
        control.awaitAsleep(call);
        if (closed && call.status < 0) throw closedException();
        return ControlResult.of(call, connection.node, results);
    }

    /** Returns whether the node announced in WELCOME that flushed data is kept. */
    boolean keepsFlushed(int node) {
        refuseIfClosed();
        return controlConnection(node).welcome.keepsFlushed();
    }

    private NodeConnection controlConnection(int node) {
        NodeConnection known = control.connection(node);
        if (known != null && known.isUp()) return known;
        synchronized (controls) {
            known = control.connection(node);
            if (known != null && known.isUp()) return known;
            NodeConnection connection = dial(node, control.listener());
            try {
                control.use(connection);
            } catch (IOException e) {
                throw FabricException.unavailable("node " + node + " cannot be reached: " + e.getMessage(), e);
            }
            return connection;
        }
    }

    boolean isConnected(int node) {
        NodeConnection connection = control.connection(node);
        return !closed && connection != null && connection.isUp();
    }

    boolean isClosed() {
        return closed;
    }

    void unattended() {
        heartbeat.pollEagerly();
    }

    void closed(TcpSession session) {
        sessions.remove(session);
    }

    private void refuseIfClosed() {
        if (closed) throw closedException();
    }

    private FabricException closedException() {
        return new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the pool is closed: " + name());
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) return;
            closed = true;
        }
        for (TcpSession session : sessions) session.close();
        heartbeat.end();
        control.close();
    }
}
