package tidepool.cli;

import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Log handler of a node. Prints one line per event, with its cause. Stack traces are printed only for debugging. */
final class NodeLog extends Handler {
    /** Held here: the log manager holds loggers weakly, and a collected logger loses its level. */
    private static final Logger OURS = Logger.getLogger("tidepool");

    private final PrintWriter out;
    private final Formatter formatter = new SimpleFormatter();
    private final boolean debug;

    private NodeLog(PrintWriter out, boolean debug) {
        this.out = out;
        this.debug = debug;
    }

    /** Sends all records of this level or above to {@code out}, and nowhere else. */
    static void to(PrintWriter out, Level level) {
        for (Handler old : OURS.getHandlers()) OURS.removeHandler(old);
        OURS.setUseParentHandlers(false);
        OURS.setLevel(level);
        OURS.addHandler(new NodeLog(out, level.intValue() <= Level.FINE.intValue()));
    }

    @Override
    public void publish(LogRecord line) {
        StringBuilder text = new StringBuilder();
        text.append(line.getInstant().truncatedTo(ChronoUnit.MILLIS)).append(' ');
        text.append(word(line.getLevel())).append(' ').append(oneLine(formatter.formatMessage(line)));
        Throwable cause = line.getThrown();
        if (cause != null) text.append(": ").append(oneLine(cause.toString()));
        synchronized (out) {
            out.println(text);
            if (cause != null && debug) cause.printStackTrace(out);
            out.flush();
        }
    }

    /** Replaces control characters. Otherwise text sent by a client could imitate log lines. */
    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }

    private static String word(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) return "error";
        if (level.intValue() >= Level.WARNING.intValue()) return "warning";
        return level.intValue() >= Level.INFO.intValue() ? "info" : "debug";
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() {
        // The caller owns the stream.
    }
}
