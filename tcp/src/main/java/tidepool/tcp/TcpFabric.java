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
import tidepool.fabric.Orders;
import tidepool.fabric.Session;
import tidepool.tcp.wire.ControlCode;
import tidepool.tcp.wire.Patience;

/**
 * A pool whose memory nodes are processes on the network; {@code docs/wire.md} says what travels. Everything on a
 * connection is carried out in order, so links keep every order for free.
 *
 * <p>Control calls go over connections of their own, which the {@link Keeper} reads; it also keeps the leases of the
 * sessions. A node tells over the same connections whom it suspects, so to ask who is dead costs nothing.
 */
final class TcpFabric extends Fabric {
    /** Making and zeroing a large region takes its time. */
    private static final long CONTROL_NANOS = 60_000_000_000L;

    private final TcpUrl url;
    private final Dialer dialer;
    private final Ids ids = Ids.secure();
    private final Suspects suspects = new Suspects();
    private final Port control;
    private final NodeControl[] controls;
    private final Keeper keeper;
    private final long leaseNanos;
    private final long longestLeaseNanos;
    private final List<TcpSession> sessions = new CopyOnWriteArrayList<>();
    private volatile Id128 pool;
    private volatile boolean closed;

    TcpFabric(TcpUrl url, Dialer dialer) {
        this.url = url;
        this.dialer = dialer;
        this.control = new Port(url.nodes(), url.timeout().toNanos(), Patience.of(0), null, suspects, () -> {});
        this.controls = new NodeControl[url.nodes()];
        for (int i = 0; i < controls.length; i++) controls[i] = new TcpControl(this, i);
        boolean open = false;
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        try {
            for (int i = 0; i < controls.length; i++) {
                long lease = controlWire(i).welcome.leaseNanos();
                shortest = Math.min(shortest, lease);
                longest = Math.max(longest, lease);
            }
            open = true;
        } finally {
            if (!open) control.close();
        }
        this.leaseNanos = shortest;
        this.longestLeaseNanos = longest;
        this.keeper = new Keeper(control, sessions, leaseNanos, url.hasRoster());
        keeper.start();
    }

    TcpUrl url() {
        return url;
    }

    /** The shortest lease of the nodes. */
    long leaseNanos() {
        return leaseNanos;
    }

    /** The longest lease of the nodes: a session goes by the shortest lease of its own nodes, which include one of these. */
    @Override
    public long believedNanos() {
        return longestLeaseNanos;
    }

    Suspects suspects() {
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
    public Orders orders() {
        return Orders.PROGRAM;
    }

    /** Nodes with a journal keep what they do in order; persistent memory does not. */
    @Override
    public boolean persistsInOrder() {
        refuseIfClosed();
        for (int node = 0; node < nodes(); node++)
            if (!controlWire(node).welcome.keepsInOrder()) return false;
        return true;
    }

    @Override
    public Session attach() {
        refuseIfClosed();
        int number = believable(ask(0, 1, ControlCode.NEXT_SESSION)[0]);
        TcpSession session = new TcpSession(this, number, ids.next());
        sessions.add(session);
        return session;
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

    /** Connects to a node; it has to be one of this pool. Waits. */
    Wire dial(int node, Answers answers) {
        Wire wire = dialer.dial(node, pool, answers);
        if (pool == null) pool = wire.welcome.pool();
        return wire;
    }

    /** Makes a control call. Waits. */
    long[] ask(int node, int results, long... words) {
        refuseIfClosed();
        ControlCall call = new ControlCall(words);
        call.deadlineNanos = Clock.system().nowNanos() + CONTROL_NANOS;
        control.post(call, controlWire(node));
        control.awaitAsleep(call);
        if (closed && call.status < 0) throw closedException();
        return Replies.of(call, node, results);
    }

    /** Whether a node said at the door that what is flushed is kept. */
    boolean keepsFlushed(int node) {
        refuseIfClosed();
        return controlWire(node).welcome.keepsFlushed();
    }

    private Wire controlWire(int node) {
        Wire known = control.wire(node);
        if (known != null && known.isUp()) return known;
        synchronized (controls) {
            known = control.wire(node);
            if (known != null && known.isUp()) return known;
            Wire wire = dial(node, control.answers());
            try {
                control.use(wire);
            } catch (IOException e) {
                throw FabricException.unavailable("node " + node + " cannot be reached: " + e.getMessage(), e);
            }
            return wire;
        }
    }

    boolean isConnected(int node) {
        Wire wire = control.wire(node);
        return !closed && wire != null && wire.isUp();
    }

    boolean isClosed() {
        return closed;
    }

    void unattended() {
        keeper.lookOften();
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
        keeper.end();
        control.close();
    }
}
