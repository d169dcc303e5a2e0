package tidepool.workload.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tidepool.wire.NodeStatus;
import tidepool.workload.process.BoundedProcess;
import tidepool.workload.process.JvmCommand;

/** A {@link SiteNodeMain} in its own JVM, seen from the parent process. */
public final class NodeProcess implements AutoCloseable {
    private static final long MAX_SECONDS = 60;

    private final int number;
    private final BoundedProcess process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final LinkedBlockingQueue<NodeStatus> statuses = new LinkedBlockingQueue<>();
    private final StringBuilder status = new StringBuilder(); // used by the thread that reads the output
    private volatile InetSocketAddress address;
    private volatile boolean ending;

    private NodeProcess(int number, BoundedProcess process) {
        this.number = number;
        this.process = process;
        process.follow(this::take, e -> {}, ready::countDown);
    }

    static NodeProcess start(Path folder, int number, TcpSite.Nodes how, String... more) {
        return start(folder, number, 0, how, more);
    }

    /** @param port 0 for any */
    static NodeProcess start(Path folder, int number, int port, TcpSite.Nodes how, String... more) {
        Path errors = folder.resolve("errors-node-" + number);
        List<String> arguments = new ArrayList<>(List.of(
                "node-" + number,
                Long.toString(how.lease().toMillis()),
                Long.toString(how.grace().toMillis())));
        arguments.addAll(List.of(
                Integer.toString(port),
                how.durability().name(),
                folder.resolve("node-" + number).toString()));
        arguments.addAll(List.of(more));
        try {
            return new NodeProcess(
                    number,
                    BoundedProcess.start(
                            "memory node " + number,
                            JvmCommand.of(List.of("-XX:+UseSerialGC"), how.main(), arguments),
                            errors));
        } catch (IOException e) {
            throw new UncheckedIOException("a memory node cannot be started: " + e.getMessage(), e);
        }
    }

    private void take(String line) {
        String[] words = line.split(" ", 2);
        switch (words[0]) {
            case "ready" -> {
                String[] where = words[1].split(" ", 2);
                address = new InetSocketAddress(where[0], Integer.parseInt(where[1]));
                ready.countDown();
            }
            case "status" -> status.append(words[1]).append('\n');
            case "end" -> {
                statuses.add(NodeStatus.parse(status.toString()));
                status.setLength(0);
            }
            default -> {} // output of a library
        }
    }

    void awaitReady() {
        try {
            if (!ready.await(MAX_SECONDS, TimeUnit.SECONDS) || address == null)
                throw new IllegalStateException("memory node " + number + " did not begin: " + trouble());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Returns the status of the node at this moment. */
    public NodeStatus status() throws InterruptedException {
        if (!process.isAlive())
            throw new IllegalStateException("memory node " + number + " does not listen: " + trouble());
        process.tell("status");
        NodeStatus answer = statuses.poll(MAX_SECONDS, TimeUnit.SECONDS);
        if (answer == null) throw new IllegalStateException("memory node " + number + " does not answer: " + trouble());
        return answer;
    }

    void requireSound() {
        if (!process.isAlive() && !ending)
            throw new IllegalStateException("memory node " + number + " ended: " + trouble());
    }

    private String trouble() {
        return process.withErrors(process.exitText());
    }

    /** Kills the process and waits until it has ended. */
    void kill() {
        ending = true;
        process.kill();
    }

    /** Ends the process in any state. */
    @Override
    public void close() {
        ending = true;
        process.killLater();
    }
}
