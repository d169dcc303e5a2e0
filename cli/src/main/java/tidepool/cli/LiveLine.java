package tidepool.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;

/** What goes on at the moment: one line that is written over on a terminal; elsewhere a line now and then. */
final class LiveLine implements Consumer<String> {
    private static final long LINE_EVERY_NANOS = 2_000_000_000L;

    private final PrintWriter out;
    private long lastLine = System.nanoTime() - LINE_EVERY_NANOS;

    LiveLine(PrintWriter out) {
        this.out = out;
    }

    /** Shows the line instead of the one before it; an empty one leaves nothing. */
    @Override
    public void accept(String line) {
        if (isTerminal()) {
            out.print(line.isEmpty() ? "\r\033[K" : "\r" + line + "\033[K");
            out.flush();
        } else if (!line.isEmpty() && System.nanoTime() - lastLine > LINE_EVERY_NANOS) {
            lastLine = System.nanoTime();
            out.println(line);
        }
    }

    /** Since JDK 25 there is again no console at all where output is not a terminal. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }
}
