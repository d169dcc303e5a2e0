package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** A count of the bytes that an action allocates, once it has warmed up. */
final class AllocatedBytes {
    private static final int TIMES = 20_000;
    private static final int SLACK_BYTES = 4096; // of the JVM itself, for all repetitions together

    private AllocatedBytes() {}

    static void none(Runnable act) {
        atMost(0, act);
    }

    static void atMost(int bytesEach, Runnable act) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) { // linking and compiling may still allocate in the first ones
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < TIMES; i++) act.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        long measured = least;
        assertTrue(
                measured <= (long) TIMES * bytesEach + SLACK_BYTES,
                () -> "allocated bytes per repetition: " + (double) measured / TIMES);
    }
}
