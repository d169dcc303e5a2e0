package tidepool.bench.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.bench.LineProcess;
import tidepool.tcp.probe.NodeProbe;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;

/** Temporary memory nodes, each in its own JVM. They end when this object is closed, and when this process ends. */
public final class TemporaryNodes implements AutoCloseable {
    /** Small, because regions lie outside the heap. */
    private static final int HEAP_MEGABYTES = 128;

    private final List<LineProcess> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private TemporaryNodes() {}

    /**
     * Starts the nodes. Waits until they listen.
     *
     * @param bytesOfEach the memory limit of the regions of a node
     * @param folder for their standard error
     */
    public static TemporaryNodes start(int count, long bytesOfEach, Path folder, String classPath) {
        return start(count, bytesOfEach, folder, null, classPath);
    }

    /**
     * Starts nodes that may keep journals. Waits until they listen.
     *
     * @param kept the folder of their journals, on a disk; null for none
     */
    public static TemporaryNodes start(int count, long bytesOfEach, Path folder, Path kept, String classPath) {
        TemporaryNodes started = new TemporaryNodes();
        try {
            for (int i = 0; i < count; i++) {
                List<String> arguments = new ArrayList<>(List.of("node-" + i, Long.toString(bytesOfEach)));
                if (kept != null) arguments.add(kept.resolve("node-" + i).toString());
                started.nodes.add(LineProcess.start(
                        "node-" + i,
                        folder,
                        classPath,
                        HEAP_MEGABYTES,
                        BenchNodeMain.class,
                        arguments.toArray(new String[0])));
            }
            for (LineProcess node : started.nodes) started.ports.add(Integer.parseInt(node.answer("ready")));
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /**
     * Returns the URL of a pool on all nodes, with parameters such as {@code replicas=2}; empty for none. A node that
     * listens is there, so a handshake may take as long as a crowded machine lets it.
     */
    public String url(String parameters) {
        String addresses = ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        return "tcp://" + addresses + "/bench?connect=60s" + (parameters.isEmpty() ? "" : "&" + parameters);
    }

    /** Returns how often all nodes have forced their disks so far; 0 without journals. */
    public long forces() {
        long sum = 0;
        try {
            for (int port : ports) {
                HostPort at = HostPort.parse("node", "127.0.0.1:" + port);
                String status = NodeProbe.status(at, NodeProbe.Asker.ANONYMOUS, Duration.ofSeconds(10));
                sum += NodeStatus.parse(status).count("journal-forces").orElse(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a memory node does not say how it is: " + e.getMessage(), e);
        }
        return sum;
    }

    public boolean areAlive() {
        return nodes.stream().allMatch(LineProcess::isAlive);
    }

    @Override
    public void close() {
        for (LineProcess node : nodes) node.close();
    }
}
