package tidepool.memory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A barrier at which threads spin for each other, so that they start within nanoseconds and races really happen. On a
 * busy machine they often do not: then a test shows less, but never something wrong. A thread that waits for ten
 * seconds gives up: then another thread has failed, and the test shows its failure.
 */
final class StartLine {
    private static final long MAX_NANOS = 10_000_000_000L;

    private final int threads;
    private final AtomicInteger arrived = new AtomicInteger();

    StartLine(int threads) {
        this.threads = threads;
    }

    void await() {
        int mine = arrived.incrementAndGet();
        int everybody = (mine + threads - 1) / threads * threads;
        long from = System.nanoTime();
        for (int spins = 1; arrived.get() < everybody; spins++) {
            if (spins % 5_000 == 0) Thread.yield();
            else Thread.onSpinWait();
            if (System.nanoTime() - from > MAX_NANOS) throw new IllegalStateException("the others did not come");
        }
    }
}
