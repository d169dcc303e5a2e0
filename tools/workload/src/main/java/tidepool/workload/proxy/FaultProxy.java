package tidepool.workload.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A proxy between one client process and one memory node, on loopback. It passes frames on unchanged until a fault is
 * requested. With a proxy for each client, the choice of the proxy selects the client that a fault hits. It neither
 * repeats nor reorders frames, like TCP.
 */
public final class FaultProxy implements AutoCloseable {
    private final InetSocketAddress node;
    private final ServerSocket listener;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private final List<HeldFrame> holds = new CopyOnWriteArrayList<>();
    private final AtomicLongArray passed = new AtomicLongArray(Direction.values().length);
    private volatile Set<Direction> swallowed = Set.of();
    private volatile long[] delays = new long[Direction.values().length];
    private volatile UnaryOperator<ProxiedFrame> alteration = UnaryOperator.identity();
    private volatile boolean refusing;
    private volatile boolean closed;

    /** Listens on a free port of loopback for connections to this node. */
    public FaultProxy(InetSocketAddress node) {
        this.node = node;
        try {
            listener = new ServerSocket();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a proxy: " + e.getMessage(), e);
        }
        Thread.ofVirtual().name("proxy").start(this::accept);
    }

    /** Returns the address to which clients connect. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        while (!closed) {
            Socket client = null;
            try {
                client = listener.accept();
                connect(client);
            } catch (IOException e) {
                if (client != null) close(client); // the node does not answer, so the proxy does not either
            }
        }
    }

    private void connect(Socket client) throws IOException {
        client.setTcpNoDelay(true);
        if (refusing) {
            client.setSoLinger(true, 0);
            client.close();
            return;
        }
        Socket upstream = new Socket();
        upstream.setTcpNoDelay(true);
        upstream.connect(node);
        ProxiedConnection connection = new ProxiedConnection(this, client, upstream);
        connections.add(connection);
        if (closed || refusing) connection.cut();
        else connection.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // An error of close does not matter.
        }
    }

    // ---- faults

    /** Holds the next matching frame, and all that follow it on its connection in its direction. */
    public HeldFrame hold(Predicate<ProxiedFrame> wanted) {
        HeldFrame held = new HeldFrame(wanted);
        holds.add(held);
        return held;
    }

    /** Delays every frame in this direction by this time, one after the other. */
    public void delay(Direction direction, Duration time) {
        long[] changed = delays.clone();
        changed[direction.ordinal()] = time.toNanos();
        delays = changed;
    }

    /** Ends all connections with a reset at both ends. New ones are accepted. */
    public void cut() {
        for (ProxiedConnection connection : connections) connection.cut();
    }

    /** Ends all connections with a reset, and resets new ones at once until {@link #heal}. */
    public void cutOff() {
        refusing = true;
        cut();
    }

    /** Ends one direction of every connection, as if the sender had closed it. The other direction continues. */
    public void halfClose(Direction direction) {
        for (ProxiedConnection connection : connections) connection.halfClose(direction);
    }

    /** Drops frames in these directions without any error, also on new connections, until {@link #heal}. */
    public void blackHole(Direction... directions) {
        swallowed = EnumSet.copyOf(List.of(directions));
    }

    /** Passes everything on again. Connections that have lost frames cannot continue and are cut. */
    public void heal() {
        swallowed = Set.of();
        delays = new long[Direction.values().length];
        refusing = false;
        for (ProxiedConnection connection : connections) if (connection.isLossy()) connection.cut();
    }

    /** Applies this change to each frame to the node. For tests with a planted bug. */
    void alter(UnaryOperator<ProxiedFrame> change) {
        alteration = change;
    }

    // ---- called by connections

    ProxiedFrame altered(ProxiedFrame frame) {
        return frame.direction() == Direction.TO_NODE ? alteration.apply(frame) : frame;
    }

    HeldFrame caught(ProxiedFrame frame) {
        for (HeldFrame held : holds)
            if (held.claims(frame)) {
                holds.remove(held);
                return held;
            }
        return null;
    }

    boolean swallows(Direction direction) {
        return swallowed.contains(direction);
    }

    long delayNanos(Direction direction) {
        return delays[direction.ordinal()];
    }

    void passed(ProxiedFrame frame) {
        passed.incrementAndGet(frame.direction().ordinal());
    }

    void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }

    // ---- accessors

    /** Returns the number of frames that were passed on. */
    public long passed(Direction direction) {
        return passed.get(direction.ordinal());
    }

    /** Returns the number of connections that are open at one end at least. */
    public int connections() {
        return connections.size();
    }

    /** Cuts all connections and stops listening. Closing twice does nothing. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            // An error of close does not matter.
        }
        cut();
    }
}
