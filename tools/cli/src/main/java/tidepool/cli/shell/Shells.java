package tidepool.cli.shell;

import java.io.PrintWriter;
import java.io.Reader;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Starts a shell on a pool, at a terminal or in a pipe. */
public final class Shells {
    /** Held here: the log manager holds loggers weakly, and a collected logger loses its level. */
    private static final Logger LOG = Logger.getLogger("tidepool");

    private Shells() {}

    /** Runs statements typed at the terminal of this process. */
    public static boolean typed(String url, Duration idle, boolean keepsHistory) {
        quiet();
        try (ShellSession session = new ShellSession(url, idle);
                StatementSource source = new EditedLines(
                        EditedLines.ownTerminal(),
                        keepsHistory ? HistoryFile.usual() : null,
                        session::tablesAtAGlance)) {
            source.answer(session.greeting());
            return new Shell(session, source).run();
        }
    }

    /** Runs statements from a pipe. Returns true if all were carried out. */
    public static boolean piped(String url, Duration idle, Reader in, PrintWriter out, PrintWriter err) {
        quiet();
        try (ShellSession session = new ShellSession(url, idle);
                StatementSource source = new PipedLines(in, out, err)) {
            return new Shell(session, source).run();
        }
    }

    /**
     * Turns logging off. Otherwise log lines of the pool would overwrite the line that is being typed. The shell
     * reports important events itself.
     */
    private static void quiet() {
        LOG.setLevel(Level.OFF);
    }
}
