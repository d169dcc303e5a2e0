package tidepool.protocol;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Checks;
import tidepool.store.TxnId;

/**
 * Hands out blocks of transaction counters to the coordinators of one session, so that they rarely meet. When they are
 * used up the session gets none any more: beginning anew would give two transactions one id.
 */
public final class TxnCounter {
    private static final long BLOCK = 1 << 12;

    private final AtomicLong next;

    /** One for each session. */
    public TxnCounter() {
        this(0);
    }

    /** One of which so many blocks are used already: for those who want to see its end. */
    public TxnCounter(long blocks) {
        Checks.argument(blocks >= 0 && blocks <= blocks(), "a session has " + blocks() + " blocks, not " + blocks);
        next = new AtomicLong(1 + blocks * BLOCK);
    }

    /** How many blocks a session has: all whole ones that an id has room for. */
    public static long blocks() {
        return TxnId.LAST_COUNTER / BLOCK;
    }

    /** Counters of a block. */
    public static long blockSize() {
        return BLOCK;
    }

    /** The first of a run of counters that nobody else gets. */
    public long block() {
        long first = next.getAndAdd(BLOCK);
        if (first + BLOCK - 1 <= TxnId.LAST_COUNTER) return first;
        next.addAndGet(-BLOCK); // asked again and again, it must not come round either
        throw new IdsUsedUpException("the session has used all of its 2^40 transaction ids; it takes a new session");
    }

    /** Whether a counter is the last of its run; also true of 0, which belongs to none. */
    public static boolean isLastOfBlock(long counter) {
        return counter % BLOCK == 0;
    }
}
