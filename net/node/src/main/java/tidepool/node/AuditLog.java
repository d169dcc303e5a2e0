package tidepool.node;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The log of refused connections and internal failures, one line each. It keeps the last lines for the status. Text
 * from clients is shortened and its special characters are replaced. Otherwise a client could forge lines of the log.
 */
final class AuditLog {
    private static final int KEPT = 16;
    private static final int MAX_CHARACTERS = 64;

    /** Limit of lines per second. Further lines are only counted. */
    private static final int MAX_A_SECOND = 100;

    private final Logger audit = System.getLogger("tidepool.node.audit");
    private final Logger log = System.getLogger("tidepool.node");
    private final Deque<String> last = new ArrayDeque<>();
    private final String node;
    private long second;
    private int written;
    private long dropped;

    AuditLog(String node) {
        this.node = node;
    }

    /** Logs a refused connection. */
    void refused(String address, String client, String why) {
        String line = "refused node=" + node + " from=" + address + " client=" + plain(client) + " " + why;
        keep(line);
        if (mayWrite()) audit.log(Level.WARNING, line);
    }

    /** Logs an event for operators that is no failure. */
    void note(String what) {
        log.log(Level.INFO, "node=" + node + " " + what);
    }

    /** Logs an internal failure. */
    void failed(String what, Throwable cause) {
        keep(what + " (" + cause + ")");
        if (mayWrite()) log.log(Level.ERROR, "node=" + node + " " + what, cause);
    }

    /** Returns the last lines, oldest first, each with its time. */
    List<String> last() {
        return new ArrayList<>(last);
    }

    private void keep(String line) {
        if (last.size() == KEPT) last.removeFirst();
        last.addLast(Instant.now() + " " + line);
    }

    private boolean mayWrite() {
        long now = System.nanoTime() / 1_000_000_000L;
        if (now != second) {
            if (dropped > 0) audit.log(Level.WARNING, "node=" + node + " lines left out=" + dropped);
            second = now;
            written = 0;
            dropped = 0;
        }
        if (++written <= MAX_A_SECOND) return true;
        dropped++;
        return false;
    }

    static String plain(String text) {
        if (text == null || text.isEmpty()) return "?";
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_CHARACTERS; i++) {
            char c = text.charAt(i);
            plain.append(c > ' ' && c != '"' && c < 127 || Character.isLetterOrDigit(c) ? c : '_');
        }
        return plain.toString();
    }
}
