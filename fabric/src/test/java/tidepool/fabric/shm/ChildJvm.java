package tidepool.fabric.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tidepool.base.Words;
import tidepool.memory.MemoryNode;

/**
 * A real process beside the test: asked by lines on its standard input, answering by lines on its standard output. It
 * can be killed, stopped and continued.
 */
final class ChildJvm implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 120;
    private static final String END = "\0end";

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final List<String> errors = new ArrayList<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.input = process.outputWriter(StandardCharsets.UTF_8);
        follow(process.getInputStream(), false);
        follow(process.getErrorStream(), true);
    }

    static ChildJvm start(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(List.of(arguments));
        try {
            return new ChildJvm(new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the classes really are, however this JVM was told to find them. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> type : List.of(ChildJvm.class, ShmFabric.class, MemoryNode.class, Words.class)) {
            String name = type.getName().replace('.', '/') + ".class";
            URL url = type.getResource("/" + name);
            String text = url.toString();
            String place = text.startsWith("jar:")
                    ? text.substring("jar:".length(), text.indexOf("!/"))
                    : text.substring(0, text.length() - name.length());
            places.add(Path.of(URI.create(place)).toString());
        }
        return String.join(":", places);
    }

    long pid() {
        return process.pid();
    }

    void tell(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new AssertionError("the child is gone: " + errors(), e);
        }
    }

    /** The next line the child writes. */
    String hear() {
        try {
            String line = answers.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (line == null) throw new AssertionError("no answer in " + DEADLINE_SECONDS + " s: " + errors());
            if (line.equals(END)) throw new AssertionError("the child has ended: " + errors());
            return line;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String ask(String line) {
        tell(line);
        return hear();
    }

    /** As kill -9; returns at once. */
    void kill() {
        process.destroyForcibly();
    }

    void awaitEnd() {
        try {
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
                throw new AssertionError("the child does not end");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** SIGSTOP; returns when the kernel says that it is stopped. */
    void stop() {
        signal("STOP");
        while (state() != 'T') Thread.onSpinWait();
    }

    void cont() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (code != 0) throw new AssertionError("kill -" + name + " failed");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private char state() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void follow(java.io.InputStream stream, boolean isError) {
        Thread.ofVirtual().start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (isError) {
                        synchronized (errors) {
                            errors.add(line);
                        }
                    } else {
                        answers.add(line);
                    }
                }
            } catch (IOException e) {
                // the child was killed
            }
            if (!isError) answers.add(END);
        });
    }

    private String errors() {
        synchronized (errors) {
            return String.join("\n", errors);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }
}
