package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.testkit.ChildProcess;
import tidepool.wire.ControlCode;
import tidepool.wire.Frame;

/** S11: the memory and places of all connections together are limited, and connections that hold little are served. */
class S11MemoryTest {
    private static final int MIB = 1 << 20;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int UNSENT = 4 * MIB;

    /** Bytes that one connection may add in its turn before the limit is checked. */
    private static final long SLACK = UNSENT + 4L * MIB;

    private final List<RawClient> hostile = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawClient raw : hostile) raw.close();
    }

    private static MemoryServer server(long connectionBytes) {
        NodeLimits limits =
                new NodeLimits(400, 400, 4096, MIB, UNSENT, LONG, LONG).withConnectionBytes(connectionBytes);
        return MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64 * MIB)
                .withLease(LONG, LONG)
                .withLimits(limits));
    }

    private static long held(MemoryServer server) {
        return server.status().counts().get("connection-bytes-now");
    }

    private static void until(java.util.function.BooleanSupplier event) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!event.getAsBoolean() && System.nanoTime() < deadline) Thread.onSpinWait();
        assertTrue(event.getAsBoolean());
    }

    private static void assertWorks(RawClient good, long handle) throws IOException {
        assertEquals(
                0,
                good.round(new Verbs().write(handle, 0, 7).read(handle, 0, 8)).status());
    }

    /** Sends bytes of a greedy client. Returns false if the node cut its connection while it was sending. */
    private static boolean sent(RawClient greedy, byte[] bytes) {
        try {
            greedy.send(bytes);
            return true;
        } catch (IOException cut) {
            return false;
        }
    }

    @Test
    void unreadAnswersAreBoundedTogether() throws IOException {
        long limit = 8 * MIB;
        try (MemoryServer server = server(limit);
                RawClient good = RawClient.attached(server, "bank", 1)) {
            RawClient.Answer region = good.control(ControlCode.CREATE_REGION, MIB);
            long handle = good.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            for (int i = 0; i < 40; i++) {
                RawClient greedy = RawClient.attached(server, "bank", 2 + i);
                hostile.add(greedy);
                long own = greedy.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                        .word(0);
                for (int n = 0; n < 16; n++)
                    if (!sent(greedy, RawClient.round(0, n, new Verbs().read(own, 0, 512 << 10)))) break;
                assertWorks(good, handle);
                assertTrue(held(server) <= limit + SLACK, "held=" + held(server));
            }
            until(() -> server.counters().value(NodeCounter.REFUSED_LIMIT) > 20);
            until(() -> held(server) <= limit);
            assertWorks(good, handle);
        }
    }

    @Test
    void framesThatNeverEndAreBoundedTogether() throws IOException {
        long limit = 8 * MIB;
        try (MemoryServer server = server(limit);
                RawClient good = RawClient.attached(server, "bank", 1)) {
            long handle = good.region(4096);
            byte[] begun = new byte[200 << 10];
            byte[] header = RawClient.frame(Frame.ROUND, 1, 0, 0, new byte[0]);
            header[2] = 16; // a frame of a mebibyte
            header[0] = 0;
            System.arraycopy(header, 0, begun, 0, header.length);
            for (int i = 0; i < 40; i++) {
                RawClient greedy = RawClient.attached(server, "bank", 2 + i);
                hostile.add(greedy);
                sent(greedy, begun);
                assertWorks(good, handle);
                assertTrue(held(server) <= limit + SLACK, "held=" + held(server));
            }
            until(() -> server.counters().value(NodeCounter.REFUSED_LIMIT) > 20);
            assertWorks(good, handle);
        }
    }

    /** Links with regions are opened without end, under the smallest right. */
    @Test
    void linksAndTheirRegionsAreBoundedTogether() throws IOException {
        long limit = 2 * MIB;
        try (MemoryServer server = server(limit);
                RawClient good = RawClient.attached(server, "bank", 1)) {
            long handle = good.region(4096);
            for (int i = 0; i < 3; i++) {
                RawClient greedy = RawClient.attached(server, "bank", 2 + i);
                hostile.add(greedy);
                byte[] batch = new byte[1000 * 32];
                for (int link = 0; link < 60_000; link += 1000) {
                    for (int n = 0; n < 1000; n++) {
                        byte[] open = RawClient.frame(
                                Frame.CONTROL, 2, 0, 1, RawClient.words(ControlCode.OPEN_LINK, link + n));
                        System.arraycopy(open, 0, batch, n * open.length, open.length);
                    }
                    try {
                        greedy.send(batch);
                        for (int n = 0; n < 1000; n++) greedy.answer();
                    } catch (IOException e) {
                        break; // the connection was cut, as expected
                    }
                    assertTrue(held(server) <= limit + SLACK, "held=" + held(server));
                }
            }
            assertEquals(3, server.counters().value(NodeCounter.REFUSED_LIMIT));
            assertWorks(good, handle);
        }
    }

    /** All regions are opened on each link. The links alone would take a twentieth of the limit. */
    @Test
    void regionsOfLinksAreBoundedTogether() throws IOException {
        long limit = 2 * MIB;
        int regions = 129; // a link then has room for 256
        int maxLinks = 700;
        try (MemoryServer server = server(limit);
                RawClient good = RawClient.attached(server, "bank", 1)) {
            long handle = good.region(4096);
            long[][] capabilities = new long[regions][];
            for (int i = 0; i < regions; i++) {
                RawClient.Answer region = good.control(ControlCode.CREATE_REGION, 4096);
                capabilities[i] = new long[] {region.word(0), region.word(1)};
            }
            RawClient greedy = RawClient.attached(server, "bank", 2);
            hostile.add(greedy);
            for (int link = 0; link < maxLinks; link++) {
                ByteArrayOutputStream batch = new ByteArrayOutputStream();
                batch.write(control(ControlCode.OPEN_LINK, link));
                for (long[] capability : capabilities)
                    batch.write(control(ControlCode.OPEN_REGION, link, capability[0], capability[1]));
                try {
                    greedy.send(batch.toByteArray());
                    for (int n = 0; n <= regions; n++) greedy.answer();
                } catch (IOException e) {
                    break; // the connection was cut, as expected
                }
                assertTrue(held(server) <= limit + SLACK, "held=" + held(server));
            }
            assertEquals(1, server.counters().value(NodeCounter.REFUSED_LIMIT));
            assertWorks(good, handle);
        }
    }

    private static byte[] control(long... words) {
        return RawClient.frame(Frame.CONTROL, words.length, 0, 1, RawClient.words(words));
    }

    /**
     * Silent sockets of one address do not lock out new clients of another address, nor a client that authenticated
     * earlier.
     */
    @Test
    void silentSocketsOfOneAddressLockNoOtherClientOut() throws IOException {
        List<Socket> silent = new ArrayList<>();
        NodeLimits limits = new NodeLimits(1024, 1024, 4096, MIB, UNSENT, LONG, LONG).withStrangersPerAddress(64);
        try (MemoryServer server = MemoryServer.start(
                        NodeOptions.onLoopback("memory-0", 0, 64 * MIB).withLimits(limits));
                RawClient early = RawClient.attached(server, "bank", 1)) {
            long handle = early.region(4096);
            InetAddress attacker = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
            for (int i = 0; i < 300; i++) {
                Socket socket = new Socket();
                socket.bind(new InetSocketAddress(attacker, 0));
                socket.connect(server.address());
                silent.add(socket);
            }
            until(() -> server.counters().value(NodeCounter.CONNECTIONS_ACCEPTED) == 301);
            until(() -> server.counters().value(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE) >= 300 - 64);
            assertEquals(300 - 64, server.counters().value(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE));
            for (int i = 0; i < 100; i++) hostile.add(RawClient.known(server, "bank"));
            assertWorks(early, handle);
        } finally {
            for (Socket socket : silent) socket.close();
        }
    }

    /**
     * A node as a process with a small heap stays within its limits while 120 connections do not read their answers.
     */
    @Test
    void theProcessStaysSmall() throws IOException, InterruptedException {
        List<String> options =
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx48m", "--enable-native-access=ALL-UNNAMED");
        try (ChildProcess node = ChildProcess.jvm(options, SmallNode.class).start()) {
            String port = node.line();
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
            RawClient good = RawClient.attached(address, "bank", 1);
            hostile.add(good);
            RawClient.Answer region = good.control(ControlCode.CREATE_REGION, MIB);
            long handle = good.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            for (int i = 0; i < 120; i++) {
                RawClient greedy = RawClient.attached(address, "bank", 2 + i);
                hostile.add(greedy);
                long own = greedy.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                        .word(0);
                for (int n = 0; n < 24; n++)
                    if (!sent(greedy, RawClient.round(0, n, new Verbs().read(own, 0, 512 << 10)))) break;
                assertWorks(good, handle);
            }
            long mebibytes = peakMebibytes(node.pid());
            assertTrue(mebibytes < 64 + 32 + 48 + 160, "regions, connections, heap and the JVM: " + mebibytes);
            assertTrue(node.isAlive());
            assertWorks(good, handle);
        }
    }

    private static long peakMebibytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status")))
            if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
        throw new IOException("no VmHWM");
    }

    /** The main class of a node with at most 64 MiB of regions and 32 MiB for connections. */
    static final class SmallNode {
        private SmallNode() {}

        public static void main(String[] args) {
            NodeLimits limits = NodeLimits.DEFAULT.withConnectionBytes(32L << 20);
            MemoryServer server = MemoryServer.start(
                    NodeOptions.onLoopback("memory-0", 0, 64L << 20).withLimits(limits));
            System.out.println(server.address().getPort());
            server.awaitEnd();
        }
    }

    /** The death of a thread that the node needs ends the node. It is reported first, and the port is released. */
    @Test
    void anErrorInTheLoopEndsTheNode() {
        AtomicReference<Throwable> told = new AtomicReference<>();
        MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, 64 * MIB), told::set);
        server.tell(() -> {
            throw new OutOfMemoryError("as if");
        });
        server.status();
        server.close();
        assertEquals("as if", told.get().getMessage());
        assertFalse(isOpen(server.address()));
    }

    private static boolean isOpen(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
