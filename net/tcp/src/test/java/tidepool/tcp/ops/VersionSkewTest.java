package tidepool.tcp.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeCounter;
import tidepool.tcp.node.NodeOptions;
import tidepool.tcp.wire.Frame;
import tidepool.tcp.wire.RefusedCode;

/** A client and a node of different releases: either refuses the other with a sentence that names both versions. */
class VersionSkewTest {
    private static final int OTHER = Frame.VERSION + 6;

    /** For an older client and for a newer one. */
    @Test
    void aNodeRefusesAClientOfAnotherVersion() throws Exception {
        try (MemoryServer server = MemoryServer.start(NodeOptions.onLoopback("n1", 0, 64 << 20))) {
            for (int version : new int[] {0, OTHER, -1}) {
                String sentence = refusal(server.address().getPort(), version);
                assertTrue(
                        sentence.contains("version " + Integer.toUnsignedString(version) + " of the wire"), sentence);
                assertTrue(sentence.contains("version " + Frame.VERSION), sentence);
            }
            assertEquals(3, server.counters().value(NodeCounter.REFUSED_VERSION));
            // Other clients are not affected.
            HostPort node = new HostPort("127.0.0.1", server.address().getPort());
            NodeProbe.status(node, NodeProbe.Asker.ANYBODY, Duration.ofSeconds(60));
        }
    }

    @Test
    void aClientRefusesANodeOfAnotherVersion() throws Exception {
        try (FakeNode node = new FakeNode(FakeNode.challenge(OTHER))) {
            String sentence = openingFails(node);
            assertTrue(sentence.contains("version " + OTHER + " of the wire"), sentence);
            assertTrue(sentence.contains("" + Frame.VERSION), sentence);
        }
    }

    /** Here the node detects the mismatch, and the user reads its sentence. */
    @Test
    void aClientTellsWhatTheNodeSaid() throws Exception {
        String said = "this node speaks version 7 of the wire, the client version 1";
        try (FakeNode node = new FakeNode(FakeNode.refused(RefusedCode.VERSION, said))) {
            String sentence = openingFails(node);
            assertTrue(sentence.contains(said), sentence);
        }
    }

    private static String openingFails(FakeNode node) {
        return assertThrows(FabricException.class, () -> Fabric.open("tcp://127.0.0.1:" + node.port() + "/p"))
                .getMessage();
    }

    /** Returns the node's refusal of a HELLO of that version. */
    private static String refusal(int port, int version) throws Exception {
        byte[] body = new byte[8 + 4 * 4 + 16 + Frame.NONCE_BYTES + 8];
        ByteBuffer hello = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        hello.putLong(Frame.MAGIC).putInt(version).putInt(0).putInt(1);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(FakeNode.frame(Frame.HELLO, 0, 0, body));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(Frame.HEADER)).order(ByteOrder.LITTLE_ENDIAN);
            byte[] rest = in.readNBytes(head.getInt(Frame.BYTES) - Frame.HEADER);
            assertEquals(Frame.REFUSED, head.get(Frame.KIND));
            assertEquals(RefusedCode.VERSION, head.get(Frame.STATUS));
            assertEquals(-1, in.read(), "the node hangs up");
            return new String(rest, 0, head.getShort(Frame.COUNT), StandardCharsets.UTF_8);
        }
    }
}
