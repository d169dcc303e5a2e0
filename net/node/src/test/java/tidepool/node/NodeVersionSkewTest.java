package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.tcp.probe.NodeProbe;
import tidepool.wire.Frame;
import tidepool.wire.HostPort;
import tidepool.wire.RefusedCode;

/** A node refuses a client of another release with a sentence that names both versions. */
class NodeVersionSkewTest {
    private static final int VERSION = Frame.HEADER + Long.BYTES;

    /** For an older client and for a newer one. */
    @Test
    void aNodeRefusesAClientOfAnotherVersion() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            for (int version : new int[] {0, Frame.VERSION + 6, -1}) {
                String sentence = refusal(server, version);
                assertTrue(
                        sentence.contains("version " + Integer.toUnsignedString(version) + " of the wire"), sentence);
                assertTrue(sentence.contains("version " + Frame.VERSION), sentence);
            }
            assertEquals(3, server.counters().value(NodeCounter.REFUSED_VERSION));
            // Other clients are not affected.
            HostPort node = new HostPort("127.0.0.1", server.address().getPort());
            NodeProbe.status(node, NodeProbe.Asker.ANONYMOUS, Duration.ofSeconds(60));
        }
    }

    /** Returns the node's refusal of a HELLO of that version. */
    private static String refusal(MemoryServer server, int version) throws IOException {
        byte[] hello = RawClient.hello("", "", 0, 1, new Id128(0, 0));
        ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).putInt(VERSION, version);
        try (RawClient client = new RawClient(server.address())) {
            client.send(hello);
            RawClient.Answer answer = client.read();
            assertEquals(Frame.REFUSED, answer.kind());
            assertEquals(RefusedCode.VERSION, answer.status());
            assertNull(client.readOrEnd(), "the node hangs up");
            return answer.text();
        }
    }
}
