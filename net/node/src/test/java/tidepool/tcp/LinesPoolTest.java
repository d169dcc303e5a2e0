package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;

/**
 * FORD on three nodes of persistent memory that lose their power, or are killed, in the middle of a commit. All
 * reported transactions are there, and of every transaction all or nothing. Each teller adds 1 to both of its rows.
 */
class LinesPoolTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int TELLERS = 2;
    private static final int STORIES = 3;
    private static final int ENDS = 3;

    /** A number. */
    public record Row(@Key long key, long value) {}

    @TempDir
    Path dir;

    private final long[] begun = new long[TELLERS];
    private final long[] reported = new long[TELLERS];

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(strings = {"selective", "full"})
    void nothingThatWasReportedIsLost(String flush) throws IOException, InterruptedException {
        int lost = 0;
        for (int story = 1; story <= STORIES; story++) lost += play(story, flush, 0.5, false);

        assertTrue(lost > 0, "nothing was lost that was not forced");
    }

    /** So that the test before this one can fail. */
    @Test
    void linesThatAreNotForcedAreMissed() throws IOException, InterruptedException {
        String missed = null;
        try {
            play(1, "selective", 0, true);
        } catch (AssertionError e) {
            missed = e.getMessage();
        }
        assertTrue(missed != null && missed.contains("reported"), "what was not forced is missed: " + missed);
    }

    /** Returns how many words were lost. */
    private int play(int seed, String flush, double survives, boolean lazy) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        int lost = 0;
        LinesNodes nodes = new LinesNodes(Files.createTempDirectory(dir, "story"), random.split());
        try {
            try (Tidepool pool = open(nodes, flush)) {
                Table<Row> rows = pool.table("rows", Row.class, 2 * TELLERS);
                for (long key = 0; key < 2 * TELLERS; key++) insert(pool, rows, key);
            }
            for (int teller = 0; teller < TELLERS; teller++) begun[teller] = reported[teller] = 0;
            for (int end = 0; end < ENDS; end++) {
                nodes.isLazy = lazy;
                work(nodes, flush, 20 + random.nextInt(200), survives);
                lost += nodes.lost();
                nodes = nodes.startAgain();
                look(nodes, flush);
            }
        } finally {
            nodes.close();
        }
        return lost;
    }

    private static Tidepool open(LinesNodes nodes, String flush) {
        String where = nodes.url() + "/bank";
        try (Fabric fabric = Fabric.open(where)) {
            assertFalse(fabric.persistsInOrder(), "nodes of lines keep no order");
        }
        return Tidepool.open(where + "?protocol=ford&replicas=2&memory=1m&coordinators=4&log=4k&flush=" + flush);
    }

    private static void insert(Tidepool pool, Table<Row> rows, long key) {
        pool.transact(tx -> rows.insert(tx, new Row(key, 0)));
    }

    private void work(LinesNodes nodes, String flush, int forces, double survives) throws InterruptedException {
        try (Tidepool pool = open(nodes, flush)) {
            Table<Row> rows = pool.table("rows", Row.class);
            nodes.endAfter(forces, survives);
            Thread[] tellers = new Thread[TELLERS];
            for (int i = 0; i < TELLERS; i++) {
                int teller = i;
                tellers[i] = Thread.ofPlatform().start(() -> {
                    while (!nodes.isOver()) addOne(pool, rows, teller, nodes);
                });
            }
            for (Thread teller : tellers) teller.join();
        }
    }

    private void addOne(Tidepool pool, Table<Row> rows, int teller, LinesNodes nodes) {
        begun[teller]++;
        pool.transact(tx -> {
            var one = rows.update(tx, 2L * teller);
            var other = rows.update(tx, 2L * teller + 1);
            one.set(new Row(2L * teller, one.get().value() + 1));
            other.set(new Row(2L * teller + 1, other.get().value() + 1));
        });
        if (!nodes.isOver()) reported[teller] = begun[teller];
    }

    private void look(LinesNodes nodes, String flush) {
        try (Tidepool pool = open(nodes, flush)) {
            Table<Row> rows = pool.table("rows", Row.class);
            for (int teller = 0; teller < TELLERS; teller++) {
                long one = value(pool, rows, 2L * teller);
                long other = value(pool, rows, 2L * teller + 1);
                String told = "teller " + teller + " has " + one + " and " + other + ", reported " + reported[teller]
                        + " of " + begun[teller];
                assertTrue(one == other && one >= reported[teller] && one <= begun[teller], told);
                begun[teller] = one;
                reported[teller] = one;
            }
        }
    }

    private static long value(Tidepool pool, Table<Row> rows, long key) {
        return pool.read(tx -> rows.get(tx, key).value());
    }
}
