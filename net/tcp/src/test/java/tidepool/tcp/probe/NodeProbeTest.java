package tidepool.tcp.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tidepool.wire.Frame;
import tidepool.wire.HostPort;
import tidepool.wire.RefusedCode;

/** Probes of faulty or foreign servers: every failure is a sentence. */
class NodeProbeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] CHALLENGE = ScriptedNode.challenge(Frame.VERSION);
    private static final byte[] WELCOME = ScriptedNode.frame(Frame.WELCOME, 0, 7, new byte[7 * 8]);

    @Test
    void theStatusIsTakenAsItIsTold() throws Exception {
        byte[] text = "name n1\n".getBytes(StandardCharsets.UTF_8);
        byte[] suspects = ScriptedNode.frame(Frame.SUSPECTS, 0, 0);
        byte[] reply = ScriptedNode.frame(Frame.REPLY, 0, text.length, text);
        byte[] both = new byte[suspects.length + reply.length];
        System.arraycopy(suspects, 0, both, 0, suspects.length);
        System.arraycopy(reply, 0, both, suspects.length, reply.length);
        try (ScriptedNode node = new ScriptedNode(CHALLENGE, WELCOME, both)) {
            assertEquals("name n1\n", NodeProbe.status(node.address(), NodeProbe.Asker.ANONYMOUS, PATIENCE));
        }
    }

    /** Version skew, seen from the client: both versions are named. */
    @Test
    void aNodeOfAnotherVersionIsRefused() throws Exception {
        assertFails(
                "the node speaks version 9 of the wire and this program version " + Frame.VERSION
                        + ": upgrade the older one",
                ScriptedNode.challenge(9));
    }

    /** A refusing node gives the reason, and the operator reads its sentence. */
    @Test
    void aRefusalIsToldInTheNodesWords() throws Exception {
        assertFails("you speak 1, I speak 2", ScriptedNode.refused(RefusedCode.VERSION, "you speak 1, I speak 2"));
        assertFails("enough", CHALLENGE, ScriptedNode.refused(RefusedCode.LIMIT, "enough"));
        byte[] no = "no right".getBytes(StandardCharsets.UTF_8);
        assertFails("no right", CHALLENGE, WELCOME, ScriptedNode.frame(Frame.REPLY, 7, no.length, no));
    }

    @Test
    void whatIsNoNodeIsNotBelieved() throws Exception {
        byte[] http = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8);
        assertFails("what answers there is no memory node", http);
        assertFails("what answers there is no memory node: a frame of kind 7", ScriptedNode.frame(Frame.ANSWER, 0, 0));
        assertFails(
                "what answers there is no memory node: a frame is too short",
                ScriptedNode.frame(Frame.CHALLENGE, 0, 0));
        assertFails(
                "what answers there is no memory node: a frame is too short",
                CHALLENGE,
                WELCOME,
                ScriptedNode.frame(Frame.REPLY, 0, 60_000, new byte[8]));
        assertFails("the node closed the connection without a word");
    }

    @Test
    void anAddressWithoutANodeIsASentence() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
            // It listens, and never answers.
            HostPort silent = new HostPort("127.0.0.1", port);
            IOException late = assertThrows(
                    IOException.class,
                    () -> NodeProbe.status(silent, NodeProbe.Asker.ANONYMOUS, Duration.ofMillis(50)));
            assertEquals("no answer within 50 ms", late.getMessage());
        }
        HostPort silentPort = new HostPort("127.0.0.1", port);
        IOException e = assertThrows(
                IOException.class, () -> NodeProbe.status(silentPort, NodeProbe.Asker.ANONYMOUS, PATIENCE));
        assertEquals("nobody listens there", e.getMessage());
    }

    private static void assertFails(String sentence, byte[]... answers) throws Exception {
        try (ScriptedNode node = answers.length == 0 ? new ScriptedNode(new byte[0]) : new ScriptedNode(answers)) {
            IOException e = assertThrows(
                    IOException.class, () -> NodeProbe.status(node.address(), NodeProbe.Asker.ANONYMOUS, PATIENCE));
            assertEquals(sentence, e.getMessage());
        }
    }
}
