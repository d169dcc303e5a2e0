package tidepool.protocol;

import java.util.concurrent.atomic.AtomicLong;
import tidepool.base.Checks;
import tidepool.store.TxnId;

/**
 * The source of transaction counters for the coordinators of one session. It hands them out in blocks, so that
 * coordinators rarely contend. When all are used, the session gets no more. Otherwise a second pass would give two
 * transactions one id.
 */
public final class TxnCounter {
    /** Counters of a block. */
    public static final long BLOCK = 1 << 12;

    private final AtomicLong next;

    /** Makes the counter of a new session. */
    public TxnCounter() {
        this(0);
    }

    /** Makes a counter of which {@code blocks} blocks are used already, for tests of exhaustion. */
    public TxnCounter(long blocks) {
        Checks.argument(blocks >= 0 && blocks <= blocks(), "a session has " + blocks() + " blocks, not " + blocks);
        next = new AtomicLong(1 + blocks * BLOCK);
    }

    /** Returns how many blocks a session has: all whole blocks that fit into an id. */
    public static long blocks() {
        return TxnId.LAST_COUNTER / BLOCK;
    }

    /** Returns the first counter of a block that no other coordinator gets. */
    public long block() {
        long first = next.getAndAdd(BLOCK);
        if (first + BLOCK - 1 <= TxnId.LAST_COUNTER) return first;
        next.addAndGet(-BLOCK); // repeated calls must not make the counter wrap around either
        throw new TxnIdsExhaustedException(
                "the session has used all of its 2^40 transaction ids; it takes a new session");
    }

    /** Whether a counter is the last of its block; also true of 0, which belongs to no block. */
    public static boolean isLastOfBlock(long counter) {
        return counter % BLOCK == 0;
    }
}
