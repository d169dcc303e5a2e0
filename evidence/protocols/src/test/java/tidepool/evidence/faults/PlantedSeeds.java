package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tidepool.testkit.Effort;

/**
 * The trial that shows each planted bug, from {@code planted-seeds.txt}. Quick and full runs repeat it, and fail if the
 * checks notice nothing. A night also searches from the first trial on and prints where it found the bug. With
 * {@code -Dtidepool.planted=find} a bug that its trial no longer shows is searched, and its new trial is written to the
 * file.
 */
public final class PlantedSeeds {
    private static final String FILE = "src/test/resources/planted-seeds.txt";
    private static final boolean FINDS = "find".equals(System.getProperty("tidepool.planted"));

    /** A search takes the fastest of this number of trials that show a bug, and stops at one that is fast. */
    private static final int COMPARED = 3;

    private static final long FAST_NANOS = 300_000_000;

    private PlantedSeeds() {}

    /** Asserts that the checks notice the planted bug of this name in the trial that the file has for it. */
    public static void isCaught(String name, PlantedTrials trials) {
        String trial = known().get(name);
        String noticed = trial == null ? null : trials.play(trial);
        if (Effort.current() == Effort.NIGHT) search(name, trials);
        else if (noticed == null && FINDS) {
            trial = find(name, trials);
            if (trial != null) noticed = trials.play(trial);
        }
        print(name, trial, noticed);
        assertNotNull(
                noticed,
                () -> name + " is not caught by the play of " + FILE + "; -Dtidepool.planted=find looks for another");
    }

    /** Returns the trial that the file has for the planted bug of this name. */
    static String trial(String name) {
        String trial = known().get(name);
        assertNotNull(trial, () -> FILE + " has no play of " + name);
        return trial;
    }

    /** Searches the first trial that shows the bug, as in the table of the documents. */
    private static void search(String name, PlantedTrials trials) {
        String[] noticed = new String[1];
        String first = trials.all()
                .filter(trial -> (noticed[0] = trials.play(trial)) != null)
                .findFirst()
                .orElse(null);
        print("first: " + name, first, noticed[0]);
        assertNotNull(first, name + " was not found");
    }

    private static String find(String name, PlantedTrials trials) {
        String best = null;
        long bestNanos = Long.MAX_VALUE;
        int found = 0;
        for (String trial : (Iterable<String>) trials.all()::iterator) {
            long begun = System.nanoTime();
            if (trials.play(trial) == null) continue;
            long nanos = System.nanoTime() - begun;
            if (nanos < bestNanos) {
                best = trial;
                bestNanos = nanos;
            }
            if (++found == COMPARED || bestNanos < FAST_NANOS) break;
        }
        if (best != null) write(name, best);
        return best;
    }

    private static void print(String name, String trial, String noticed) {
        String what = noticed == null ? "-" : noticed.lines().findFirst().orElse("");
        System.out.println("| " + name + " | " + trial + " | " + what + " |");
    }

    // ---- the file

    private static Map<String, String> known() {
        try (RandomAccessFile file = new RandomAccessFile(FILE, "r")) {
            return read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> read(RandomAccessFile file) throws IOException {
        byte[] bytes = new byte[(int) file.length()];
        file.seek(0);
        file.readFully(bytes);
        Map<String, String> seeds = new TreeMap<>();
        for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
            if (line.isBlank() || line.startsWith("#")) continue;
            String[] parts = line.strip().split("\\s+", 2);
            if (seeds.put(parts[0], parts[1]) != null) throw new IOException(FILE + " has " + parts[0] + " twice");
        }
        return seeds;
    }

    /** Writes under the lock of the file: tests run in two processes. */
    private static void write(String name, String trial) {
        try (RandomAccessFile file = new RandomAccessFile(FILE, "rw");
                var _ = file.getChannel().lock()) {
            Map<String, String> seeds = read(file);
            seeds.put(name, trial);
            StringBuilder text = new StringBuilder("# The play that shows each planted bug; see PlantedSeeds.\n");
            seeds.forEach((key, value) -> text.append(String.format("%-56s %s%n", key, value)));
            file.setLength(0);
            file.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
