package tidepool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Id128;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.fabric.shm.PoolLayout;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionLayout;
import tidepool.schema.Schema;
import tidepool.store.CatalogLayout;

/** The output of inspect for a pool, whole or damaged. The pool does not change. */
class InspectCommandTest {
    @TempDir
    Path folder;

    private Path pool;

    /** A pool of two nodes with a region on the first, in which a word was written and an extent is taken. */
    @BeforeEach
    void createPool() {
        pool = folder.resolve("pool");
        try (Fabric fabric = Fabric.open("shm:" + pool + "?nodes=2");
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Id128 capability = fabric.control(0).createRegion(1 << 20);
            fabric.control(0).allocate(capability, 4096, 0);
            Region region = lane.connect(0).open(capability);
            lane.round(1).write(region, 0x1000, 0x21646c726f77L).post().await();
        }
    }

    @Test
    void layoutsArePrintedByTheirClasses() {
        CommandRun seen = CommandRun.of("inspect", "layouts");

        assertEquals(0, seen.exitCode());
        for (String layout : new String[] {
            "pool-superblock",
            "node-header",
            "region-entry",
            "session-slot",
            "region-header",
            "chain-header",
            "chain-step",
            "object-header",
            "log-header",
            "version-cell",
            "value-package",
            "delta",
            "newest-version",
            "older-version",
            "queue-word"
        }) assertTrue(seen.out().contains(layout + ", "), layout);
    }

    /** The layout of rows, the number of versions, and the reason for the size of their bars. */
    @Test
    void tablesAreTold() throws IOException {
        Path other = folder.resolve("versions");
        Schema schema = Schema.parse("account(balance:long, owner:long)").withUpdates("3 balance, 1 owner+balance");
        try (Tidepool made =
                Tidepool.open("shm:" + other + "?protocol=motor&versions=4&nodes=1&replicas=1&memory=1m")) {
            made.table(schema, 100);
        }
        CommandRun seen = CommandRun.of("inspect", other.toString());

        assertEquals(0, seen.exitCode(), seen.out() + seen.err());
        assertTrue(seen.out().contains("tables of protocol motor"), seen.out());
        assertTrue(
                seen.out()
                        .contains("table account: 4 versions, bar 136 bytes (declared: 3 × 8 + 1 × 16 bytes of"
                                + " attributes); 384 bytes a row, 24.0 times its value"),
                seen.out());

        Path region = other.resolve("node-0").resolve("region-0");
        try (RandomAccessFile file = new RandomAccessFile(region.toFile(), "rw")) {
            long at = dataOf(region) + CatalogLayout.table(0) + CatalogLayout.TABLE_TEXT;
            file.seek(at);
            file.write('?');
        }
        CommandRun damaged = CommandRun.of("inspect", other.toString());
        assertEquals(1, damaged.exitCode(), damaged.out());
        assertTrue(damaged.out().contains("WRONG: entry 0 of the catalog is damaged"), damaged.out());
    }

    /** Otherwise the hidden table of before would look like one that was left over. */
    @Test
    void rowsThatMoveToAnotherLayoutAreTold() {
        Path other = folder.resolve("moving");
        String url = "shm:" + other + "?nodes=2&replicas=2&memory=4m";
        try (Tidepool made = Tidepool.open(url)) {
            HalfMoved.make(made);
        }
        String told =
                "    its rows move to table accounts, which has another layout; if no program is at it, table alter"
                        + " without a change goes on";
        CommandRun seen = CommandRun.of("inspect", other.toString());
        assertEquals(0, seen.exitCode(), seen.out() + seen.err());
        int before = seen.out().indexOf("  table accounts.before: one version");
        int line = seen.out().indexOf(told);
        assertTrue(before > 0 && line > before, seen.out());
        assertEquals(line, seen.out().lastIndexOf(told), "only one table is left");
        assertEquals(0, CommandRun.of("table", "alter", url, "accounts").exitCode());
        assertFalse(CommandRun.of("inspect", other.toString()).out().contains(told));
    }

    /** The nodes of an index, from the root on: what they cover, how many entries they have, and their neighbours. */
    @Test
    void nodesOfIndexesAreTold() {
        String other = folder.resolve("ordered").toString();
        try (Tidepool made = Tidepool.open("shm:" + other + "?nodes=2&replicas=2&memory=2m")) {
            BrokenIndexes.make(made);
            CommandRun seen = CommandRun.of("inspect", other, "--index", "lacking");
            assertEquals(0, seen.exitCode(), seen.out() + seen.err());
            List<String> lines = seen.out().lines().toList();
            assertEquals(
                    "index primary#1(): 100 entries of 8 bytes, 1 levels, 1 nodes; a leaf has room for 118, an inner"
                            + " node for 59",
                    lines.getFirst());
            assertTrue(lines.get(2).matches("  100000000000000 +0 +100 +0000000000000000 +- +-"), lines.get(2));

            Table<BrokenIndexes.Thing> things = made.table("lacking", BrokenIndexes.Thing.class);
            made.transact(tx -> {
                for (int id = 0; id < 100; id++) things.insert(tx, new BrokenIndexes.Thing(1_000 + id, id));
            });
            lines = CommandRun.of("inspect", other, "--index", "lacking")
                    .out()
                    .lines()
                    .toList();
            assertTrue(lines.getFirst().startsWith("index primary#1(): 200 entries of 8 bytes, 2 levels, "));
            assertTrue(lines.get(2).startsWith("  100000000000000"), "the root comes first");
            assertEquals("1", lines.get(2).strip().split(" +")[1]);
            String[] leaf = lines.get(3).strip().split(" +");
            String[] neighbour = lines.get(4).strip().split(" +");
            assertEquals("0", leaf[1]);
            assertEquals("0000000000000000", leaf[3]);
            assertEquals(leaf[4], neighbour[3], "the high of a leaf is the low of its neighbour");
            assertEquals(leaf[5], neighbour[0]);

            BrokenIndexes.plant(made);
        }
        CommandRun broken = CommandRun.of("inspect", other, "--index", "damaged");
        assertEquals(1, broken.exitCode(), broken.out());
        assertTrue(broken.out().contains("WRONG: node 100000000000000 has numbers that no node has"), broken.out());
        assertEquals("no such table: none", told(other, "none"));
        assertTrue(CommandRun.of("inspect", "layouts", "--index", "t").err().contains("--index needs a pool"));
    }

    private static String told(String pool, String table) {
        return CommandRun.of("inspect", pool, "--index", table).err().strip().replace("tidepool: ", "");
    }

    private static long dataOf(Path region) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(region.toFile(), "r")) {
            file.seek(RegionLayout.DATA);
            return Long.reverseBytes(file.readLong());
        }
    }

    @Test
    void aPoolIsPrintedWithItsNodesAndRegions() {
        for (String what : new String[] {"shm:" + pool, pool.toString(), "shm:" + pool + "?nodes=2"}) {
            CommandRun seen = CommandRun.of("inspect", what);

            assertEquals(0, seen.exitCode(), seen.out() + seen.err());
            assertTrue(seen.out().contains("node 1"), seen.out());
            assertTrue(seen.out().contains("4,096 allocated in 1 extents, 1,044,480 free"), seen.out());
            assertTrue(seen.out().contains("control lock  free"), seen.out());
            assertTrue(seen.out().contains("sessions      none"), seen.out());
        }
    }

    /** A capability opens its region to every reader of the screen, so it is not printed. */
    @Test
    void capabilitiesStaySecret() {
        try (Fabric fabric = Fabric.open("shm:" + pool)) {
            CommandRun seen = CommandRun.of("inspect", pool.toString());

            assertFalse(seen.out().contains(fabric.control(0).regions()[0].hex()), seen.out());
        }
    }

    /** An inspection leaves no trace: no session, no file, no byte changed, and the session at work keeps its lock. */
    @Test
    void aLivePoolDoesNotNotice() throws IOException {
        try (Fabric fabric = Fabric.open("shm:" + pool);
                Session session = fabric.attach();
                Lane lane = session.lane()) {
            Region region = lane.connect(0).open(fabric.control(0).regions()[0]);
            String before = everything();
            CommandRun seen = CommandRun.of("inspect", pool.toString());

            assertEquals(before, everything());
            assertTrue(
                    seen.out()
                            .lines()
                            .anyMatch(line -> line.matches(" +" + session.number() + "  attached  pid "
                                    + ProcessHandle.current().pid() + " .* alive")),
                    seen.out());
            try (Fabric other = Fabric.open("shm:" + pool)) {
                assertFalse(other.isDead(session.number()));
            }
            lane.round(1).write(region, 0, 1).post().await();
        }
    }

    private String everything() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted().toList()) {
                text.append(file).append(' ').append(Files.getLastModifiedTime(file));
                if (Files.isRegularFile(file) && !file.toString().endsWith(".lock"))
                    text.append(' ').append(java.util.Arrays.hashCode(Files.readAllBytes(file)));
                text.append('\n');
            }
        }
        return text.toString();
    }

    @Test
    void aRegionFileIsPrintedAndDumped() {
        CommandRun seen =
                CommandRun.of("inspect", pool.resolve("node-0/region-0").toString(), "--hex", "0x1000:16");

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("checksum      right"), seen.out());
        assertTrue(
                seen.out().contains("      1000  000021646c726f77 0000000000000000  |world!..........|"), seen.out());
    }

    @Test
    void aMetaFileIsPrinted() {
        CommandRun seen = CommandRun.of("inspect", pool.resolve("node-1/meta").toString());

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("regions       none"), seen.out());
    }

    @Test
    void aSuperblockFileIsPrinted() {
        CommandRun seen = CommandRun.of("inspect", pool.resolve("pool").toString());

        assertEquals(0, seen.exitCode(), seen.err());
        assertTrue(seen.out().contains("checksum      right"), seen.out());
    }

    /** Faults are reported, and all readable parts are printed. */
    @Test
    void damageIsSaid() throws IOException {
        poke(pool.resolve("node-0/region-0"), RegionLayout.GRANULES, 77);
        assertDamaged("region 0 has a damaged header", pool);
        assertDamaged("region 0 has a damaged header", pool.resolve("node-0/region-0"));

        poke(pool.resolve("node-1/meta"), NodeLayout.VERSION_AT, 9);
        assertDamaged("node 1 has format version 9, this program reads 1", pool);
        assertDamaged("node 1 has format version 9, this program reads 1", pool.resolve("node-1/meta"));
    }

    @Test
    void aNewerPoolIsCalledThat() throws IOException {
        poke(pool.resolve("pool"), PoolLayout.VERSION_AT, 7);

        assertDamaged("the pool was made by a newer Tidepool: its format version is 7, this program reads 1", pool);
        assertTrue(CommandRun.of("inspect", pool.toString()).out().contains("node 1"), "the nodes are printed anyway");
    }

    @Test
    void missingAndCutFilesAreSaid() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(pool.resolve("node-0/region-0").toFile(), "rw")) {
            file.setLength(8192);
        }
        assertDamaged("a file of the pool was cut or is another: bytes=8192", pool);

        Files.delete(pool.resolve("node-0/region-0"));
        assertDamaged("a file of the pool is missing or empty: ", pool);

        Files.delete(pool.resolve("node-1/meta"));
        assertDamaged("a file of the pool is missing: ", pool);
    }

    @Test
    void anExtentMapThatCannotBeIsSaid() throws IOException {
        poke(pool.resolve("node-0/region-0"), RegionLayout.EXTENT_MAP + 7, 0xff);

        assertDamaged("the extent map is damaged: granule=0", pool);
    }

    /** A look at nothing makes nothing. */
    @Test
    void nothingIsCreated() throws IOException {
        Path nowhere = folder.resolve("nowhere");

        assertRefused(1, "there is nothing to inspect: no such file or directory: " + nowhere, "shm:" + nowhere);
        assertFalse(Files.exists(nowhere));
        assertFalse(Files.exists(folder.resolve("nowhere.lock")));
    }

    @Test
    void foreignThingsAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("letter"), "Dear reader, this is no pool.");
        Path empty = Files.createFile(folder.resolve("empty"));

        assertRefused(
                1, "not a file of a Tidepool pool: its first word is 0x6165722072616544: " + file, file.toString());
        assertRefused(1, "too short to be a file of a pool: " + empty, empty.toString());
        assertRefused(2, "only pools on shared memory lie in files: shm:PATH, not 'mem:'", "mem:");
        assertDamaged("not a Tidepool pool, and left as it is: " + folder, folder);
    }

    @Test
    void hexTakesWordsOfAFile() {
        String region = pool.resolve("node-0/region-0").toString();

        assertRefused(2, "--hex takes OFFSET or OFFSET:LENGTH in multiples of 8", region, "--hex", "3");
        assertRefused(2, "--hex takes OFFSET or OFFSET:LENGTH in multiples of 8", region, "--hex", "0:0");
        assertRefused(2, "--hex takes OFFSET or OFFSET:LENGTH in multiples of 8", region, "--hex", "much");
        assertRefused(2, "--hex needs a file", pool.toString(), "--hex", "0");
        assertRefused(1, "--hex begins behind the end: offset=1048576", region, "--hex", "0x100000");
    }

    private static void poke(Path file, long offset, int value) throws IOException {
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.seek(offset);
            access.write(value);
        }
    }

    private static void assertDamaged(String sentence, Path what) {
        CommandRun seen = CommandRun.of("inspect", what.toString());

        assertEquals(1, seen.exitCode(), seen.out());
        assertTrue(seen.out().contains("WRONG: " + sentence), seen.out());
    }

    private static void assertRefused(int exitCode, String sentence, String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "inspect";
        System.arraycopy(options, 0, arguments, 1, options.length);
        CommandRun seen = CommandRun.of(arguments);

        assertEquals(exitCode, seen.exitCode(), seen.out());
        assertTrue(seen.err().startsWith("tidepool: " + sentence), seen.err());
        assertEquals(1, seen.err().lines().count(), seen.err());
    }
}
