package tidepool.protocol.ford;

import java.util.concurrent.atomic.AtomicLong;

/** Hands out blocks of transaction counters to the coordinators of one session, so that they rarely meet. */
public final class TxnCounter {
    private static final long BLOCK = 1 << 12;

    private final AtomicLong next = new AtomicLong(1);

    /** One for each session. */
    public TxnCounter() {}

    long block() {
        return next.getAndAdd(BLOCK);
    }

    static boolean isLastOfBlock(long counter) {
        return counter % BLOCK == 0;
    }
}
