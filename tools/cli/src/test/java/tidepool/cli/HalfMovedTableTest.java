package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.workload.QuiescentPoolCheck;

/** Tools see one table while its rows lie in two: none is left out, shown twice or counted twice. */
class HalfMovedTableTest {
    @TempDir
    private Path folder;

    private String url;

    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void toolsSeeOneTable(String protocol) throws IOException {
        url = "shm:" + folder.resolve("pool") + "?nodes=2&replicas=2&memory=16m&protocol=" + protocol;
        try (Tidepool pool = Tidepool.open(url)) {
            HalfMoved.make(pool);
        }
        List<String> exported = export("a.csv");
        assertEquals(HalfMoved.ROWS, Set.copyOf(exported).size());
        assertEquals(HalfMoved.ROWS, exported.size());
        for (int id = 0; id < HalfMoved.ROWS; id++)
            assertTrue(exported.contains(row(id, 10 * id, HalfMoved.note(id), HalfMoved.title(id), 3)), "row " + id);
        assertTrue(run("table", "list", url)
                .lines()
                .anyMatch(line -> line.matches("accounts +" + HalfMoved.ROWS + " .*")));

        // Rows that have moved, rows that have not, and new ones.
        Path file = Files.writeString(folder.resolve("b.csv"), "key,balance,note,title,level\n");
        for (int id = 0; id < HalfMoved.ROWS + 40; id += 20)
            Files.writeString(file, row(id, 7, "new", "x".repeat(id), 8) + "\n", StandardOpenOption.APPEND);
        run("table", "import", url, "accounts", file.toString(), "--duplicates", "replace");
        try (Tidepool pool = Tidepool.open(url)) {
            assertNotNull(HalfMoved.before(pool), "the import moves what it writes, and no other row");
            verify(pool);
        }
        Set<String> seen = new TreeSet<>(export("c.csv"));
        run("table", "alter", url, "accounts");
        assertEquals(seen, new TreeSet<>(export("d.csv")));
        assertEquals(HalfMoved.ROWS + 2, seen.size());
        assertTrue(seen.contains(row(420, 7, "new", "x".repeat(420), 8)));
        assertTrue(seen.contains(row(22, 220, "22 22 ", HalfMoved.title(22), 3)));
        try (Tidepool pool = Tidepool.open(url)) {
            assertNull(HalfMoved.before(pool));
            verify(pool);
        }
    }

    private static String row(int id, int balance, String note, String title, int level) {
        return id + "," + balance + "," + note + "," + title + "," + level;
    }

    /** The check of all bytes knows the rows of every protocol. */
    private static void verify(Tidepool pool) {
        QuiescentPoolCheck check = QuiescentPoolCheck.of(pool);
        assertEquals(List.of(), check.problems());
        assertTrue(check.present() > HalfMoved.ROWS, "present=" + check.present());
    }

    private List<String> export(String name) throws IOException {
        Path file = folder.resolve(name);
        run("table", "export", url, "accounts", file.toString(), "--no-types");
        List<String> lines = Files.readAllLines(file);
        assertEquals("key,balance,note,title,level", lines.getFirst());
        return lines.subList(1, lines.size());
    }

    private static String run(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(0, run.exitCode(), run::toString);
        return run.out();
    }
}
