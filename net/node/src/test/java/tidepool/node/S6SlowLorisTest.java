package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.testkit.TestCertificates;
import tidepool.wire.ControlCode;
import tidepool.wire.RefusedCode;
import tidepool.wire.tls.TlsTransports;

/** S6: a client that is slow on purpose holds a place until its time limit, and nothing else. */
class S6SlowLorisTest {
    private static final NodeLimits HASTY =
            new NodeLimits(64, 32, 256, 1 << 20, 256 << 10, Duration.ofMillis(300), Duration.ofMillis(300));

    @TempDir
    private Path folder;

    private Attacked node;

    @AfterEach
    void stop() throws IOException {
        node.close();
    }

    private void start() throws IOException {
        node = new Attacked(NodeOptions.onLoopback("memory-0", 0, 64L << 20).withLimits(HASTY), RawHandshake.ANONYMOUS);
    }

    private void assertCutAsTooSlow(RawClient raw, long times) throws IOException {
        Attacked.assertCut(raw, RefusedCode.TOO_SLOW);
        node.awaitCount(NodeCounter.REFUSED_TOO_SLOW, times);
    }

    /** Nothing, one byte, half a HELLO, a HELLO without a PROOF: each connection is cut at its time limit. */
    @Test
    void ahandshakeThatDoesNotEndIsEnded() throws IOException {
        start();
        byte[] hello = RawHandshake.ANONYMOUS.hello(Attacked.POOL);
        int tried = 0;
        for (int bytes : new int[] {0, 1, hello.length / 2, hello.length}) {
            try (RawClient raw = new RawClient(node.server.address())) {
                raw.send(Arrays.copyOf(hello, bytes));
                assertCutAsTooSlow(raw, ++tried);
            }
        }
        node.assertUnharmed();
    }

    /** Sending single bytes does not extend the time limit, which counts from the accept. */
    @Test
    void oneByteAtATimeDoesNotBuyTime() throws IOException {
        start();
        try (RawClient raw = new RawClient(node.server.address())) {
            byte[] hello = RawHandshake.ANONYMOUS.hello(Attacked.POOL);
            long sent = 0;
            try {
                while (node.count(NodeCounter.REFUSED_TOO_SLOW) == 0 && sent < 1000) {
                    // Never more than a HELLO without its last byte: further bytes would begin another frame.
                    if (sent < hello.length - 1) raw.send(new byte[] {hello[(int) sent]});
                    sent++;
                    Thread.sleep(10);
                }
            } catch (SocketException e) {
                // Cut while sending.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            node.awaitCount(NodeCounter.REFUSED_TOO_SLOW, 1);
        }
        node.assertUnharmed();
    }

    @Test
    void aTlsHandshakeThatDoesNotEndIsEnded() throws IOException {
        TestCertificates made = new TestCertificates(folder).authority("ours").signed("ours", "node");
        start();
        NodeOptions options = NodeOptions.onLoopback("memory-1", 0, 4 << 20)
                .withLimits(HASTY)
                .withSecurity(
                        tidepool.node.security.ClientAuthenticator.OPEN,
                        TlsTransports.forNode(made.certificate("node"), made.key("node"), null));
        try (MemoryServer server = MemoryServer.start(options);
                RawClient raw = new RawClient(server.address())) {
            raw.send(new byte[] {22, 3, 1}); // the beginning of a record
            while (raw.socket.getInputStream().read() >= 0) {
                // An alert, or nothing; then the end.
            }
            assertEquals(1, server.counters().value(NodeCounter.REFUSED_TOO_SLOW));
        } catch (SocketException e) {
            // A reset also ends the connection.
        }
    }

    /** For a client that sends and does not read, the node keeps a limited number of answers, and then cuts it. */
    @Test
    void aReaderThatNeverDrainsIsPutOut() throws IOException {
        start();
        try (RawClient raw = node.insider(RawHandshake.ANONYMOUS)) {
            long handle = raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow)
                    .word(0);
            byte[] greedy = RawClient.round(0, 1, new Verbs().read(handle, 0, Attacked.REGION));
            try {
                for (int i = 0; i < 100_000 && node.count(NodeCounter.REFUSED_TOO_SLOW) == 0; i++) raw.send(greedy);
            } catch (SocketException e) {
                // Cut while sending.
            }
            node.awaitCount(NodeCounter.REFUSED_TOO_SLOW, 1);
        }
        assertTrue(node.count(NodeCounter.ROUNDS) < 100_000);
        node.assertUnharmed();
    }
}
