package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Clock;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.wire.AdaptiveSpin;
import tidepool.wire.FlushGuarantee;
import tidepool.wire.Frame;
import tidepool.wire.PlainTransport;
import tidepool.wire.Transport;
import tidepool.wire.tls.Rights;

/** Silence of nodes, time-outs and reading on a connection. */
class NodeConnectionTest {
    private static final long SECOND = 1_000_000_000;

    /**
     * A heartbeat thread that resumes after a long time has not read meanwhile. Frames of the node may lie unread, so
     * its silence counts anew.
     */
    @Test
    void whoStoodStillListensAnew() throws IOException, InterruptedException {
        long lease = 200_000_000;
        try (ServerSocketChannel mute = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
                SocketChannel channel = SocketChannel.open(mute.getLocalAddress())) {
            channel.configureBlocking(false);
            Endpoint endpoint = new Endpoint(1, SECOND, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {});
            NodeConnection connection = new NodeConnection(
                    0,
                    new PlainTransport(channel),
                    new WelcomeMessage(
                            "node", new Id128(1, 2), 1, 1 << 16, 1 << 16, lease, Rights.ALL, FlushGuarantee.POWER),
                    endpoint.listener());
            endpoint.use(connection);
            endpoint.beat();
            endpoint.breakSilent(lease);
            endpoint.breakSilent(lease);
            Thread.sleep(lease / 500_000); // longer than the pause of a heartbeat thread that runs

            endpoint.breakSilent(lease);

            assertTrue(connection.isUp(), connection.why());
            while (connection.isUp()) {
                endpoint.breakSilent(lease);
                Thread.sleep(lease / 8_000_000);
            }
            assertEquals("node 0 has not been heard for 200 ms", connection.why());
            endpoint.close();
        }
    }

    /**
     * The time-outs of a process that was suspended, possibly with its nodes, begin anew. No request fails because of
     * the suspension.
     */
    @Test
    void whoStoodStillWaitsAnew() {
        Endpoint endpoint = new Endpoint(1, 10 * SECOND, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {});
        AnswerDispatcher dispatcher = new AnswerDispatcher(endpoint, new SuspectedSessions());
        NodeConnection connection = new NodeConnection(
                0,
                null,
                new WelcomeMessage("node", new Id128(1, 2), 1, 1 << 16, 16, SECOND, Rights.ALL, FlushGuarantee.POWER),
                dispatcher);
        EndpointReader reader = new EndpointReader(
                endpoint,
                new NodeConnection[] {connection},
                dispatcher,
                null,
                AdaptiveSpin.of(0),
                EndpointReader.MAX_SELECT_NANOS);
        long began = Clock.system().nowNanos();
        ControlCall call = new ControlCall(1);
        call.begin();
        call.deadlineNanos = began + 10 * SECOND;
        connection.control(call);
        call.allSent();
        connection.flights.show();

        reader.expire(began + 30 * SECOND);

        assertFalse(call.isDone(), call.text);
        for (long half = 61; half < 80; half++) reader.expire(began + half * SECOND / 2);
        assertFalse(call.isDone(), call.text);
        reader.expire(began + 40 * SECOND);
        assertTrue(call.isDone());
        assertTrue(call.text.startsWith("no answer in time from node 0, which was heard "), call.text);
    }

    /** A frame that waits for room has its time-out renewed. Otherwise its round would fail without being sent. */
    @Test
    void whoStoodStillWaitsAnewForRoom() {
        Endpoint endpoint = new Endpoint(1, 10 * SECOND, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {});
        AnswerDispatcher dispatcher = new AnswerDispatcher(endpoint, new SuspectedSessions());
        NodeConnection connection = fullConnection(dispatcher);
        EndpointReader reader = new EndpointReader(
                endpoint,
                new NodeConnection[] {connection},
                dispatcher,
                null,
                AdaptiveSpin.of(0),
                EndpointReader.MAX_SELECT_NANOS);
        long began = Clock.system().nowNanos();
        ControlCall call = waiting(connection, began + 10 * SECOND);

        reader.expire(began + 30 * SECOND);

        assertFalse(call.isDone(), call.text);
        for (long half = 61; half < 80; half++) reader.expire(began + half * SECOND / 2);
        assertFalse(call.isDone(), call.text);
        reader.expire(began + 40 * SECOND);
        assertTrue(call.isDone());
        assertEquals("too much is under way to node 0", call.text);
        assertFalse(connection.isBacklogged());
    }

    /** A round with a deadline of its own never succeeds after it, whether it was sent or waited for room. */
    @Test
    void whoStoodStillKeepsTheDeadlineOfARound() throws IOException {
        try (FakeNode node = new FakeNode();
                Fabric fabric = Fabric.open(node.url());
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(new Id128(5, 6));
            NodeConnection connection = fullConnection(FrameListener.NONE);
            long began = Clock.system().nowNanos();
            PendingRound own = PendingRound.of(
                    lane.round(1).read(region, 0, 8, lane.landing(8), 0).deadline(SECOND));
            own.begin();
            own.deadlineNanos = began + SECOND;
            own.sent();
            connection.enqueue(new Unsent(own, (TcpLink) region.link(), 0, 0));
            own.allSent();
            ControlCall call = waiting(connection, began + SECOND);

            List<Unsent> late = connection.expired(began + 30 * SECOND, true, 10 * SECOND);

            assertEquals(
                    List.of(own), late.stream().map(unsent -> unsent.pending).toList());
            assertEquals(call, connection.nextUnsent().pending);
            assertEquals(began + 40 * SECOND, call.deadlineNanos);
        }
    }

    /** Returns a connection whose ring of flights is full, except for the place of a BEAT. */
    private static NodeConnection fullConnection(FrameListener listener) {
        WelcomeMessage welcome =
                new WelcomeMessage("node", new Id128(1, 2), 1, 1 << 16, 2, SECOND, Rights.ALL, FlushGuarantee.POWER);
        NodeConnection connection = new NodeConnection(0, null, welcome, listener);
        ControlCall first = new ControlCall(1);
        first.begin();
        first.deadlineNanos = Long.MAX_VALUE;
        assertTrue(connection.hasRoom());
        connection.control(first);
        first.allSent();
        connection.flights.show();
        assertFalse(connection.hasRoom());
        return connection;
    }

    /** Returns a control call that waits for room. */
    private static ControlCall waiting(NodeConnection connection, long deadlineNanos) {
        ControlCall call = new ControlCall(2);
        call.begin();
        call.deadlineNanos = deadlineNanos;
        call.sent();
        connection.enqueue(new Unsent(call));
        call.allSent();
        return call;
    }

    /**
     * One thread polls all endpoints of a process and renews the leases of all sessions. It must survive the close of
     * one endpoint.
     */
    @Test
    void aPortThatIsClosedHasNothingToSay() {
        Endpoint endpoint = new Endpoint(1, 10 * SECOND, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {});
        endpoint.close();

        endpoint.poll();
        endpoint.readFor(1);
    }

    /**
     * A selector does not see bytes that TLS has decrypted. A reader that takes in one record therefore takes in those
     * after it.
     */
    @Test
    void recordsThatAreDecryptedAlreadyAreTakenInAtOnce() throws IOException {
        byte[] reply = FakeNode.frame(Frame.REPLY, 1, 0, 1, FakeNode.words(5));
        Records records = new Records(new ArrayDeque<>());
        for (int at = 0; at < reply.length; at += 8) records.left.add(Arrays.copyOfRange(reply, at, at + 8));
        Endpoint endpoint = new Endpoint(1, SECOND, AdaptiveSpin.of(0), null, new SuspectedSessions(), () -> {});
        NodeConnection connection = new NodeConnection(
                0,
                records,
                new WelcomeMessage("node", new Id128(1, 2), 1, 1 << 16, 16, SECOND, Rights.ALL, FlushGuarantee.POWER),
                endpoint.listener());
        ControlCall call = new ControlCall(1);
        call.begin();
        connection.control(call);
        call.allSent();
        connection.flights.show();

        assertTrue(connection.receive());

        assertTrue(call.isDone(), "records left: " + records.left.size());
    }

    /** A TLS transport whose records have all arrived; each read returns one. */
    private record Records(Deque<byte[]> left) implements Transport {
        @Override
        public int read(ByteBuffer into) {
            if (left.isEmpty()) return 0;
            byte[] record = left.removeFirst();
            into.put(record);
            return record.length;
        }

        @Override
        public int write(ByteBuffer from) {
            int taken = from.remaining();
            from.position(from.limit());
            return taken;
        }

        @Override
        public boolean wantsFlush() {
            return false;
        }

        @Override
        public void flush() {}

        @Override
        public boolean hasBuffered() {
            return !left.isEmpty();
        }

        @Override
        public SocketChannel channel() {
            return null;
        }

        @Override
        public void close() {}
    }

    /**
     * A connection that was idle for an hour does not mean a silent node. Neither does a process that was suspended and
     * has sent nothing.
     */
    @Test
    void aNodeIsSilentFromWhenItIsKnownToOweSomething() {
        NodeConnection connection = new NodeConnection(
                0,
                null,
                new WelcomeMessage("node", new Id128(1, 2), 1, 1 << 16, 16, SECOND, Rights.ALL, FlushGuarantee.POWER),
                null);
        long now = Clock.system().nowNanos() + 3600 * SECOND;
        assertEquals(0, connection.silentNanos(now));

        connection.flights.next().set(null, null, 1);
        connection.flights.added();
        connection.flights.show();

        assertEquals(0, connection.silentNanos(now + 10 * SECOND));
        assertEquals(2 * SECOND, connection.silentNanos(now + 12 * SECOND));
        connection.flights.taken();
        assertEquals(0, connection.silentNanos(now + 13 * SECOND));
    }
}
