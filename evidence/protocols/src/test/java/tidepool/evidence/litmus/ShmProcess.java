package tidepool.evidence.litmus;

import java.util.List;
import tidepool.testkit.ChildProcess;

/** The handle of a {@link ShmPlayer} in the process that started it. */
final class ShmProcess implements AutoCloseable {
    /** The result of {@link #hear} when no more lines will come. */
    static final String END = "end";

    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED");

    private final ChildProcess process;

    /** @param gone called when the process is over and the kernel has released its locks */
    ShmProcess(Runnable gone, String... arguments) {
        process =
                ChildProcess.jvm(OPTIONS, ShmPlayer.class, arguments).gone(gone).start();
    }

    void tell(String line) {
        process.tell(line);
    }

    /** Waits for the next line. */
    String hear() {
        String line = process.line();
        if (line != null) return line;
        if (!process.errors().isEmpty()) System.err.println(process.errors());
        return END;
    }

    /** Kills the process, and waits until it is gone. */
    @Override
    public void close() {
        process.close();
    }
}
