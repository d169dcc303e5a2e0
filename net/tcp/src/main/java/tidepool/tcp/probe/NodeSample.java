package tidepool.tcp.probe;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import tidepool.wire.HostPort;
import tidepool.wire.NodeStatus;

/**
 * The result of asking one node for its status.
 *
 * @param status null if there was no answer
 * @param failure why there was no answer, as a sentence
 * @param nanos when the answer or the failure came
 */
public record NodeSample(HostPort node, NodeStatus status, String failure, long nanos) {
    private static final Executor ONE_EACH = task -> Thread.ofVirtual().start(task);

    /** Asks all nodes at once. Waits for the slowest, for at most the given time. */
    public static List<NodeSample> of(List<HostPort> nodes, NodeProbe.Asker asker, Duration patience) {
        List<CompletableFuture<NodeSample>> asked = new ArrayList<>();
        for (HostPort node : nodes) asked.add(CompletableFuture.supplyAsync(() -> of(node, asker, patience), ONE_EACH));
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private static NodeSample of(HostPort node, NodeProbe.Asker asker, Duration patience) {
        try {
            NodeStatus status = NodeStatus.parse(NodeProbe.status(node, asker, patience));
            return new NodeSample(node, status, null, System.nanoTime());
        } catch (IOException e) {
            return new NodeSample(
                    node, null, e.getMessage() == null ? e.toString() : e.getMessage(), System.nanoTime());
        }
    }

    public boolean isThere() {
        return status != null;
    }

    /** Returns by how much a counter has grown per second since an earlier sample; -1 if that is unknown. */
    public double rate(NodeSample earlier, String counter) {
        if (!isThere() || earlier == null || !earlier.isThere()) return -1;
        // A restarted node counts from zero.
        if (status.uptimeMillis() < earlier.status.uptimeMillis() || nanos <= earlier.nanos) return -1;
        long more =
                status.count(counter).orElse(0) - earlier.status.count(counter).orElse(0);
        return more * 1e9 / (nanos - earlier.nanos);
    }

    /**
     * Returns the summed rate of all counters that begin with {@code beginning} but not with {@code except}; -1 if that
     * is unknown.
     */
    public double rateOfAll(NodeSample earlier, String beginning, String except) {
        if (!isThere()) return -1;
        double sum = 0;
        for (String counter : status.counts().keySet()) {
            if (!counter.startsWith(beginning) || counter.startsWith(except)) continue;
            double rate = rate(earlier, counter);
            if (rate < 0) return -1;
            sum += rate;
        }
        return sum;
    }
}
