package tidepool.workload.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tidepool.tcp.node.MemoryServer;
import tidepool.tcp.node.NodeOptions;

/**
 * A memory node in memory, on a free port of loopback, for as long as its standard input is open: so it ends with whoever
 * started it. It tells by lines:
 *
 * <pre>
 *   ready HOST PORT          it can be reached
 *   status … / end           what it is doing, line by line; when it is asked by a line
 * </pre>
 */
public final class NodeMain {
    private static final long MEMORY_BYTES = 4L << 30;

    private NodeMain() {}

    /**
     * Serves until its input ends.
     *
     * @param arguments its name; lease and grace in milliseconds
     */
    public static void main(String[] arguments) throws IOException {
        NodeOptions options = NodeOptions.onLoopback(arguments[0], 0, MEMORY_BYTES)
                .withLease(
                        Duration.ofMillis(Long.parseLong(arguments[1])),
                        Duration.ofMillis(Long.parseLong(arguments[2])));
        try (MemoryServer server = MemoryServer.start(options);
                BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("ready " + server.address().getAddress().getHostAddress() + " "
                    + server.address().getPort());
            while (asked.readLine() != null) {
                server.status().toText().lines().forEach(line -> say("status " + line));
                say("end");
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
