package tidepool.stress;

import java.io.Serial;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The words of the pool that the threads of one sample share. jcstress lets its threads run through some hundred
 * samples between two synchronizations of its own, after which they are often far apart. Therefore they synchronize
 * once more before each sample. A thread does not wait long, because the other may not be running at all.
 */
final class Slot extends AtomicInteger {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    private static final int MAX_SPINS = 200;

    /** Offset of the slot, in bytes of the region. */
    final long at = Port.zeroedSlot();

    private final int threads;

    Slot() {
        this(2);
    }

    Slot(int threads) {
        this.threads = Math.min(threads, PROCESSORS);
    }

    /** Waits up to MAX_SPINS spins for the other threads of this sample, so that all of them start at once. */
    void meet() {
        int here = incrementAndGet();
        for (int i = 0; here < threads && i < MAX_SPINS; i++) {
            Thread.onSpinWait();
            here = get();
        }
    }
}
