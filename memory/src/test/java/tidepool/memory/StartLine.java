package tidepool.memory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads wait here for each other without sleeping, so that they start within nanoseconds and races are really run
 * (on a machine that is busy with other things they often are not: then a test shows less, but never something wrong).
 * Who waits for ten seconds gives up: then another thread has failed, and its failure is what the test shows.
 */
final class StartLine {
    private static final long MOST_NANOS = 10_000_000_000L;

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
            if (System.nanoTime() - from > MOST_NANOS) throw new IllegalStateException("the others did not come");
        }
    }
}
