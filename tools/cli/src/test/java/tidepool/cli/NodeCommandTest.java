package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.node.MemoryServer;
import tidepool.node.metrics.MetricsEndpoint;
import tidepool.node.metrics.NodeHealth;

/** {@code node} and {@code status} as an operator sees them: one line for each success and for each failure. */
class NodeCommandTest {
    @TempDir
    Path folder;

    @Test
    void aNodeTellsThatItIsReadyHowItIsAndThatItStopped() throws Exception {
        try (SeparateNode node = SeparateNode.start(folder, "--name", "n1", "--metrics", "127.0.0.1:0")) {
            assertTrue(
                    node.ready()
                            .matches("node n1 listens on \\S+, memory 80 MiB, open to every process of this machine,"
                                    + " metrics on http://127\\.0\\.0\\.1:\\d+/metrics"),
                    node.ready());
            String metrics = node.ready().replaceFirst(".*//127.0.0.1:(\\d+)/.*", "$1");
            assertTrue(get(metrics, "/metrics").contains("\ntidepool_node_info{name=\"n1\","));
            assertTrue(get(metrics, "/health").endsWith("\r\n\r\nok\n"));
            CommandRun status = CommandRun.of("status", node.address(), "--interval", "1ms");
            assertEquals(0, status.exitCode(), status.err());
            assertTrue(status.out().contains("n1    " + node.address()), status.out());
            CommandRun json = CommandRun.of("status", "tcp://" + node.address() + "/x", "--interval", "1ms", "--json");
            assertEquals(0, json.exitCode(), json.err());
            assertEquals("n1", field(json.out(), "name"));
            assertEquals("83886080", field(json.out(), "memoryLimit"));

            assertEquals(List.of("node n1 stopped"), node.signal("TERM"));
            assertEquals(0, node.exitCode());
            assertEquals("", node.log());
        }
    }

    /** The health that a node's command shows is that of its node: a load balancer sees 503 and why. */
    @Test
    void aSickNodeIsSickByHttp() throws Exception {
        NodeSettings settings = new NodeSettings(
                setting -> setting == NodeSetting.LISTEN || setting == NodeSetting.METRICS ? "127.0.0.1:0" : null,
                null);
        NodeStart start = new NodeStart(settings);
        try (MemoryServer server = start.server(null)) {
            NodeHealth health = new NodeHealth(server);
            try (MetricsEndpoint metrics = start.metrics(server, health)) {
                String port = String.valueOf(metrics.address().getPort());
                assertTrue(get(port, "/health").startsWith("HTTP/1.1 200"));
                health.stops();
                String sick = get(port, "/health");
                assertTrue(sick.startsWith("HTTP/1.1 503") && sick.endsWith("\r\n\r\nthe node stops\n"), sick);
            }
        }
    }

    /** As ^C in a terminal. */
    @Test
    void anInterruptedNodeHasDoneNothingWrong() throws Exception {
        Path files = folder.resolve("files");
        try (SeparateNode node = SeparateNode.startSignalled("INT", folder, "--dir", files.toString())) {
            assertTrue(node.ready().contains(", memory 80 MiB in " + files + ", "), node.ready());
            assertWrong(
                    1,
                    "another node serves this directory: ",
                    "node",
                    "--listen",
                    "127.0.0.1:0",
                    "--dir",
                    files.toString());
            assertEquals(List.of("node node-0 stopped"), node.signal("INT"));
            assertEquals(0, node.exitCode());
        }
    }

    /** A node that does not answer is a line of the table, and the others are shown nevertheless. */
    @Test
    void aNodeThatDoesNotAnswerIsALine() throws Exception {
        String away = "127.0.0.1:" + freePort();
        CommandRun seen = CommandRun.of("status", away);
        assertEquals(1, seen.exitCode());
        assertEquals("", seen.err());
        assertTrue(seen.out().contains("-     " + away + "  no answer: nobody listens there"), seen.out());

        CommandRun json = CommandRun.of("status", "--json", "tcp://" + away + ",127.0.0.1:1/bank");
        assertEquals(1, json.exitCode());
        assertEquals(2, json.out().split("\"failure\" : \"nobody listens there\"", -1).length - 1, json.out());
    }

    @Test
    void whatStatusDoesNotUnderstandIsASentence() {
        assertWrong(
                2,
                "only pools on the network have nodes to ask: tcp://HOST:PORT or HOST:PORT, not shm:",
                "status",
                "shm:/x");
        assertWrong(2, "a node takes HOST:PORT such as 127.0.0.1:7400, not 'a b:7400'", "status", "a b");
        assertWrong(2, "a node takes HOST:PORT such as 127.0.0.1:7400, not 'h:99999'", "status", "g:1,h:99999");
        assertWrong(2, "--interval takes a time such as", "status", "h:1", "--interval", "1");
        assertWrong(
                1,
                "the token file " + folder.resolve("t") + " is not there",
                "status",
                "h:1?user=a&tokenFile=" + folder.resolve("t"));
    }

    @Test
    void whatKeepsANodeFromStartingIsASentence() throws Exception {
        assertWrong(2, "--memory takes a size such as 4096, 64m or 4g, not 'x'", "node", "--memory", "x");
        assertWrong(
                2,
                "no such config file: " + folder.resolve("c"),
                "node",
                "--config",
                folder.resolve("c").toString());
        assertWrong(1, "--memory is at least 8 MiB, not 1k", "node", "--memory", "1k");
        assertWrong(1, "--memory 900000g is more than this machine has, ", "node", "--memory", "900000g");
        assertWrong(
                1,
                "refusing to listen on 0.0.0.0:0, where everybody on the network could read and write: give"
                        + " --credentials FILE, or listen on 127.0.0.1",
                "node",
                "--listen",
                "0.0.0.0:0");
        assertWrong(1, "refusing to tell metrics on 0.0.0.0:0, where everybody", "node", "--metrics", "0.0.0.0:0");
        assertWrong(
                1,
                "the credentials file " + folder.resolve("c") + " is not there",
                "node",
                "--credentials",
                folder.resolve("c").toString());
        Path file = Files.createFile(folder.resolve("file"));
        assertWrong(
                1,
                "--dir: cannot write to " + file.resolve("d"),
                "node",
                "--dir",
                file.resolve("d").toString());
        assertWrong(2, "--listen: no such host: 'no-such-host.invalid'", "node", "--listen", "no-such-host.invalid:1");
        // An address for documentation: no machine has it.
        assertWrong(1, "refusing to listen on 192.0.2.1:7400", "node", "--listen", "192.0.2.1:7400");
    }

    @Test
    void aPortThatIsTakenIsASentence() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String where = "127.0.0.1:" + taken.getLocalPort();
            assertWrong(
                    1,
                    "--listen: cannot listen on " + where + ": another process listens there",
                    "node",
                    "--listen",
                    where);
            assertWrong(
                    1,
                    "--metrics: cannot listen on " + where + ": another process listens there",
                    "node",
                    "--listen",
                    "127.0.0.1:0",
                    "--metrics",
                    where);
        }
    }

    @Test
    void theConfigIsPrintedWithWhatWasGiven() {
        CommandRun seen = CommandRun.of("node", "--print-config", "--memory", "4g", "--metrics-anywhere");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("\nmemory = 4g\n"), seen.out());
        assertTrue(seen.out().contains("\nmetrics-anywhere = on\n"), seen.out());
        assertTrue(seen.out().contains("\n# dir = FOLDER\n"), seen.out());
    }

    /** The tab key completes the flags. */
    @Test
    void completionKnowsTheFlags() {
        String script = CommandRun.of("completion").out();
        for (NodeSetting setting : NodeSetting.values()) assertTrue(script.contains(setting.flag()), setting.flag());
        assertTrue(script.contains("_picocli_tidepool_status"), script);
    }

    private static void assertWrong(int code, String sentence, String... arguments) {
        CommandRun seen = CommandRun.of(arguments);
        assertEquals(code, seen.exitCode(), seen.err());
        assertTrue(seen.err().startsWith("tidepool: " + sentence), seen.err());
        assertEquals(1, seen.err().lines().count(), seen.err());
        assertEquals("", seen.out());
    }

    /** Parses the whole text, so that invalid JSON is found. */
    private static String field(String json, String name) throws Exception {
        String found = null;
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            while (parser.nextToken() != null)
                if (name.equals(parser.currentName()) && found == null && parser.nextToken() != null)
                    found = parser.getText();
        }
        return found;
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static String get(String port, String path) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(port))) {
            socket.setSoTimeout(60_000);
            String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
