package tidepool.memory;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A barrier at which threads spin for each other, so that they start within nanoseconds and races really happen. On a
 * busy machine they often start later. Then fewer races happen, and the test still has the right result. A thread that
 * waits for ten seconds gives up, because another thread has failed. The test shows that failure.
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
        int expected = (mine + threads - 1) / threads * threads;
        long from = System.nanoTime();
        for (int spins = 1; arrived.get() < expected; spins++) {
            if (spins % 5_000 == 0) Thread.yield();
            else Thread.onSpinWait();
            if (System.nanoTime() - from > MAX_NANOS) throw new IllegalStateException("the others did not come");
        }
    }
}
