package tidepool.bench.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.bench.ChildJvm;
import tidepool.tcp.node.NodeStatus;
import tidepool.tcp.ops.HostPort;
import tidepool.tcp.ops.NodeProbe;

/** Memory nodes that nobody keeps, each in a JVM of its own. They end when this is closed, and when this process does. */
public final class TemporaryNodes implements AutoCloseable {
    /** Regions lie outside of the heap. */
    private static final int HEAP_MEGABYTES = 128;

    private final List<ChildJvm> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private TemporaryNodes() {}

    /**
     * Starts them. Waits until they listen.
     *
     * @param bytesOfEach how much memory the regions of a node may take
     * @param folder for their complaints
     */
    public static TemporaryNodes start(int count, long bytesOfEach, Path folder, String classPath) {
        return start(count, bytesOfEach, folder, null, classPath);
    }

    /**
     * The same for nodes that may keep something.
     *
     * @param kept where they keep what is flushed, on a disk; null if they do not
     */
    public static TemporaryNodes start(int count, long bytesOfEach, Path folder, Path kept, String classPath) {
        TemporaryNodes started = new TemporaryNodes();
        try {
            for (int i = 0; i < count; i++) {
                List<String> arguments = new ArrayList<>(List.of("node-" + i, Long.toString(bytesOfEach)));
                if (kept != null) arguments.add(kept.resolve("node-" + i).toString());
                started.nodes.add(ChildJvm.start(
                        "node-" + i,
                        folder,
                        classPath,
                        HEAP_MEGABYTES,
                        NodeMain.class,
                        arguments.toArray(new String[0])));
            }
            for (ChildJvm node : started.nodes) started.ports.add(Integer.parseInt(node.answer("ready")));
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** The URL of a pool on all of them, with parameters such as {@code replicas=2}; empty for none. */
    public String url(String parameters) {
        String addresses = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        return "tcp://" + addresses + "/bench" + (parameters.isEmpty() ? "" : "?" + parameters);
    }

    /** Processor time that they have used so far, together. */
    public long cpuNanos() {
        return nodes.stream().mapToLong(ChildJvm::cpuNanos).sum();
    }

    /** How often they have forced their disks so far, together; those that keep nothing never did. */
    public long forces() {
        long sum = 0;
        try {
            for (int port : ports) {
                HostPort at = HostPort.parse("node", "127.0.0.1:" + port);
                String status = NodeProbe.status(at, NodeProbe.Asker.ANYBODY, Duration.ofSeconds(10));
                sum += NodeStatus.parse(status).count("journal-forces").orElse(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a memory node does not say how it is: " + e.getMessage(), e);
        }
        return sum;
    }

    public boolean areAlive() {
        return nodes.stream().allMatch(ChildJvm::isAlive);
    }

    @Override
    public void close() {
        for (ChildJvm node : nodes) node.close();
    }
}
