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
import tidepool.wire.AdaptiveSpin;
import tidepool.wire.ControlCode;

/**
 * A session at every node of the pool. Its connections present a secret, so that no other client can act as this
 * session. Threads share {@code connections=} endpoints; each carrier of strands has an endpoint of its own.
 */
final class TcpSession extends Session {
    private final TcpFabric fabric;
    private final Id128 secret;
    private final List<Endpoint> shared = new ArrayList<>();
    private final List<Endpoint> endpoints = new CopyOnWriteArrayList<>();
    private final Mutex connecting = new Mutex();
    private final LeaseWindow lease;
    private int lanes;
    private boolean closed;

    /**
     * Attaches the session at every node, including nodes that it connects to later or never: a revocation must find it
     * there.
     */
    TcpSession(TcpFabric fabric, int number, Id128 secret) {
        super(fabric, number);
        this.fabric = fabric;
        this.secret = secret;
        this.lease =
                fabric.url().hasRoster() ? new LeaseWindow(fabric.nodes(), fabric.leaseNanos()) : LeaseWindow.FOR_EVER;
        boolean entered = false;
        try {
            Endpoint first = addEndpoint(null);
            shared.add(first);
            for (int node = 0; node < fabric.nodes(); node++) connected(first, node);
            entered = true;
        } finally {
            if (!entered) for (Endpoint endpoint : endpoints) endpoint.close();
        }
    }

    private Endpoint addEndpoint(Carrier carrier) {
        TcpUrl url = fabric.url();
        Endpoint endpoint = new Endpoint(
                fabric.nodes(),
                url.timeout().toNanos(),
                AdaptiveSpin.ofThisMachine(),
                carrier,
                fabric.suspects(),
                fabric::unattended,
                fabric.maxSelectNanos());
        endpoints.add(endpoint);
        return endpoint;
    }

    @Override
    protected synchronized Lane newLane() {
        if (closed)
            throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the session is closed: session=" + number());
        return new TcpLane(this, endpointHere());
    }

    private Endpoint endpointHere() {
        Strand strand = Strand.current();
        if (strand != null && strand.scheduler() instanceof Carrier carrier) {
            for (Endpoint endpoint : endpoints) if (endpoint.carrier() == carrier) return endpoint;
            return addEndpoint(carrier);
        }
        int turn = lanes++ % fabric.url().connections();
        if (turn == shared.size()) shared.add(addEndpoint(null));
        return shared.get(turn);
    }

    /**
     * Returns the connection of an endpoint to a node. Connects if no connection is up, and waits for the handshake.
     */
    NodeConnection connected(Endpoint endpoint, int node) {
        NodeConnection known = endpoint.connection(node);
        if (known != null && known.isUp()) return known;
        connecting.run(() -> {
            NodeConnection meanwhile = endpoint.connection(node);
            if (meanwhile == null || !meanwhile.isUp()) connect(endpoint, node);
        });
        return endpoint.connection(node);
    }

    private void connect(Endpoint endpoint, int node) {
        NodeConnection connection = fabric.dial(node, endpoint.listener());
        connection.leaseWindow(lease);
        boolean attached = false;
        try {
            endpoint.use(connection);
            long sent = Clock.system().nowNanos();
            long pid = ProcessHandle.current().pid();
            ControlCall call = new ControlCall(ControlCode.ATTACH, number(), secret.high(), secret.low(), pid);
            endpoint.post(call, connection);
            endpoint.await(call);
            ControlResult.of(call, node, 0);
            lease.heard(node, sent);
            attached = true;
        } catch (IOException e) {
            throw FabricException.unavailable("node " + node + " cannot be reached: " + e.getMessage(), e);
        } finally {
            if (!attached) connection.breakDown("the session was not let in");
        }
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Called when a round waits to be followed by another one and possibly no thread reads the endpoint. */
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
        for (Endpoint endpoint : endpoints) endpoint.close();
        fabric.closed(this);
    }

    /**
     * Leaves node 0 last, and only if all other nodes were left. Recoverers go by the list of node 0, so a session that
     * only another node knows would never be cleaned up. A session that stays at node 0 is suspected and recovered like
     * any other.
     */
    private void leaveAll() {
        boolean left = true;
        for (int node = fabric.nodes() - 1; node > 0; node--) left &= leave(node);
        if (left) leave(0);
    }

    /**
     * Detaches the session from a node. Verbs posted earlier on any connection are executed before the node detaches
     * the session.
     */
    private boolean leave(int node) {
        for (Endpoint endpoint : endpoints)
            if (endpoint != endpoints.getFirst()) call(endpoint, node, new ControlCall(ControlCode.EPOCH));
        ControlCall detach = new ControlCall(ControlCode.DETACH, number(), secret.high(), secret.low());
        call(endpoints.getFirst(), node, detach);
        // The session that revoked this one makes the node forget it.
        return detach.status == 0 || endpoints.getFirst().connection(node).wasRevoked();
    }

    /**
     * Makes a control call and waits for its reply. If the connection is broken there is no reply to wait for, and the
     * node notices the loss itself.
     */
    private static void call(Endpoint endpoint, int node, ControlCall call) {
        NodeConnection connection = endpoint.connection(node);
        if (connection == null || !connection.isUp()) return;
        endpoint.post(call, connection);
        endpoint.await(call);
    }
}
