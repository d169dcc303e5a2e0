package tidepool.check.litmus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link ShmPlayer} as the one who started it sees it. */
final class ShmProcess implements AutoCloseable {
    /** What {@link #hear} answers when nothing more will come. */
    static final String END = "end";

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /** @param gone is told when the process is over and the kernel has taken its locks */
    ShmProcess(Runnable gone, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Xshare:auto"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", classPath(), ShmPlayer.class.getName()));
        command.addAll(List.of(arguments));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        input = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(() -> follow(gone));
    }

    /** Surefire hides the real class path behind a jar of its own. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private void follow(Runnable gone) {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) lines.add(line);
        } catch (IOException e) {
            // it was killed
        }
        waitFor();
        gone.run();
        lines.add(END);
    }

    void tell(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("a player is gone", e);
        }
    }

    /** The next line. Waits. */
    String hear() {
        try {
            String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) throw new Forbidden("a player said nothing for " + PATIENCE_SECONDS + " s");
            return line;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends it, whatever it does. Waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly();
        waitFor();
    }

    private void waitFor() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
