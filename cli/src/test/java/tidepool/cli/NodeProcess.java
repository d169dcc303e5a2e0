package tidepool.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code tidepool node} as a process of its own, on ports that were free. */
final class NodeProcess implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("node (\\S+) listens on 127\\.0\\.0\\.1:(\\d+), .*");

    private final Process process;
    private final Path errors;
    private final BufferedReader output;
    private String ready;
    private int port;

    private NodeProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = process.inputReader();
    }

    /** Starts it and waits until it says that it is ready. */
    static NodeProcess start(Path folder, String... flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "node",
                "--memory",
                "64m"));
        if (!List.of(flags).contains("--listen")) command.addAll(List.of("--listen", "127.0.0.1:0"));
        command.addAll(List.of(flags));
        Path errors = Files.createTempFile(folder, "node", ".log");
        NodeProcess node = new NodeProcess(
                new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
        node.ready = node.output.readLine();
        Matcher listens = LISTENS.matcher(String.valueOf(node.ready));
        if (!listens.matches()) {
            node.close();
            throw new IOException("not ready: " + node.ready + "\n" + Files.readString(errors));
        }
        node.port = Integer.parseInt(listens.group(2));
        return node;
    }

    /** The line that it printed. */
    String ready() {
        return ready;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() throws IOException {
        return Files.readString(errors);
    }

    /** Sends it a signal, and waits for what it prints until its end. */
    List<String> signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        return output.lines().toList();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) throw new IllegalStateException("the node does not end");
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
