package tidepool.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeRegion;
import tidepool.node.journal.ChangeSet;
import tidepool.node.security.ClientAuthenticator;
import tidepool.wire.Transport;
import tidepool.wire.Transports;
import tidepool.wire.tls.Rights;

/**
 * The part of a node that reads and executes frames, without sockets: bytes go in, and the state of the node can be
 * checked. It is in the node's package, because all of it is internal; only fuzzing needs it.
 */
public final class FrameHarness {
    private static final long REGION_BYTES = 64 << 10;
    private static final int SESSION = 7;
    private static final NodeLimits LIMITS = new NodeLimits(
            64, 64, 64, 64 << 10, 1 << 20, NodeLimits.DEFAULT.handshake(), NodeLimits.DEFAULT.slowReader());

    private final NodeOptions options;
    private final HostedPools pools;
    private final ConnectionTable connections;
    private final FrameReader reader;
    private HostedPool pool;
    private HostedPool victim;
    private MemorySegment victimBefore;
    private int fed;

    /** @param authenticator authenticates clients */
    public FrameHarness(ClientAuthenticator authenticator) {
        try {
            options = NodeOptions.onLoopback("fuzzed", 0, 16 << 20)
                    .withLimits(LIMITS)
                    .withSecurity(authenticator, Transports.PLAIN);
            NodeCounters counters = new NodeCounters();
            ServerSocketChannel server =
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            NodeLoop loop = new NodeLoop(options, server, counters); // never run: only its clock is used
            pools = new HostedPools(options, new MemoryBudget(options.memoryBytes()), Runnable::run, 0);
            connections = new ConnectionTable(options, counters, pools, null, loop);
            reader = new FrameReader(LIMITS, counters, connections, new ControlExecutor(new AtOnce()));
            server.close();
            start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a pool to which the input may do everything, and one that it must not change. */
    private void start() {
        pool = pools.create("own", new Id128(1, 2), 0, 1, 0);
        victim = pools.create("victim", new Id128(3, 4), 0, 1, 0);
        NodeRegion region = victim.node().openRegion(victim.node().createRegion(REGION_BYTES));
        region.data().fill((byte) 0x5a);
        victimBefore = Arena.ofAuto().allocate(REGION_BYTES);
        MemorySegment.copy(region.data(), 0, victimBefore, 0, REGION_BYTES);
    }

    /** Feeds bytes of a connection that is not authenticated; returns whether it was admitted. */
    public boolean feedStranger(byte[] input) {
        ClientConnection from = connection(input);
        execute(from);
        boolean in = !from.isStranger() && !from.isOver();
        from.close();
        return in;
    }

    /** Returns null if an earlier input has taken or revoked that number, or has filled the table. */
    private HostedSession attached(int session) {
        try {
            return pool.attach(session, 1, 2, 3, 0, 0);
        } catch (MemoryNodeException e) {
            return null;
        }
    }

    /** Feeds bytes of a client that has a session, link 0 and a region on it with handle 0. */
    public void feedClient(byte[] input) {
        if (++fed % 4096 == 0) renew(); // the input frees, allocates and revokes
        ClientConnection from = connection(input);
        from.client = "fuzz";
        from.welcome(Rights.ALL, pool);
        int session = SESSION + fed;
        HostedSession own = attached(session);
        if (own == null) {
            renew();
            return;
        }
        new AtOnce().bind(from, own);
        OpenLink link = new OpenLink(pool.node(), session);
        from.link(0, link);
        NodeRegion region = pool.node().region(0);
        if (region == null) region = pool.node().openRegion(pool.node().createRegion(REGION_BYTES));
        from.open(link, region);
        execute(from);
        own.remove(from, true, 0);
        pool.detach(session);
        from.close();
        MemorySegment data = victim.node().region(0).data();
        if (MemorySegment.mismatch(data, 0, REGION_BYTES, victimBefore, 0, REGION_BYTES) >= 0)
            throw new IllegalStateException("the memory of another pool has changed");
    }

    private void renew() {
        pools.release();
        start();
    }

    private void execute(ClientConnection from) {
        try {
            while (from.read() > 0) reader.execute(from);
        } catch (ConnectionRefusedException e) {
            // The expected answer to bad bytes.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClientConnection connection(byte[] input) {
        return new ClientConnection(fed, new Bytes(input), "fuzz", 1, connections.buffers(), LIMITS.frameBytes(), 0);
    }

    /** Control calls without a thread in addition to the loop. */
    private final class AtOnce implements ControlExecutor.Loop {
        @Override
        public void forgotten(HostedPool hosted, int session) {}

        @Override
        public long nowNanos() {
            return 0;
        }

        @Override
        public void watch(long nanos) {}

        @Override
        public boolean isAllKept() {
            return true;
        }

        @Override
        public void whenKept(ClientConnection from, int sequence, ControlReply reply) {
            reader.reply(from, sequence, reply);
        }

        @Override
        public void later(ClientConnection from, int sequence, Supplier<ControlReply> call, ChangeSet changes) {
            ControlReply reply;
            try {
                reply = call.get();
            } catch (MemoryNodeException e) {
                reply = ControlReply.of(e);
            } catch (FabricException e) {
                reply = ControlReply.of(e);
            }
            reader.reply(from, sequence, reply);
        }

        @Override
        public void bind(ClientConnection connection, HostedSession session) {
            connection.session = session;
            session.add(connection, 0);
        }

        @Override
        public void revoke(HostedPool of, int session) {
            of.revoke(session, 0);
        }

        @Override
        public boolean hasNames() {
            return true;
        }

        @Override
        public String statusText() {
            return "";
        }

        @Override
        public void guessed(ClientConnection from) {
            from.phase = ClientConnection.Phase.CLOSING;
        }
    }

    /** The input as a transport; answers are discarded. */
    private static final class Bytes implements Transport {
        private final MemorySegment input;
        private long at;

        Bytes(byte[] input) {
            this.input = MemorySegment.ofArray(input);
        }

        @Override
        public int read(ByteBuffer into) {
            int bytes = (int) Math.min(into.remaining(), input.byteSize() - at);
            into.put(input.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
            at += bytes;
            return bytes;
        }

        @Override
        public int write(ByteBuffer from) {
            int bytes = from.remaining();
            from.position(from.limit());
            return bytes;
        }

        @Override
        public boolean wantsFlush() {
            return false;
        }

        @Override
        public void flush() {}

        @Override
        public boolean hasBuffered() {
            return at < input.byteSize();
        }

        @Override
        public SocketChannel channel() {
            return null;
        }

        @Override
        public void close() {}
    }
}
