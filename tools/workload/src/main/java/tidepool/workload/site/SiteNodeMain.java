package tidepool.workload.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.fabric.FabricUrl;
import tidepool.node.MemoryServer;
import tidepool.node.NodeOptions;
import tidepool.node.journal.Durability;
import tidepool.node.journal.JournalOptions;
import tidepool.zookeeper.NodeEntry;
import tidepool.zookeeper.NodeRegistration;
import tidepool.zookeeper.ZkUrl;

/**
 * A process with a memory node on a free port of loopback. It runs as long as its standard input is open, so it ends
 * with its parent process. It reports by lines:
 *
 * <pre>
 *   ready HOST PORT          it can be reached
 *   status … / end           its status, line by line; sent for each line of input
 * </pre>
 */
public final class SiteNodeMain {
    private static final long MEMORY_BYTES = 4L << 30;
    private static final Duration ZOOKEEPER_LEASE = Duration.ofSeconds(2);

    /** Small, so that segments and checkpoints appear soon. */
    private static final long SEGMENT_BYTES = 1 << 20;

    private static final long CHECKPOINT_BYTES = 4 << 20;

    private SiteNodeMain() {}

    /**
     * Serves until its input ends.
     *
     * @param arguments its name; lease and grace in milliseconds; its port, the durability of FLUSH, and a folder for
     * the journal; and, if its pool has a roster, the URL of the roster and the life of the node
     */
    @SuppressWarnings("try") // the node stays registered as long as it serves
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[3]);
        NodeOptions options = NodeOptions.onLoopback(arguments[0], port, MEMORY_BYTES)
                .withLease(
                        Duration.ofMillis(Long.parseLong(arguments[1])),
                        Duration.ofMillis(Long.parseLong(arguments[2])));
        if (!arguments[4].equals(Durability.NONE.name()))
            options = options.withDir(Path.of(arguments[5]))
                    .withJournal(JournalOptions.of(Durability.valueOf(arguments[4]), SEGMENT_BYTES, CHECKPOINT_BYTES));
        boolean registers = arguments.length > 6;
        if (registers) options = options.withIdentity(arguments[7]);
        try (MemoryServer server = MemoryServer.start(options);
                NodeRegistration registration = registers ? register(arguments, server) : null;
                BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            say("ready " + server.address().getAddress().getHostAddress() + " "
                    + server.address().getPort());
            while (asked.readLine() != null) {
                server.status().toText().lines().forEach(line -> say("status " + line));
                say("end");
            }
        }
    }

    private static NodeRegistration register(String[] arguments, MemoryServer server) {
        String address = server.address().getAddress().getHostAddress() + ":"
                + server.address().getPort();
        NodeEntry entry = new NodeEntry(arguments[7], address, arguments[0], ZOOKEEPER_LEASE, MEMORY_BYTES, 0);
        return NodeRegistration.register(ZkUrl.of(FabricUrl.parse(arguments[6])), entry, SiteNodeMain::say);
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
