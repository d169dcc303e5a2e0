package tidepool.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.backup.BackupException;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.Schema;
import tidepool.store.CatalogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

class BackupImageTest {
    private static final PoolOptions SMALL = new PoolOptions("ford", 1, 2, 64 * 1024, 8, 4096);

    record Account(@Key long id, long balance) {}

    @TempDir
    private Path directory;

    private Path write() throws IOException {
        Path file = directory.resolve("bank.snapshot");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, SMALL)) {
                Table<Account> accounts = pool.table("account", Account.class);
                for (long id = 0; id < 50; id++) {
                    long key = id;
                    pool.transact(tx -> accounts.insert(tx, new Account(key, 100 * key)));
                }
            }
            BackupImage.write(one, 7, file);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        return file;
    }

    record Line(@Key @Length(12) String order, @Key int number, Instant placed) {}

    /** Wide keys are bytes of rows, and the restored pool says that older programs cannot read it. */
    @Test
    void holdsRowsWithKeysOfSeveralParts() throws IOException {
        Path file = directory.resolve("lines.snapshot");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, SMALL)) {
                Table<Line> lines = pool.table("lines", Line.class, 20);
                for (int i = 0; i < 20; i++) {
                    Line line = new Line("A-" + i % 3, i, Instant.ofEpochSecond(i));
                    pool.transact(tx -> lines.insert(tx, line));
                }
            }
            BackupImage.write(one, 7, file);
        }
        try (Fabric two = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, two, 2, null);
            try (Tidepool pool = PoolAccess.open(two, new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096))) {
                Table<Line> lines = pool.table("lines", Line.class);
                pool.read(tx -> {
                    for (int i = 0; i < 20; i++)
                        assertEquals(
                                Instant.ofEpochSecond(i),
                                lines.get(tx, "A-" + i % 3, i).placed());
                    return null;
                });
            }
            assertEquals(9, formatVersion(two));
        }
    }

    @Ordered
    record Reading(@Key long id, @Index int sensor) {}

    /** Programs that do not know indexes refuse the restored pool, too. */
    @Test
    void holdsTheNodesOfIndexes() throws IOException {
        Path file = directory.resolve("readings.snapshot");
        Schema schema = Schema.of("readings", Reading.class);
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, SMALL)) {
                pool.table("readings", Reading.class, 20);
            }
            BackupImage.write(one, 7, file);
        }
        try (Fabric two = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, two, 2, null);
            assertEquals(15, formatVersion(two));
            try (Tidepool pool = PoolAccess.open(two, new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096))) {
                Table<Reading> readings = pool.table("readings", Reading.class);
                assertEquals(schema, readings.handle().schema());
                assertEquals(
                        List.of("readings", "readings.index"),
                        PoolAccess.layoutsWithParts(pool, readings.handle()).stream()
                                .map(TableLayout::name)
                                .toList());
            }
        }
    }

    private static long formatVersion(Fabric fabric) {
        try (Session session = fabric.attach()) {
            Lane lane = session.lane();
            MemorySegment landing = lane.landing(Words.BYTES);
            Region catalog = lane.connect(0).open(fabric.control(0).regions()[0]);
            lane.round(1)
                    .read(catalog, CatalogLayout.VERSION_AT, Words.BYTES, landing, 0)
                    .post()
                    .await();
            return Words.plain(landing, 0);
        }
    }

    @Test
    void holdsEverythingInAPoolOfAnotherShape() throws IOException {
        Path file = write();
        assertEquals(1, BackupImage.check(file).tables());
        try (Fabric three = Fabric.open("mem:?nodes=3")) {
            BackupImage.restore(file, three, 2, null);
            try (Tidepool pool = PoolAccess.open(three, new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096))) {
                Table<Account> accounts = pool.table("account", Account.class);
                for (long id = 0; id < 50; id++) {
                    long key = id;
                    assertEquals(100 * key, (long)
                            pool.read(tx -> accounts.get(tx, key).balance()));
                    pool.transact(tx -> accounts.update(tx, key).set(new Account(key, -1)));
                }
                // Transaction ids contain session numbers: earlier numbers are not given again.
                assertTrue(pool.sessionNumber() > 7, "session " + pool.sessionNumber());
            }
            assertThrows(StoreException.class, () -> BackupImage.restore(file, three, 2, null));
        }
    }

    record Note(@Key long id, @Length(20_000) String text) {
        static Note of(long id, int version) {
            return new Note(id, (id + "." + version + " ").repeat(id % 7 == 0 ? 1_500 : 2));
        }
    }

    /**
     * A table that has grown is several areas, and its long contents lie in tables of their own. The restored pool has
     * other partitions of other nodes, and its tables grow on.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx"})
    void holdsATableThatHasGrownAndItsLongValues(String protocol) throws IOException {
        Path file = directory.resolve("grown.snapshot");
        int rows = 150;
        long areas;
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            PoolOptions options = new PoolOptions(protocol, 1, 2, 4 << 20, 8, 256 * 1024);
            try (Tidepool pool = PoolAccess.open(one, options)) {
                Table<Note> notes = pool.table("notes", Note.class, 1);
                for (long id = 0; id < rows; id++) {
                    Note note = Note.of(id, 1);
                    pool.transact(tx -> notes.insert(tx, note));
                }
                areas = PoolAccess.layout(notes.handle()).areaCount();
                assertTrue(areas > 1, "areas " + areas);
            }
            BackupImage.write(one, 7, file);
        }
        try (Fabric two = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, two, 2, null);
            try (Tidepool pool = PoolAccess.open(two, new PoolOptions(protocol, 2, 2, 4 << 20, 8, 256 * 1024))) {
                Table<Note> notes = pool.table("notes", Note.class);
                assertEquals(areas, PoolAccess.layout(notes.handle()).areaCount());
                assertNotes(pool, notes, rows, 1);
                for (long id = 0; id < 2 * rows; id++) {
                    Note note = Note.of(id, 2);
                    pool.transact(tx -> notes.put(tx, note));
                }
                assertNotes(pool, notes, 2 * rows, 2);
                assertTrue(PoolAccess.layout(notes.handle()).areaCount() > areas, "it grows on");
            }
            assertEquals(10, formatVersion(two));
        }
    }

    private static void assertNotes(Tidepool pool, Table<Note> notes, int rows, int version) {
        assertEquals(rows, notes.stream().map(Note::id).distinct().count());
        for (long id = 0; id < rows; id++) {
            long key = id;
            assertEquals(Note.of(key, version), pool.read(tx -> notes.get(tx, key)));
        }
    }

    /** Free entries, and numbers of changes, are those of the pool; its tables can be changed further. */
    @Test
    void holdsAPoolWhoseTablesWereChanged() throws IOException {
        Path file = directory.resolve("changed.snapshot");
        try (Fabric one = Fabric.open("mem:?nodes=1")) {
            try (Tidepool pool = PoolAccess.open(one, SMALL)) {
                Table<Account> first = pool.table("first", Account.class, 50);
                pool.transact(tx -> first.insert(tx, new Account(1, 1)));
                Table<Account> second = pool.table("second", Account.class, 50);
                pool.transact(tx -> second.insert(tx, new Account(1, 2)));
                pool.drop("first");
                pool.rename("second", "third");
            }
            BackupImage.write(one, 30, file);
        }
        try (Fabric two = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, two, 2, null);
            try (Tidepool pool = PoolAccess.open(two, new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4096))) {
                assertEquals(1, pool.tables().size());
                Table<Account> third = pool.table("third", Account.class);
                assertEquals(2, pool.read(tx -> third.get(tx, 1)).balance());
                Table<Account> first = pool.table("first", Account.class, 50);
                assertEquals(0, pool.size("first").rows(), "the memory of the dropped table was clean");
                pool.drop("first");
                Table<Account> again = pool.table("first", Account.class, 50);
                assertThrows(StoreException.class, () -> pool.read(tx -> first.get(tx, 1)));
                assertNull(pool.read(tx -> again.get(tx, 1)));
                pool.truncate("third");
                assertNull(pool.read(tx -> third.get(tx, 1)));
            }
        }
    }

    @Test
    void everyFlippedBitIsFound() throws IOException {
        Path file = write();
        byte[] good = Files.readAllBytes(file);
        Path bad = directory.resolve("bad.snapshot");
        int step = Math.max(1, good.length / 400);
        for (int at = 0; at < good.length; at += at < 512 ? 1 : step) {
            byte[] bytes = good.clone();
            bytes[at] ^= (byte) (1 << at % 8);
            Files.write(bad, bytes);
            assertThrows(BackupException.class, () -> BackupImage.check(bad), "byte " + at);
        }
    }

    @Test
    void everyFileThatIsCutOffIsFound() throws IOException {
        byte[] good = Files.readAllBytes(write());
        Path bad = directory.resolve("bad.snapshot");
        int step = Math.max(1, good.length / 200);
        for (int length = 0; length < good.length; length += length < 400 ? 1 : step) {
            Files.write(bad, Arrays.copyOf(good, length));
            assertThrows(BackupException.class, () -> BackupImage.check(bad), "length " + length);
        }
    }

    @Test
    void aDamagedOneLeavesNoPool() throws IOException {
        Path file = write();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 40] ^= 1;
        Files.write(file, bytes);
        try (Fabric three = Fabric.open("mem:?nodes=3")) {
            BackupException e = assertThrows(BackupException.class, () -> BackupImage.restore(file, three, 2, null));
            assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
            assertEquals(0, three.control(0).regions().length);
        }
    }

    @Test
    void nothingAppearsUnderItsNameBeforeItIsWhole() throws IOException {
        Path file = directory.resolve("cut.snapshot");
        BackupManifest description;
        try (BackupFile.Reader reader = new BackupFile.Reader(write())) {
            description = reader.description();
        }
        try (BackupFile.Writer writer = new BackupFile.Writer(file, description)) {
            assertFalse(Files.exists(file), "it has just begun: " + writer);
        }
        assertFalse(Files.exists(file));
        try (var left = Files.list(directory)) {
            assertEquals(1, left.count());
        }
    }
}
