package tidepool;

import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.txn.AbortReason;

/**
 * The outcome counts of one coordinator. One thread at a time counts, without atomic instructions, on cache lines that
 * no other thread writes. Other threads may read counts that are a little old.
 */
final class TxnCounts {
    private static final int LINE = 8; // words
    private static final int COMMITS = LINE;
    private static final int ABORTS = COMMITS + 1;

    private final AtomicLongArray words = new AtomicLongArray(ABORTS + AbortReason.values().length + LINE);

    void committed() {
        add(COMMITS, 1);
    }

    void aborted(AbortReason reason) {
        add(ABORTS + reason.ordinal(), 1);
    }

    long commits() {
        return words.getOpaque(COMMITS);
    }

    long aborts(AbortReason reason) {
        return words.getOpaque(ABORTS + reason.ordinal());
    }

    /** Adds the counts of another coordinator, which counts no more. */
    void add(TxnCounts other) {
        for (int i = COMMITS; i < words.length(); i++) add(i, other.words.getOpaque(i));
    }

    private void add(int i, long more) {
        words.setOpaque(i, words.getPlain(i) + more);
    }
}
