package tidepool.tcp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tidepool.base.Carrier;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.base.Mutex;
import tidepool.base.Strand;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Session;
import tidepool.tcp.wire.ControlCode;
import tidepool.tcp.wire.Patience;

/**
 * A session at every node of the pool. Its connections know a secret, so that nobody else can speak in its name. Threads
 * share a few ports; each carrier of strands has one of its own.
 */
final class TcpSession extends Session {
    private final TcpFabric fabric;
    private final Id128 secret;
    private final List<Port> shared = new ArrayList<>();
    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private final Mutex connecting = new Mutex();
    private final Freshness freshness;
    private int lanes;
    private boolean closed;

    /** Enters the session at every node, also those that it connects to later or never: a revocation must find it there. */
    TcpSession(TcpFabric fabric, int number, Id128 secret) {
        super(fabric, number);
        this.fabric = fabric;
        this.secret = secret;
        this.freshness =
                fabric.url().hasRoster() ? new Freshness(fabric.nodes(), fabric.leaseNanos()) : Freshness.FOR_EVER;
        boolean entered = false;
        try {
            Port first = addPort(null);
            shared.add(first);
            for (int node = 0; node < fabric.nodes(); node++) connected(first, node);
            entered = true;
        } finally {
            if (!entered) for (Port port : ports) port.close();
        }
    }

    private Port addPort(Carrier carrier) {
        TcpUrl url = fabric.url();
        Port port = new Port(
                fabric.nodes(),
                url.timeout().toNanos(),
                Patience.ofThisMachine(),
                carrier,
                fabric.suspects(),
                fabric::unattended);
        ports.add(port);
        return port;
    }

    @Override
    protected synchronized Lane newLane() {
        if (closed)
            throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the session is closed: session=" + number());
        return new TcpLane(this, portHere());
    }

    private Port portHere() {
        Strand strand = Strand.current();
        if (strand != null && strand.scheduler() instanceof Carrier carrier) {
            for (Port port : ports) if (port.carrier() == carrier) return port;
            return addPort(carrier);
        }
        int turn = lanes++ % fabric.url().connections();
        if (turn == shared.size()) shared.add(addPort(null));
        return shared.get(turn);
    }

    /** The connection of a port to a node, made if there is none that works. Waits. */
    Wire connected(Port port, int node) {
        Wire known = port.wire(node);
        if (known != null && known.isUp()) return known;
        connecting.run(() -> {
            Wire meanwhile = port.wire(node);
            if (meanwhile == null || !meanwhile.isUp()) connect(port, node);
        });
        return port.wire(node);
    }

    private void connect(Port port, int node) {
        Wire wire = fabric.dial(node, port.answers());
        wire.freshness(freshness);
        boolean attached = false;
        try {
            port.use(wire);
            long sent = Clock.system().nowNanos();
            long pid = ProcessHandle.current().pid();
            ControlCall call = new ControlCall(ControlCode.ATTACH, number(), secret.high(), secret.low(), pid);
            port.post(call, wire);
            port.await(call);
            Replies.of(call, node, 0);
            freshness.heard(node, sent);
            attached = true;
        } catch (IOException e) {
            throw FabricException.unavailable("node " + node + " cannot be reached: " + e.getMessage(), e);
        } finally {
            if (!attached) wire.breakDown("the session was not let in");
        }
    }

    List<Port> ports() {
        return ports;
    }

    /** A round waits to be followed by another one, and maybe nobody looks. */
    void unattended() {
        fabric.unattended();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) return;
            closed = true;
        }
        for (Lane lane : lanes()) lane.close();
        leaveAll();
        for (Port port : ports) port.close();
        fabric.closed(this);
    }

    /**
     * Node 0 last, and only if all others were left: recoverers go by its list, and nobody would clean up behind a session
     * that another node knows alone. One that stays there is suspected, and recovered like any other.
     */
    private void leaveAll() {
        boolean left = true;
        for (int node = fabric.nodes() - 1; node > 0; node--) left &= leave(node);
        if (left) leave(0);
    }

    /** What was posted before on any connection is carried out before the node lets the session go. */
    private boolean leave(int node) {
        for (Port port : ports) if (port != ports.getFirst()) call(port, node, new ControlCall(ControlCode.EPOCH));
        ControlCall detach = new ControlCall(ControlCode.DETACH, number(), secret.high(), secret.low());
        call(ports.getFirst(), node, detach);
        // Whoever has revoked it forgets it there.
        return detach.status == 0 || ports.getFirst().wire(node).wasRevoked();
    }

    /** If the connection is broken there is nothing to wait for, and the node finds out by itself. */
    private static void call(Port port, int node, ControlCall call) {
        Wire wire = port.wire(node);
        if (wire == null || !wire.isUp()) return;
        port.post(call, wire);
        port.await(call);
    }
}
