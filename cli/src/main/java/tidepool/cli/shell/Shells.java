package tidepool.cli.shell;

import java.io.PrintWriter;
import java.io.Reader;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Starts a shell on a pool, at a terminal or in a pipe. */
public final class Shells {
    /** Kept, because a logger that nobody keeps forgets its level. */
    private static final Logger LOG = Logger.getLogger("tidepool");

    private Shells() {}

    /** Statements typed at the terminal of this process. */
    public static boolean typed(String url, Duration idle, boolean keepsHistory) {
        quiet();
        try (Session session = new Session(url, idle);
                Lines lines = new EditedLines(
                        EditedLines.ownTerminal(),
                        keepsHistory ? HistoryFile.usual() : null,
                        session::tablesAtAGlance)) {
            lines.answer(session.greeting());
            return new Shell(session, lines).run();
        }
    }

    /** Statements from a pipe. True if all were done. */
    public static boolean piped(String url, Duration idle, Reader in, PrintWriter out, PrintWriter err) {
        quiet();
        try (Session session = new Session(url, idle);
                Lines lines = new PipedLines(in, out, err)) {
            return new Shell(session, lines).run();
        }
    }

    /** What the pool logs would be written over the line that is being typed; the shell says what matters itself. */
    private static void quiet() {
        LOG.setLevel(Level.OFF);
    }
}
