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
 * Stands between one client process and one memory node, on loopback, and passes frames on as they come, until it is told
 * to do something else. Whoever gives each client a proxy of its own chooses by the proxy whom a fault hits. It repeats
 * nothing and turns nothing around: TCP does not either.
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

    /** Listens on a free port of loopback for connections that are meant for this node. */
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

    /** Where clients connect to. */
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
                if (client != null) close(client); // the node does not answer, so nobody does
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
            // It is closed as far as we are concerned.
        }
    }

    // ---- faults

    /** Keeps back the next frame that is wanted, and what follows on its connection in its direction. */
    public HeldFrame hold(Predicate<ProxiedFrame> wanted) {
        HeldFrame held = new HeldFrame(wanted);
        holds.add(held);
        return held;
    }

    /** Every frame in this direction leaves so much later than it came, one after the other. */
    public void delay(Direction direction, Duration time) {
        long[] changed = delays.clone();
        changed[direction.ordinal()] = time.toNanos();
        delays = changed;
    }

    /** All connections end with a reset, at both ends. New ones are welcome. */
    public void cut() {
        for (ProxiedConnection connection : connections) connection.cut();
    }

    /** The same, and new ones end as soon as they begin, until it is healed. */
    public void cutOff() {
        refusing = true;
        cut();
    }

    /** On every connection, one direction ends as if the sender had closed it; the other goes on. */
    public void halfClose(Direction direction) {
        for (ProxiedConnection connection : connections) connection.halfClose(direction);
    }

    /** What comes in these directions is lost, also on new connections, until it is healed. Nobody is told. */
    public void blackHole(Direction... directions) {
        swallowed = EnumSet.copyOf(List.of(directions));
    }

    /** Everything is passed on again. Connections that have lost something cannot go on: they are cut. */
    public void heal() {
        swallowed = Set.of();
        delays = new long[Direction.values().length];
        refusing = false;
        for (ProxiedConnection connection : connections) if (connection.isLossy()) connection.cut();
    }

    /** The node gets what this makes of each frame; for tests with a bug in them. */
    void alter(UnaryOperator<ProxiedFrame> change) {
        alteration = change;
    }

    // ---- for the connections

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

    // ---- asking

    /** Frames that were passed on. */
    public long passed(Direction direction) {
        return passed.get(direction.ordinal());
    }

    /** Connections that are open, at one end at least. */
    public int connections() {
        return connections.size();
    }

    /** Cuts everything and listens no more. Closing twice does nothing. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            // It is closed as far as we are concerned.
        }
        cut();
    }
}
