package tidepool.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that a thread allocates, by the JVM's own count for the calling thread. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Bytes so far; asking allocates nothing that would be counted between two questions. */
    public static long ofThisThread() {
        THREADS.getCurrentThreadAllocatedBytes(); // the first call allocates for itself
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Bytes so far of another thread. */
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
