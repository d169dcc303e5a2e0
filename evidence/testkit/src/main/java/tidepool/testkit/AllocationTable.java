package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Tables in a document of what calls allocate. A JVM of its own measures them, with the interpreter and C1, which
 * remove no object. So a figure is exact, and equal in every run: what C2 removes depends on what it compiles first,
 * and differs from run to run on a busy machine. C2 only removes, so the figures are bounds for it.
 * {@code -Dtidepool.docs.write=true} writes the tables.
 */
public final class AllocationTable {
    private static final List<String> OPTIONS = List.of(
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED");
    private static final int CALLS = 500;
    private static final int ROUNDS = 8;

    private AllocationTable() {}

    /** Compares the tables below these heads with those that a program prints, with empty lines between them. */
    public static void check(String document, Class<?> program, String... heads) throws IOException {
        String[] measured;
        try (ChildProcess child = ChildProcess.jvm(OPTIONS, program).start()) {
            measured = child.rest().strip().split("\n\n");
            assertEquals(0, child.exitCode(), child::errors);
        }
        assertEquals(heads.length, measured.length, "tables that were printed");
        for (int i = 0; i < heads.length; i++) DocTable.check(document, heads[i], measured[i]);
    }

    /**
     * Returns the bytes that a call allocates in this thread, in whole words: those of the round with the fewest, so
     * that what a pool allocates rarely does not count.
     */
    public static long perCall(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) call.run();
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / CALLS & -8);
        }
        return least;
    }
}
