package tidepool.tcp.node;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Says in one line each who was refused and why, and what went wrong; remembers the last of them. What strangers say of
 * themselves is shortened and stripped, so that a line stays a line.
 */
final class Audit {
    private static final int KEPT = 16;
    private static final int MOST_CHARACTERS = 64;

    /** Lines of one second; behind that many they are only counted. */
    private static final int MOST_A_SECOND = 100;

    private final Logger audit = System.getLogger("tidepool.node.audit");
    private final Logger log = System.getLogger("tidepool.node");
    private final Deque<String> last = new ArrayDeque<>();
    private final String node;
    private long second;
    private int written;
    private long dropped;

    Audit(String node) {
        this.node = node;
    }

    /** Somebody was refused. */
    void refused(String address, String client, String why) {
        String line = "refused node=" + node + " from=" + address + " client=" + plain(client) + " " + why;
        keep(line);
        if (mayWrite()) audit.log(Level.WARNING, line);
    }

    /** Something happened that an operator wants to know. */
    void note(String what) {
        log.log(Level.INFO, "node=" + node + " " + what);
    }

    /** Something that should not happen did. */
    void failed(String what, Throwable cause) {
        keep(what + " (" + cause + ")");
        if (mayWrite()) log.log(Level.ERROR, "node=" + node + " " + what, cause);
    }

    /** The last lines, oldest first, each with its time. */
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
        if (++written <= MOST_A_SECOND) return true;
        dropped++;
        return false;
    }

    static String plain(String text) {
        if (text == null || text.isEmpty()) return "?";
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length() && i < MOST_CHARACTERS; i++) {
            char c = text.charAt(i);
            plain.append(c > ' ' && c != '"' && c < 127 || Character.isLetterOrDigit(c) ? c : '_');
        }
        return plain.toString();
    }
}
