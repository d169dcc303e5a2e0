package tidepool.bench.race;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The memory that the machine can still give, as Linux reports it. A process that takes more is killed in the middle of
 * a round.
 */
final class FreeMemory {
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private FreeMemory() {}

    /** Throws an exception if this memory is not available. */
    static void require(long bytes) {
        long free = bytes();
        if (bytes > free)
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "not enough memory: pools on mem and tcp need %.1f GB, and %.1f GB are free",
                    bytes / 1e9,
                    free / 1e9));
    }

    /** Returns the available memory; the largest number if the system does not report it. */
    private static long bytes() {
        try {
            return parse(Files.readAllLines(MEMORY));
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    static long parse(List<String> lines) {
        for (String line : lines)
            if (line.startsWith("MemAvailable:")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        return Long.MAX_VALUE;
    }
}
