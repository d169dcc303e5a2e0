package tidepool.bench.race;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How much memory the machine can still give, as Linux says; whoever takes more is killed in the middle of a round. */
final class FreeMemory {
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private FreeMemory() {}

    /** Ends with a sentence if there is not so much. */
    static void require(long bytes) {
        long free = bytes();
        if (bytes > free)
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "not enough memory: pools on mem and tcp need %.1f GB, and %.1f GB are free",
                    bytes / 1e9,
                    free / 1e9));
    }

    /** What is free; as much as can be said where nobody tells. */
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
