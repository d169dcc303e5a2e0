package tidepool.stress;

import java.io.Serial;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The place in the pool where the threads of one sample meet. jcstress lets its threads run through some hundred samples
 * between two of its own meetings, by which time they are often far apart; so they meet once more before each sample. A
 * thread does not wait long, because the other may not be running at all.
 */
final class Slot extends AtomicInteger {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MOST_SPINS = 200;

    /** Where the slot begins, in bytes of the region. */
    final long at = Port.zeroedSlot();

    private final int threads;

    Slot() {
        this(2);
    }

    Slot(int threads) {
        this.threads = Math.min(threads, PROCESSORS);
    }

    /** Waits a moment for the other threads of this sample, and lets all of them go at once. */
    void meet() {
        int here = incrementAndGet();
        for (int i = 0; here < threads && i < MOST_SPINS; i++) {
            Thread.onSpinWait();
            here = get();
        }
    }
}
