package tidepool.store;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * The queue of transactions that wait for an object, in HDTX: one word after the object, on the primary. The queue
 * word orders requests; only the object's LOCK grants. It follows the lock word of the slides, except that the
 * visibility and reserved bits, and one bit of each counter, hold a count of how often normal requests were passed
 * over.
 *
 * <pre>
 *    63     58 57        44 43        30 29        15 14         0
 *    +--------+------------+------------+------------+------------+
 *    |   B    |  Pc 14 bit |  Pm 14 bit |  Nc 15 bit |  Nm 15 bit |
 *    +--------+------------+------------+------------+------------+
 *      Nm  the next normal ticket      Nc  the normal ticket whose turn it is
 *      Pm, Pc  next ticket and current ticket of requests with priority
 *      B   requests with priority that were served since a normal one was, while normal ones waited
 * </pre>
 *
 * Tickets are drawn by masked FAA and counters move by masked CAS, so that no field carries into the next one when it
 * wraps around. Zeroed memory is an empty queue.
 *
 * <pre>
 *    field       written by                                        read by
 *    Nm, Pm      a request that joins the queue: FAA               that request: the word found is its ticket; all
 *                (HdtxVerbs.draw)                                  that poll
 *    Nc, Pc, B   the transaction that has got the lock, and one    requests that wait (HdtxVerbs.poll): is it their
 *                that gives up its ticket: masked CAS (advance);   turn, how long do they pause, is the head stuck
 *                a request that waits for a head that does not
 *                move: CAS of the whole word (skip)
 * </pre>
 *
 * No recovery writes here: a ticket of a dead session is skipped by the next request.
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

    /** The highest count of requests with priority that passed normal ones. */
    public static final int MAX_PASSED = (1 << 64 - B) - 1;

    /** The top bit of each field, over which no carry goes. */
    public static final long TOPS = 1L << NC - 1 | 1L << PM - 1 | 1L << PC - 1 | 1L << B - 1 | 1L << 63;

    /** In a lock word: some transaction is in the queue, so new requests must join it too. */
    public static final long WAITED = TxnId.R;

    static {
        Checks.invariant(B == 58, "the fields fill the word", B);
    }

    private QueueWord() {}

    /** Returns the offset of an object's queue word. Heads have room for it in their 64 bytes. */
    public static long offset(long pointer, long bodyBytes) {
        return SlotTrailer.offset(pointer, bodyBytes);
    }

    /** Returns the word of two empty queues with these next tickets. */
    public static long empty(int normal, int priority) {
        return served(normal, false) | normal | served(priority, true) | (long) priority << PM;
    }

    /** Returns the ticket that follows another one. */
    public static int after(int ticket, boolean priority) {
        return ticket + 1 & (1 << (priority ? P_BITS : N_BITS)) - 1;
    }

    /** Returns the addend that draws a ticket. */
    public static long draw(boolean priority) {
        return priority ? 1L << PM : 1;
    }

    /** Returns the ticket that was drawn, from the word found. */
    public static int drawn(long word, boolean priority) {
        return priority ? field(word, PM, P_BITS) : field(word, 0, N_BITS);
    }

    /** Returns the word as it is after a ticket was drawn. */
    public static long withNext(long word, boolean priority) {
        int next = after(drawn(word, priority), priority);
        return priority ? word & ~mask(PM, P_BITS) | (long) next << PM : word & ~mask(0, N_BITS) | next;
    }

    /** Returns how many tickets of both queues were served or skipped between two reads of the word. */
    public static int servedSince(long word, long earlier) {
        return (served(word, true) - served(earlier, true) & (1 << P_BITS) - 1)
                + (served(word, false) - served(earlier, false) & (1 << N_BITS) - 1);
    }

    /** Returns the number of tickets before this one in its own queue; negative if it was passed. */
    public static int before(long word, int ticket, boolean priority) {
        int bits = priority ? P_BITS : N_BITS;
        int distance = ticket - served(word, priority) & (1 << bits) - 1;
        return distance < 1 << bits - 1 ? distance : -1;
    }

    /** Returns whether a request waits in a queue. */
    public static boolean isWaitedFor(long word, boolean priority) {
        return priority
                ? field(word, PM, P_BITS) != field(word, PC, P_BITS)
                : field(word, 0, N_BITS) != field(word, NC, N_BITS);
    }

    /** Returns how many requests wait in a queue. */
    public static int length(long word, boolean priority) {
        return Math.max(0, before(word, drawn(word, priority), priority));
    }

    public static int passed(long word) {
        return (int) (word >>> B);
    }

    /**
     * Returns whether it is the turn of the queue with priority. It is, unless that queue is empty or has passed the
     * normal one often enough.
     *
     * @param bound how often normal requests may be passed over
     */
    public static boolean isTurnOfPriority(long word, int bound) {
        return isWaitedFor(word, true) && !(isWaitedFor(word, false) && passed(word) >= bound);
    }

    public static boolean isTurnOf(long word, int ticket, boolean priority, int bound) {
        return before(word, ticket, priority) == 0 && isTurnOfPriority(word, bound) == priority;
    }

    // ---- advancing, by masked CAS from the ticket that was served

    /** Returns the mask of the bits that must equal {@link #served(int, boolean)}. */
    public static long servedMask(boolean priority) {
        return priority ? mask(PC, P_BITS) : mask(NC, N_BITS);
    }

    /** Returns the counter of a queue when it is this ticket's turn. */
    public static long served(int ticket, boolean priority) {
        return (long) ticket << (priority ? PC : NC);
    }

    /** Returns the mask of the bits that change. */
    public static long nextMask(boolean priority) {
        return servedMask(priority) | mask(B, 64 - B);
    }

    /**
     * Returns the new bits once a ticket is served or skipped: the turn of the next ticket, and a count of passed
     * requests that grows by one or is cleared.
     */
    public static long next(long word, int ticket, boolean priority) {
        long passed = priority && isWaitedFor(word, false) ? Math.min(passed(word) + 1, MAX_PASSED) : 0;
        return passed << B | served(after(ticket, priority), priority);
    }

    /** Returns the ticket whose turn it is. */
    public static int served(long word, boolean priority) {
        return priority ? field(word, PC, P_BITS) : field(word, NC, N_BITS);
    }

    private static int field(long word, int at, int bits) {
        return (int) (word >>> at) & (1 << bits) - 1;
    }

    private static long mask(int at, int bits) {
        return (1L << bits) - 1 << at;
    }

    /** Returns the word as readable text. */
    public static String text(long word) {
        return "normal " + served(word, false) + " of " + drawn(word, false) + ", priority " + served(word, true)
                + " of " + drawn(word, true) + ", passed " + passed(word);
    }
}
