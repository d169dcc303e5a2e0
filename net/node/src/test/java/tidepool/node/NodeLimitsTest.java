package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/** The limits on a node's resources, and the release of all resources when connections end. */
class NodeLimitsTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final long MEMORY = 16L << 20;

    private static MemoryServer server(NodeLimits limits) {
        return MemoryServer.start(NodeOptions.onLoopback("memory-0", 0, MEMORY)
                .withLease(LONG, LONG)
                .withLimits(limits));
    }

    private static NodeLimits limits(
            int connections, int perClient, int unsentBytes, Duration handshake, Duration slow) {
        return new NodeLimits(connections, perClient, 4096, 1 << 16, unsentBytes, handshake, slow);
    }

    private static void until(BooleanSupplier event) throws IOException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (!event.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new IOException("it did not happen");
            Thread.onSpinWait();
        }
    }

    @Test
    void whoNeverFinishesTheHandshakeIsPutOut() throws IOException {
        try (MemoryServer server = server(limits(100, 100, 1 << 20, Duration.ofMillis(50), LONG));
                RawClient silent = new RawClient(server.address());
                RawClient half = new RawClient(server.address())) {
            half.send(RawClient.hello("teller", "bank", 0, 1, new Id128(0, 0)));
            assertEquals(Frame.CHALLENGE, half.read().kind());
            half.send(new byte[] {48});
            assertEquals(RefusedCode.TOO_SLOW, silent.read().status());
            assertEquals(RefusedCode.TOO_SLOW, half.read().status());
            assertNull(half.readOrEnd());
        }
    }

    @Test
    void aFloodOfConnectionsIsTurnedAwayAndThoseWhoAreInGoOn() throws IOException {
        try (MemoryServer server = server(limits(20, 20, 1 << 20, LONG, LONG));
                RawClient in = RawClient.attached(server, "bank", 1)) {
            long handle = in.region(4096);
            List<RawClient> flood = new ArrayList<>();
            for (int i = 0; i < 40; i++) flood.add(new RawClient(server.address()));
            until(() -> server.counters().value(NodeCounter.CONNECTIONS_ACCEPTED) == 41);
            assertEquals(0, in.round(new Verbs().read(handle, 0, 8)).status());
            assertEquals(32, server.counters().value(NodeCounter.CONNECTIONS_REFUSED_AT_ONCE), "8 strangers at most");
            RawClient.Answer last = flood.get(39).read();
            assertEquals(RefusedCode.LIMIT, last.status());
            for (RawClient one : flood) one.close();
            until(() -> server.status().counts().get("connections-now") == 1);
            try (RawClient later = RawClient.known(server, "bank")) {
                assertEquals(1, later.control(ControlCode.EPOCH).word(0));
            }
        }
    }

    @Test
    void oneClientHasOnlySoManyConnections() throws IOException {
        try (MemoryServer server = server(limits(100, 2, 1 << 20, LONG, LONG));
                RawClient first = RawClient.known(server, "bank")) {
            RawClient second = RawClient.known(server, "bank");
            IOException refused = assertThrows(IOException.class, () -> RawClient.known(server, "bank"));
            assertTrue(refused.getMessage().contains("all its 2 connections"), refused.getMessage());
            second.close();
            until(() -> server.status().clients().size() == 1);
            RawClient.known(server, "bank").close();
            assertEquals(1, first.control(ControlCode.EPOCH).word(0));
        }
    }

    /** A client sends and never reads: its further frames are not executed, and then it is cut. */
    @Test
    void aReaderThatDoesNotDrainIsCutAndItsMemoryComesBack() throws IOException {
        int unsent = 1 << 18;
        try (MemoryServer server = server(limits(100, 100, unsent, LONG, Duration.ofMillis(200)));
                RawClient good = RawClient.attached(server, "bank", 1);
                RawClient slow = RawClient.attached(server, "bank", 2)) {
            long handle = good.region(1 << 16);
            slow.region(4096);
            slow.socket.setReceiveBufferSize(4096);
            byte[] ask = RawClient.round(0, 1, new Verbs().read(0, 0, 4096));
            Thread flood = Thread.ofPlatform().start(() -> {
                try {
                    while (true) slow.send(ask);
                } catch (IOException e) {
                    // the connection was cut, as expected
                }
            });
            until(() -> server.counters().value(NodeCounter.REFUSED_TOO_SLOW) == 1);
            assertEquals(0, good.round(new Verbs().read(handle, 0, 8)).status());
            until(() -> !flood.isAlive());
            until(() -> server.status().clients().size() == 1);
            until(() -> server.status().counts().get("blocks-now") == 0);
        }
    }

    @Test
    void memoryIsLimitedAndComesBack() throws IOException {
        try (MemoryServer server = server(NodeLimits.DEFAULT);
                RawClient client = RawClient.attached(server, "bank", 1)) {
            long base = server.status().memoryUsed();
            RawClient.Answer region = client.control(ControlCode.CREATE_REGION, 8 << 20);
            assertEquals(0, region.status());
            RawClient.Answer full = client.control(ControlCode.CREATE_REGION, 8 << 20);
            assertEquals(ControlStatus.FULL, full.status());
            assertTrue(full.text().contains("memory is used up"), full.text());
            assertEquals(
                    ControlStatus.ARGUMENT,
                    client.control(ControlCode.CREATE_REGION, -1).status());
            long handle = client.control(ControlCode.OPEN_REGION, 0, region.word(0), region.word(1))
                    .word(0);
            assertEquals(0, client.round(new Verbs().write(handle, 0, 1)).status());
            assertEquals(
                    0,
                    client.control(ControlCode.FREE_REGION, region.word(0), region.word(1))
                            .status());
            assertEquals(3, client.round(new Verbs().write(handle, 0, 1)).status(), "KEY");
            assertEquals(base, server.status().memoryUsed());
            assertEquals(0, client.control(ControlCode.CREATE_REGION, 8 << 20).status());
        }
    }

    /** All memory of a connection is released when it ends, whatever it had sent. */
    @Test
    void everythingComesBackWhenAConnectionEnds() throws IOException {
        try (MemoryServer server = server(NodeLimits.DEFAULT);
                RawClient stays = RawClient.known(server, "bank")) {
            for (int i = 1; i <= 20; i++) {
                RawClient client = RawClient.attached(server, "bank", i);
                client.region(4096);
                byte[] frame =
                        RawClient.round(0, 1, new Verbs().read(0, 0, 4096).write(0, 0, 1, 2, 3));
                client.send(frame);
                client.send(java.util.Arrays.copyOf(frame, i)); // and the beginning of another one
                if (i % 2 == 0) client.answer();
                client.close();
            }
            until(() -> server.status().counts().get("connections-now") == 1);
            assertEquals(0, server.status().counts().get("blocks-now"));
            assertEquals(1, stays.control(ControlCode.EPOCH).word(0));
        }
    }

    @Test
    void aNodeThatStopsSaysSoAndFinishesWhatItHas() throws IOException {
        MemoryServer server = server(NodeLimits.DEFAULT);
        try (RawClient client = RawClient.attached(server, "bank", 1)) {
            long handle = client.region(4096);
            for (int i = 0; i < 100; i++) client.send(RawClient.round(0, i, new Verbs().faa(handle, 0, 1)));
            server.close();
            int answered = 0;
            RawClient.Answer next = client.answer();
            for (; next.kind() == Frame.ANSWER; next = client.answer()) assertEquals(answered++, next.word(0));
            assertEquals(100, answered);
            assertEquals(RefusedCode.STOPPING, next.status());
            assertNull(client.readOrEnd());
        }
        server.awaitEnd();
        assertThrows(IOException.class, () -> new RawClient(server.address()).close());
    }

    @Test
    void beyondLoopbackItDoesNotListenWithoutCredentials() {
        NodeOptions open =
                NodeOptions.onLoopback("memory-0", 0, MEMORY).withListen(new InetSocketAddress("0.0.0.0", 0));
        FabricException refused = assertThrows(FabricException.class, () -> MemoryServer.start(open));
        assertTrue(refused.getMessage().contains("needs credentials"), refused.getMessage());
    }
}
