package tidepool.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;
import tidepool.base.Clock;

/**
 * A progress line. On a terminal each text overwrites the previous one, and an empty text clears the line. Elsewhere
 * one line is printed at most every two seconds.
 */
final class LiveLine implements Consumer<String> {
    private static final long LINE_EVERY_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private long lastLine = Clock.system().nowNanos();

    LiveLine(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void accept(String line) {
        if (isTerminal()) {
            out.print(line.isEmpty() ? "\r\033[K" : "\r" + line + "\033[K");
            out.flush();
        } else if (!line.isEmpty() && Clock.system().nowNanos() - lastLine > LINE_EVERY_NANOS) {
            lastLine = Clock.system().nowNanos();
            out.println(line);
        }
    }

    /** Since JDK 25, {@code System.console()} is again null if the output is not a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }
}
