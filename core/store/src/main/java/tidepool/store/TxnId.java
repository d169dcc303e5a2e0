package tidepool.store;

import tidepool.base.Checks;
import tidepool.fabric.Session;

/**
 * The id of one attempt of a transaction: session 23 bits, coordinator's counter 40 bits. A retry takes a new id. No id
 * is ever used again in a pool's life, so an id in a lock or a version names one attempt for good.
 *
 * <pre>
 *    63        62 … 40      39 … 0
 *    +------+------------+-----------+
 *    | flag |  session   |  counter  |     flag: R in a lock word, INV in a version word, 0 in an id
 *    +------+------------+-----------+
 * </pre>
 */
public final class TxnId {
    /** In a lock word: the holder has, or may yet have, read-only data. */
    public static final long R = 1L << 63;

    /** In a version word: written, not yet visible. */
    public static final long INV = 1L << 63;

    private static final int COUNTER_BITS = 40;
    private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;

    /** The highest counter that an id has room for. */
    public static final long LAST_COUNTER = COUNTER_MASK;

    private static final long ID_MASK = ~(1L << 63);

    /** The bits of an id that name its session. */
    public static final long SESSION_MASK = ID_MASK & ~COUNTER_MASK;

    static {
        Checks.invariant(Session.NUMBER_BITS + COUNTER_BITS == 63, "an id leaves one bit for a flag");
    }

    private TxnId() {}

    public static long of(int session, long counter) {
        Checks.invariant(counter > 0 && counter <= COUNTER_MASK, "a coordinator's counter has 40 bits", counter);
        return (long) session << COUNTER_BITS | counter;
    }

    public static int session(long idOrWord) {
        return (int) ((idOrWord & ID_MASK) >>> COUNTER_BITS);
    }

    public static long counter(long idOrWord) {
        return idOrWord & COUNTER_MASK;
    }

    /** Returns the id in a lock or version word, without its flag. */
    public static long of(long word) {
        return word & ID_MASK;
    }

    public static String text(long idOrWord) {
        return session(idOrWord) + "." + counter(idOrWord);
    }

    /** Reads the text that {@link #text} wrote. */
    public static long parse(String text) {
        int dot = text.indexOf('.');
        Checks.argument(dot > 0, "a transaction id is written session.counter, not '" + text + "'");
        try {
            return of(Integer.parseInt(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a transaction id is written session.counter, not '" + text + "'", e);
        }
    }
}
