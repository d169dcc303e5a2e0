package tidepool.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counter of the bytes that a thread allocates, as the JVM counts them. */
public final class AllocationCounter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocationCounter() {}

    /**
     * Returns the bytes of the calling thread so far. The query itself allocates nothing that counts between two
     * queries.
     */
    public static long ofThisThread() {
        THREADS.getCurrentThreadAllocatedBytes(); // the first call allocates for itself
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Returns the bytes of another thread so far. */
    public static long of(Thread thread) {
        return THREADS.getThreadAllocatedBytes(thread.threadId());
    }

    static double perRound(Loop loop, int rounds) {
        long before = ofThisThread();
        long own = ofThisThread() - before;
        before = ofThisThread();
        Sink.keep(loop.run(rounds));
        long bytes = ofThisThread() - before - own;
        return (double) bytes / rounds;
    }
}
