package tidepool.workload.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import tidepool.cluster.NodeEntry;
import tidepool.cluster.NodeRegistration;
import tidepool.cluster.ZkUrl;
import tidepool.fabric.FabricUrl;
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
    private static final Duration ZOOKEEPER_LEASE = Duration.ofSeconds(2);

    /** Small, so that there are segments and checkpoints in a short while. */
    private static final long SEGMENT_BYTES = 1 << 20;

    private static final long CHECKPOINT_BYTES = 4 << 20;

    private NodeMain() {}

    /**
     * Serves until its input ends.
     *
     * @param arguments its name; lease and grace in milliseconds; its port, what a FLUSH outlasts, and a folder for that; and,
     *     if its pool has a roster, the URL of that and which life of the node this is
     */
    @SuppressWarnings("try") // it is registered for as long as it serves
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
        return NodeRegistration.register(ZkUrl.of(FabricUrl.parse(arguments[6])), entry, NodeMain::say);
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
