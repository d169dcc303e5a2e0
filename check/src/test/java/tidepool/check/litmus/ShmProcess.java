package tidepool.check.litmus;

import java.util.List;
import tidepool.testkit.ChildProcess;

/** A {@link ShmPlayer} as the one who started it sees it. */
final class ShmProcess implements AutoCloseable {
    /** What {@link #hear} answers when nothing more will come. */
    static final String END = "end";

    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED");

    private final ChildProcess process;

    /** @param gone is told when the process is over and the kernel has taken its locks */
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

    /** Ends the process, whatever it does, and waits until it is gone. */
    @Override
    public void close() {
        process.close();
    }
}
