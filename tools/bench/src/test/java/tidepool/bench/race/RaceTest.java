package tidepool.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.workload.measured.Scale;

/** A race runs as described, in processes, and its reports hold the figures. Speed is not checked here. */
class RaceTest {
    @TempDir
    Path folder;

    static RaceOptions options(String workload, RaceEntry... entries) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new RaceOptions(
                workload,
                Scale.PAPER,
                List.of(entries),
                PoolShape.USUAL,
                2,
                1,
                0,
                0,
                2,
                100,
                100,
                false,
                1,
                classPath,
                List.of("-Xms64m"));
    }

    /** Contenders in separate processes, rounds in turns, figures in the tables and in the files. */
    @Test
    void contendersRaceInTurns() throws Exception {
        List<String> progress = new ArrayList<>();
        Race race = new Race(
                options(
                        "kvs?records=1k",
                        RaceEntry.ours("ford", "shm"),
                        RaceEntry.ours("farm", "mem"),
                        RaceEntry.ours("ford", "tcp")),
                progress::add);
        RaceResult result = race.run(partial -> {});
        List<String> lines = new ArrayList<>();
        result.print(lines::add);

        assertTrue(result.isRight(), lines.toString());
        assertEquals(
                List.of(
                        "round 1 of 2: farm/mem",
                        "round 1 of 2: ford/tcp",
                        "round 1 of 2: ford/shm",
                        "round 2 of 2: ford/tcp"),
                progress.stream()
                        .filter(line -> line.matches("round \\d of \\d: \\S+"))
                        .limit(4)
                        .toList());
        assertFalse(Files.exists(Path.of(race.where())), "its files are gone");
        String table = String.join("\n", lines);
        assertTrue(table.contains("retries: an aborted attempt is made again until it commits"), table);
        for (String row : List.of("ford/shm", "farm/mem", "ford/tcp"))
            assertTrue(lines.stream().anyMatch(line -> line.startsWith(row) && line.endsWith("right")), table);

        Path json = folder.resolve("race.json");
        result.writeJson(json);
        EarlierReport read = EarlierReport.read(json);
        for (String contender : List.of("ford/shm", "farm/mem", "ford/tcp")) {
            Map<String, String> figures = read.of(contender);
            assertEquals("kvs", figures.get("workload"));
            assertEquals("2", figures.get("threads"));
            assertEquals("true", figures.get("checked"));
            for (String figure : List.of(
                    "commitsPerSecond",
                    "p50Micros",
                    "p99Micros",
                    "roundTripsPerTransaction",
                    "cpuMicrosPerTransaction"))
                assertTrue(Double.parseDouble(figures.get(figure)) > 0, figure + " of " + figures);
            for (String figure : List.of("abortsPerSecond", "bytesAllocatedPerTransaction"))
                assertTrue(Double.parseDouble(figures.get(figure)) >= 0, figure + " of " + figures);
        }

        Path html = folder.resolve("race.html");
        result.writeHtml(html, "1.2.3");
        String page = Files.readString(html);
        assertEquals(2, page.split("<svg", -1).length - 1, "throughput and latency");
        assertEquals(6, page.split("<polyline", -1).length - 1, "of three contenders");
        for (String missing : List.of("http:", "https:", "<script", "src=", "url("))
            assertFalse(page.contains(missing), "a page of its own: " + missing);
        for (String part : List.of("By type", "Aborted attempts by reason", "1.2.3", "Machine and versions"))
            assertTrue(page.contains(part), part);

        List<String> since = new ArrayList<>();
        result.printComparison(read, since::add);
        assertTrue(since.toString().contains("within the spread"), since.toString());
        assertTrue(since.toString().contains("+0.0 %"), since.toString());
    }

    /** A process that fails reports why, in the words of the store, and leaves nothing. */
    @Test
    void aContenderThatCannotBeginIsNamed() {
        Race race = new Race(options("smallbank-of-nobody", RaceEntry.ours("ford", "mem")), line -> {});
        assertThrows(IllegalArgumentException.class, () -> race.run(partial -> {}));

        Race unknown = new Race(options("kvs?records=1k", RaceEntry.ours("fjord", "mem")), line -> {});
        var failed = assertThrows(IllegalStateException.class, () -> unknown.run(partial -> {}));
        assertTrue(failed.getMessage().startsWith("fjord/mem failed: unknown protocol 'fjord'"), failed.getMessage());
        assertFalse(Files.exists(Path.of(unknown.where())));
    }

    /** A store that does not hold what was committed makes the whole race wrong, and the table reports the fault. */
    @Test
    void aFailedCheckIsToldInTheTable() {
        RaceOptions options = options("kvs?records=1k", RaceEntry.ours("ford", "mem"));
        Standing standing = new Standing(RaceEntry.ours("ford", "mem"), "", List.of("read", "write", "mixed"));
        FakeContender contender = new FakeContender(number -> new FakeContender.FakeDriver());
        try (ContenderThreads contenderThreads = new ContenderThreads(contender, new ThreadOptions(1, 1, 0, 1))) {
            RoundResult round = contenderThreads.round(20_000_000, progress -> {});
            TypeTally none = new TypeTally();
            List<TypeTally> types = List.of(round.types().get(0), round.types().get(1), none);
            standing.add(new RoundResult(
                    round.nanos(), types, none, Map.of(), Map.of(), 0, List.of(new TimePoint(0, 0)), 0));
        }
        standing.checked(List.of("key 7 is missing"));
        RaceResult result = new RaceResult(options, List.of(standing), false);
        List<String> lines = new ArrayList<>();
        result.print(lines::add);

        assertFalse(result.isRight());
        assertTrue(lines.contains("WRONG     ford/mem: key 7 is missing"), lines.toString());
    }

    /** Memory ends in the middle of a race: the rounds before are told, and then the sentence of the pool. */
    @Test
    void aPoolThatIsFullEndsTheRaceWithItsFigures() {
        RaceOptions asked = options("tpcc?warehouses=1&customers=20&items=100&orders=1", RaceEntry.ours("ford", "mem"));
        RaceOptions options = new RaceOptions(
                asked.workload(),
                asked.scale(),
                asked.entries(),
                new PoolShape(0, 0, 72 << 20),
                1,
                1,
                0,
                0,
                1_000,
                100,
                0,
                true,
                1,
                asked.classPath(),
                asked.jvmOptions());
        List<RaceResult> told = new ArrayList<>();
        var full = assertThrows(RuntimeException.class, () -> new Race(options, line -> {}).run(told::add));

        assertTrue(full.getMessage().startsWith("ford/mem failed: table "), full.getMessage());
        assertTrue(
                full.getMessage().contains("make the pool larger: ./tidepool pool grow URL --memory SIZE"),
                full.getMessage());
        assertEquals(1, told.size());
        List<String> lines = new ArrayList<>();
        told.getFirst().print(lines::add);
        told.getFirst().printRounds(lines::add);
        assertTrue(lines.contains("Interrupted: these are the rounds that everybody has had."), lines.toString());
        assertTrue(lines.contains("ford/mem, by round:"), lines.toString());
        assertFalse(told.getFirst().isRight());
    }

    /** A race that needs more memory than the machine has is refused before anything is made. */
    @Test
    void tooLargeAPoolIsRefused() {
        Race race = new Race(options("kvs?records=4000m", RaceEntry.ours("ford", "shm")), line -> {});
        var refused = assertThrows(RuntimeException.class, () -> race.run(partial -> {}));
        assertTrue(refused.getMessage().matches("not enough room: .* GB are needed.*"), refused.getMessage());
        assertEquals("", race.where());

        Race inside = new Race(options("kvs?records=4000m", RaceEntry.ours("ford", "mem")), line -> {});
        refused = assertThrows(RuntimeException.class, () -> inside.run(partial -> {}));
        assertTrue(refused.getMessage().matches("not enough memory: .* GB are free"), refused.getMessage());
        assertEquals(2048 * 1024L, FreeMemory.parse(List.of("MemTotal: 9 kB", "MemAvailable:    2048 kB")));
    }
}
