package tidepool.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps libraries from telling everything that they do: what goes wrong comes out as an exception, and is said by us. */
final class LibraryLogs {
    /** Kept, because a logger that nobody keeps forgets its level. */
    private static final List<Logger> QUIET = List.of(
            Logger.getLogger("org.apache.zookeeper"),
            Logger.getLogger("org.apache.curator"),
            Logger.getLogger("io.netty"));

    private LibraryLogs() {}

    static void quiet() {
        for (Logger logger : QUIET) logger.setLevel(Level.OFF);
    }
}
