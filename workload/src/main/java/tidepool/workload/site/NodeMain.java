package tidepool.workload.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.tcp.journal.Durability;
import tidepool.tcp.journal.JournalOptions;
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

    /** Small, so that there are segments and checkpoints in a short while. */
    private static final long SEGMENT_BYTES = 1 << 20;

    private static final long CHECKPOINT_BYTES = 4 << 20;

    private NodeMain() {}

    /**
     * Serves until its input ends.
     *
     * @param arguments its name; lease and grace in milliseconds; and maybe: its port, what a FLUSH outlasts, a folder
     */
    public static void main(String[] arguments) throws IOException {
        int port = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 0;
        NodeOptions options = NodeOptions.onLoopback(arguments[0], port, MEMORY_BYTES)
                .withLease(
                        Duration.ofMillis(Long.parseLong(arguments[1])),
                        Duration.ofMillis(Long.parseLong(arguments[2])));
        if (arguments.length > 4)
            options = options.withDir(Path.of(arguments[5]))
                    .withJournal(JournalOptions.of(Durability.valueOf(arguments[4]), SEGMENT_BYTES, CHECKPOINT_BYTES));
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
