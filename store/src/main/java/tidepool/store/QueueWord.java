package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * The line of those who wait for an object, in HDTX: one word behind the object, on the primary. It orders; it never grants:
 * the object's LOCK does. After the slides' lock word, with the visibility and reserved bits, and one of each counter, given
 * to a count of how often normal requests were passed over.
 *
 * <pre>
 *    63     58 57        44 43        30 29        15 14         0
 *    +--------+------------+------------+------------+------------+
 *    |   B    |  Pc 14 bit |  Pm 14 bit |  Nc 15 bit |  Nm 15 bit |
 *    +--------+------------+------------+------------+------------+
 *      Nm  the next normal ticket      Nc  the normal ticket whose turn it is
 *      Pm, Pc  the same for requests with priority
 *      B   requests with priority that were served since a normal one was, while normal ones waited
 * </pre>
 *
 * Tickets are drawn by masked FAA and counters move by masked CAS, so that no field carries into the next one when it comes
 * round. Zeroed memory is an empty line.
 */
public final class QueueWord {
    public static final StructLayout WORD =
            MemoryLayout.structLayout(U64.withName("line")).withName("queue-word");

    private static final int N_BITS = 15;
    private static final int P_BITS = 14;
    private static final int NC = N_BITS;
    private static final int PM = 2 * N_BITS;
    private static final int PC = PM + P_BITS;
    private static final int B = PC + P_BITS;

    /** The highest count of requests that passed normal ones. */
    public static final int MOST_PASSED = (1 << 64 - B) - 1;

    /** The top bit of each field, over which no carry goes. */
    public static final long TOPS = 1L << NC - 1 | 1L << PM - 1 | 1L << PC - 1 | 1L << B - 1 | 1L << 63;

    /** In a lock word: somebody stands in line, so whoever comes anew does too. */
    public static final long WAITED = TxnId.R;

    static {
        Checks.invariant(B == 58, "the fields fill the word", B);
    }

    private QueueWord() {}

    /** Where the word of an object lies, from the object's own place on; heads have room for it in their 64 bytes. */
    public static long offset(long pointer, long bodyBytes) {
        return SlotTail.offset(pointer, bodyBytes);
    }

    /** Lines in which nobody stands, and whose next tickets these are. */
    public static long empty(int normal, int priority) {
        return served(normal, false) | normal | served(priority, true) | (long) priority << PM;
    }

    /** The ticket behind another one. */
    public static int after(int ticket, boolean priority) {
        return ticket + 1 & (1 << (priority ? P_BITS : N_BITS)) - 1;
    }

    /** What is added to draw a ticket. */
    public static long draw(boolean priority) {
        return priority ? 1L << PM : 1;
    }

    /** The ticket that was drawn, of the word found. */
    public static int drawn(long word, boolean priority) {
        return priority ? field(word, PM, P_BITS) : field(word, 0, N_BITS);
    }

    /** The word as it is behind the drawing of a ticket. */
    public static long withNext(long word, boolean priority) {
        int next = after(drawn(word, priority), priority);
        return priority ? word & ~mask(PM, P_BITS) | (long) next << PM : word & ~mask(0, N_BITS) | next;
    }

    /** How many tickets of both lines were served or skipped between two looks. */
    public static int servedSince(long word, long earlier) {
        return (served(word, true) - served(earlier, true) & (1 << P_BITS) - 1)
                + (served(word, false) - served(earlier, false) & (1 << N_BITS) - 1);
    }

    /** Those in front of a ticket in its own line; negative if it was passed. */
    public static int before(long word, int ticket, boolean priority) {
        int bits = priority ? P_BITS : N_BITS;
        int distance = ticket - served(word, priority) & (1 << bits) - 1;
        return distance < 1 << bits - 1 ? distance : -1;
    }

    /** Whether anybody stands in a line. */
    public static boolean isWaitedFor(long word, boolean priority) {
        return priority
                ? field(word, PM, P_BITS) != field(word, PC, P_BITS)
                : field(word, 0, N_BITS) != field(word, NC, N_BITS);
    }

    /** How many stand in a line. */
    public static int length(long word, boolean priority) {
        return Math.max(0, before(word, drawn(word, priority), priority));
    }

    public static int passed(long word) {
        return (int) (word >>> B);
    }

    /**
     * Which line's turn it is: that of priority, unless it is empty or has passed the other one often enough.
     *
     * @param bound how often normal requests may be passed over
     */
    public static boolean isTurnOfPriority(long word, int bound) {
        return isWaitedFor(word, true) && !(isWaitedFor(word, false) && passed(word) >= bound);
    }

    public static boolean isTurnOf(long word, int ticket, boolean priority, int bound) {
        return before(word, ticket, priority) == 0 && isTurnOfPriority(word, bound) == priority;
    }

    // ---- moving on, by masked CAS from the ticket that was served

    /** The bits that must be as {@link #served(int, boolean)} says. */
    public static long servedMask(boolean priority) {
        return priority ? mask(PC, P_BITS) : mask(NC, N_BITS);
    }

    /** The counter of a line as it is when it is this ticket's turn. */
    public static long served(int ticket, boolean priority) {
        return (long) ticket << (priority ? PC : NC);
    }

    /** The bits that change. */
    public static long nextMask(boolean priority) {
        return servedMask(priority) | mask(B, 64 - B);
    }

    /** What they become, once a ticket is served or skipped: the next one's turn, and one more that was passed, or none. */
    public static long next(long word, int ticket, boolean priority) {
        long passed = priority && isWaitedFor(word, false) ? Math.min(passed(word) + 1, MOST_PASSED) : 0;
        return passed << B | served(after(ticket, priority), priority);
    }

    /** The ticket whose turn it is. */
    public static int served(long word, boolean priority) {
        return priority ? field(word, PC, P_BITS) : field(word, NC, N_BITS);
    }

    private static int field(long word, int at, int bits) {
        return (int) (word >>> at) & (1 << bits) - 1;
    }

    private static long mask(int at, int bits) {
        return (1L << bits) - 1 << at;
    }

    /** As a person reads it. */
    public static String text(long word) {
        return "normal " + served(word, false) + " of " + drawn(word, false) + ", priority " + served(word, true)
                + " of " + drawn(word, true) + ", passed " + passed(word);
    }
}
