package tidepool.node.metrics;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tidepool.node.MemoryServer;
import tidepool.wire.NodeStatus;

/** The health of a node: healthy if its loop answers, its disk has space, and it was not told to stop. */
public final class NodeHealth {
    private static final long PATIENCE_MILLIS = 2000;

    private final MemoryServer server;
    private volatile boolean stops;

    public NodeHealth(MemoryServer server) {
        this.server = server;
    }

    /** Called when the node is told to stop. From then on it is not healthy. */
    public void stops() {
        stops = true;
    }

    /** Returns why the node is not healthy, as a sentence; null if it is. */
    public String reason() {
        if (stops) return "the node stops";
        try {
            return ask().isDiskFull() ? "the node's disk is full" : null;
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    /** Returns the node's status. Throws an {@link IllegalStateException} if its loop does not answer in time. */
    public NodeStatus ask() {
        CompletableFuture<NodeStatus> asked = CompletableFuture.supplyAsync(
                server::status, task -> Thread.ofVirtual().start(task));
        try {
            NodeStatus status =
                    asked.orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).join();
            if (status != null) return status;
            throw new IllegalStateException("the node has ended");
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException)
                throw new IllegalStateException("the node's loop has not answered for " + PATIENCE_MILLIS + " ms", e);
            throw e;
        }
    }
}
