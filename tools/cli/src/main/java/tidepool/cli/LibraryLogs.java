package tidepool.cli;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the loggers of libraries. Failures of a library arrive as exceptions, which the command reports. */
final class LibraryLogs {
    /** Held here: the log manager holds loggers weakly, and a collected logger loses its level. */
    private static final List<Logger> QUIET = List.of(
            Logger.getLogger("org.apache.zookeeper"),
            Logger.getLogger("org.apache.curator"),
            Logger.getLogger("io.netty"));

    private LibraryLogs() {}

    static void quiet() {
        for (Logger logger : QUIET) logger.setLevel(Level.OFF);
    }
}
