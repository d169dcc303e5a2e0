package tidepool.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A table in a document of what calls allocate. A JVM of its own measures it, with a compiler that removes no object:
 * what other compilers remove depends on the order in which they compile. {@code -Dtidepool.types=write} writes the
 * table.
 */
public final class AllocationTable {
    private static final List<String> OPTIONS = List.of(
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.vm=ALL-UNNAMED");
    private static final int CALLS = 2000;
    private static final int ROUNDS = 10;

    private AllocationTable() {}

    /** Compares the table below a head with the lines that a program prints. */
    public static void check(String document, String head, Class<?> program) throws IOException {
        String measured;
        try (ChildProcess child = ChildProcess.jvm(OPTIONS, program).start()) {
            measured = child.rest().strip();
            assertEquals(0, child.exitCode(), child::errors);
        }
        Path page = SourceTree.path(document);
        String text = Files.readString(page);
        int from = text.indexOf(head) + head.length();
        int end = text.indexOf("\n\n", from);
        if ("write".equals(System.getProperty("tidepool.types")))
            Files.writeString(page, text.substring(0, from) + measured + text.substring(end));
        else assertEquals(measured, text.substring(from, end), document);
    }

    /** Returns the bytes that a call allocates in this thread, in whole words: rare ones of a pool do not count. */
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
