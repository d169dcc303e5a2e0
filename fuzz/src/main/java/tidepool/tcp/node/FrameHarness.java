package tidepool.tcp.node;

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
import tidepool.tcp.journal.Changes;
import tidepool.tcp.secure.Gate;
import tidepool.tcp.secure.Rights;
import tidepool.tcp.wire.Transport;
import tidepool.tcp.wire.Transports;

/**
 * The part of a node that reads and carries out frames, without sockets: bytes go in, and what the node did can be looked
 * at. Lies in the node's package, because none of it is anybody else's business; only fuzzing needs it.
 */
public final class FrameHarness {
    private static final long REGION_BYTES = 64 << 10;
    private static final int SESSION = 7;
    private static final NodeLimits LIMITS = new NodeLimits(
            64, 64, 64, 64 << 10, 1 << 20, NodeLimits.DEFAULT.handshake(), NodeLimits.DEFAULT.slowReader());

    private final NodeOptions options;
    private final HostedPools pools;
    private final Connections connections;
    private final Frames frames;
    private HostedPool pool;
    private HostedPool victim;
    private MemorySegment victimBefore;
    private int fed;

    /** @param gate who may come in */
    public FrameHarness(Gate gate) {
        try {
            options = NodeOptions.onLoopback("fuzzed", 0, 16 << 20)
                    .withLimits(LIMITS)
                    .withSecurity(gate, Transports.PLAIN);
            NodeCounters counters = new NodeCounters();
            ServerSocketChannel server =
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            NodeLoop loop = new NodeLoop(options, server, counters); // never run: only its clock is used
            pools = new HostedPools(options, new MemoryBudget(options.memoryBytes()), Runnable::run, 0);
            connections = new Connections(options, counters, pools, null, loop);
            frames = new Frames(LIMITS, counters, connections, new ControlExecutor(new AtOnce()));
            server.close();
            start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pool that the input may do everything to, and one that it must not touch. */
    private void start() {
        pool = pools.create("own", new Id128(1, 2), 0, 1, 0);
        victim = pools.create("victim", new Id128(3, 4), 0, 1, 0);
        NodeRegion region = victim.node().openRegion(victim.node().createRegion(REGION_BYTES));
        region.data().fill((byte) 0x5a);
        victimBefore = Arena.ofAuto().allocate(REGION_BYTES);
        MemorySegment.copy(region.data(), 0, victimBefore, 0, REGION_BYTES);
    }

    /** Feeds a stranger's bytes; whether they got in. */
    public boolean feedStranger(byte[] input) {
        Connection from = connection(input);
        carryOut(from);
        boolean in = !from.isStranger() && !from.isOver();
        from.close();
        return in;
    }

    /** Null if an earlier input has taken or revoked that number, or has filled the table. */
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
        Connection from = connection(input);
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
        carryOut(from);
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

    private void carryOut(Connection from) {
        try {
            while (from.read() > 0) frames.carryOut(from);
        } catch (Refused e) {
            // As it should be.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Connection connection(byte[] input) {
        return new Connection(fed, new Bytes(input), "fuzz", 1, connections.buffers(), LIMITS.frameBytes(), 0);
    }

    /** Control calls without a thread beside the loop. */
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
        public void whenKept(Connection from, int sequence, ControlReply reply) {
            frames.reply(from, sequence, reply);
        }

        @Override
        public void later(Connection from, int sequence, Supplier<ControlReply> call, Changes changes) {
            ControlReply reply;
            try {
                reply = call.get();
            } catch (MemoryNodeException e) {
                reply = ControlReply.of(e);
            } catch (FabricException e) {
                reply = ControlReply.of(e);
            }
            frames.reply(from, sequence, reply);
        }

        @Override
        public void bind(Connection connection, HostedSession session) {
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
        public void guessed(Connection from) {
            from.phase = Connection.Phase.CLOSING;
        }
    }

    /** The input as a transport; what is answered is thrown away. */
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
