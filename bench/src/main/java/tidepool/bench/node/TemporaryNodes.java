package tidepool.bench.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tidepool.bench.ChildJvm;

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
        TemporaryNodes started = new TemporaryNodes();
        try {
            for (int i = 0; i < count; i++)
                started.nodes.add(ChildJvm.start(
                        "node-" + i,
                        folder,
                        classPath,
                        HEAP_MEGABYTES,
                        NodeMain.class,
                        "node-" + i,
                        Long.toString(bytesOfEach)));
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

    public boolean areAlive() {
        return nodes.stream().allMatch(ChildJvm::isAlive);
    }

    @Override
    public void close() {
        for (ChildJvm node : nodes) node.close();
    }
}
