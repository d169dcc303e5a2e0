package tidepool.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tidepool.testkit.ChildProcess;
import tidepool.testkit.ChildStart;

/** {@code tidepool node} as a separate process, on free ports. */
final class SeparateNode implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile("node (\\S+) listens on 127\\.0\\.0\\.1:(\\d+), .*");

    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED");

    private final ChildProcess process;
    private String ready;
    private int port;

    private SeparateNode(ChildProcess process) {
        this.process = process;
    }

    /** Starts it in a folder and waits until it says that it is ready. */
    static SeparateNode start(Path folder, String... flags) throws IOException {
        return start(node(flags).in(folder));
    }

    /** Starts it so that a signal reaches it even if this process ignores the signal. */
    static SeparateNode startSignalled(String signal, Path folder, String... flags) throws IOException {
        return start(node(flags).in(folder).signalled(signal));
    }

    private static ChildStart node(String... flags) {
        List<String> arguments = new ArrayList<>(List.of("node", "--memory", "80m"));
        if (!List.of(flags).contains("--listen")) arguments.addAll(List.of("--listen", "127.0.0.1:0"));
        arguments.addAll(List.of(flags));
        return ChildProcess.jvm(OPTIONS, Main.class, arguments.toArray(String[]::new));
    }

    private static SeparateNode start(ChildStart start) throws IOException {
        SeparateNode node = new SeparateNode(start.start());
        node.ready = node.process.line();
        Matcher listens = LISTENS.matcher(String.valueOf(node.ready));
        if (!listens.matches()) {
            node.close();
            throw new IOException("not ready: " + node.ready + "\n" + node.log());
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

    String log() {
        return process.errors();
    }

    /** Sends the process a signal. Waits for its end and returns its output until then. */
    List<String> signal(String name) {
        process.signal(name);
        return process.lines();
    }

    int exitCode() {
        return process.exitCode();
    }

    @Override
    public void close() {
        process.close();
    }
}
