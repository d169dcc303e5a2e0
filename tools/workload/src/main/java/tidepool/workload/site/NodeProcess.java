package tidepool.workload.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tidepool.wire.NodeStatus;

/** A {@link SiteNodeMain} in its own JVM, seen from the parent process. */
public final class NodeProcess implements AutoCloseable {
    private static final long MAX_SECONDS = 60;

    private final int number;
    private final Path errors;
    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final LinkedBlockingQueue<NodeStatus> statuses = new LinkedBlockingQueue<>();
    private volatile InetSocketAddress address;
    private volatile boolean ending;

    private NodeProcess(int number, Path errors, Process process) {
        this.number = number;
        this.errors = errors;
        this.process = process;
        Thread.ofPlatform().daemon().name("follows node " + number).start(this::follow);
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
                    errors,
                    JvmCommand.of(List.of(), how.main(), arguments)
                            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException("a memory node cannot be started: " + e.getMessage(), e);
        }
    }

    private void follow() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            StringBuilder status = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
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
        } catch (IOException e) {
            // counts as the end of the stream
        }
        ready.countDown();
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
        try {
            Writer to = process.outputWriter(StandardCharsets.UTF_8);
            to.write("status\n");
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("memory node " + number + " does not listen: " + trouble(), e);
        }
        NodeStatus status = statuses.poll(MAX_SECONDS, TimeUnit.SECONDS);
        if (status == null) throw new IllegalStateException("memory node " + number + " does not answer: " + trouble());
        return status;
    }

    void requireSound() {
        if (!process.isAlive() && !ending)
            throw new IllegalStateException("memory node " + number + " ended: " + trouble());
    }

    private String trouble() {
        String what = "exit=" + (process.isAlive() ? "none" : process.exitValue());
        try {
            String said = Files.readString(errors);
            return said.isBlank() ? what : what + "\n" + said;
        } catch (IOException e) {
            return what;
        }
    }

    /** Kills the process and waits until it has ended. */
    void kill() {
        close();
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** Ends the process in any state. */
    @Override
    public void close() {
        ending = true;
        process.destroyForcibly();
    }
}
