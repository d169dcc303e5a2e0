package tidepool.protocol;

import java.util.concurrent.atomic.AtomicLong;

/** Hands out blocks of transaction counters to the coordinators of one session, so that they rarely meet. */
public final class TxnCounter {
    private static final long BLOCK = 1 << 12;

    private final AtomicLong next = new AtomicLong(1);

    /** One for each session. */
    public TxnCounter() {}

    /** The first of a run of counters that nobody else gets. */
    public long block() {
        return next.getAndAdd(BLOCK);
    }

    /** Whether a counter is the last of its run; also true of 0, which belongs to none. */
    public static boolean isLastOfBlock(long counter) {
        return counter % BLOCK == 0;
    }
}
