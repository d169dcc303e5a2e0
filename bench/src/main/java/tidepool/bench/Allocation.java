package tidepool.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that a loop allocates per round, by the JVM's own count for the calling thread. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static double perRound(Loop loop, int rounds) {
        THREADS.getCurrentThreadAllocatedBytes(); // the first call allocates for itself
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long own = THREADS.getCurrentThreadAllocatedBytes() - before;
        before = THREADS.getCurrentThreadAllocatedBytes();
        Sink.keep(loop.run(rounds));
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before - own;
        return (double) bytes / rounds;
    }
}
