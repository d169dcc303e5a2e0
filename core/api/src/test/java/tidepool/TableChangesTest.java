package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Tables are dropped, emptied and renamed next to transactions; handles and memory follow. */
class TableChangesTest {
    private static final int THREADS = 8;
    private static final long KEYS = 40;

    /** A row whose parts agree unless it is mixed with a row of another table. */
    public record Row(@Key long id, long value, long same) {
        static Row of(long id, long value) {
            return new Row(id, value, ~value);
        }

        Row requireWhole(long id) {
            assertEquals(id, this.id);
            assertEquals(~value, same, "a row of another table");
            return this;
        }
    }

    /** A row of other geometry, which would lie over rows of the first kind. */
    public record Wide(@Key long id, byte kind, long a, long b, long c, long d, long e) {}

    @TempDir
    Path folder;

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=4m&coordinators=16&protocol=" + protocol);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void droppedTableIsGoneAndItsMemoryIsUsedAgain(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Row> other = pool.table("other", Row.class);
            pool.transact(tx -> other.put(tx, Row.of(7, 70)));
            for (int i = 0; i < 70; i++) { // more than there are entries, and than memory has room for
                Table<Row> table = pool.table("table", Row.class, 10_000);
                pool.transact(tx -> assertNull(table.get(tx, 1), "the memory was not clean"));
                fill(pool, table, i);
                pool.drop("table");
                StoreException gone = assertThrows(StoreException.class, () -> pool.read(tx -> table.get(tx, 1)));
                assertEquals("table table was dropped", gone.getMessage());
                assertEquals(StoreException.Reason.UNKNOWN_TABLE, gone.reason());
                if (i % 10 != 3) continue;
                Table<Wide> wide = pool.table("table", Wide.class, 4_000);
                assertEquals(0, pool.size("table").rows());
                pool.transact(tx -> wide.put(tx, new Wide(1, (byte) 1, 2, 3, 4, 5, 6)));
                assertThrows(StoreException.class, () -> pool.transact(tx -> table.put(tx, Row.of(1, 1))));
                assertEquals(6, pool.read(tx -> wide.get(tx, 1)).e());
                pool.drop("table");
            }
            assertEquals(70, pool.read(tx -> other.get(tx, 7)).value());
            assertThrows(StoreException.class, () -> pool.drop("table"));
            assertEquals(List.of("other"), names(pool));
        }
    }

    private static void fill(Tidepool pool, Table<Row> table, long value) {
        pool.transact(tx -> {
            for (long key = 0; key < KEYS; key++) table.put(tx, Row.of(key, value));
        });
    }

    private static List<String> names(Tidepool pool) {
        return pool.tables().stream().map(TableHandle::name).sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void truncatedTableIsEmptyAndItsHandlesGoOn(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Row> table = pool.table("table", Row.class);
            for (int i = 0; i < 5; i++) {
                fill(pool, table, i);
                assertEquals(KEYS, pool.size("table").rows());
                RowPages<Row> pages = table.pages(1);
                assertTrue(pages.next());
                pool.truncate("table");
                StoreException changed = assertThrows(StoreException.class, pages::next);
                assertTrue(changed.getMessage().contains("begin again"), changed.getMessage());
                assertEquals(0, pool.size("table").rows());
                assertNull(pool.read(tx -> table.get(tx, 1)));
                assertEquals(0, table.stream().count());
            }
            fill(pool, table, 9);
            assertEquals(9, pool.read(tx -> table.get(tx, 1)).value());
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void renamedTableKeepsItsRowsAndOldHandlesSayTheNewName(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Row> table = pool.table("old", Row.class);
            fill(pool, table, 3);
            pool.rename("old", "new");
            StoreException renamed = assertThrows(StoreException.class, () -> pool.read(tx -> table.get(tx, 1)));
            assertEquals("table old was renamed to new: open it by that name", renamed.getMessage());
            Table<Row> again = pool.table("new", Row.class);
            assertEquals(3, pool.read(tx -> again.get(tx, 1)).value());
            Table<Row> another = pool.table("old", Row.class);
            assertNull(pool.read(tx -> another.get(tx, 1)));
            StoreException taken = assertThrows(StoreException.class, () -> pool.rename("new", "old"));
            assertEquals("table new cannot be renamed: there is a table old", taken.getMessage());
            assertThrows(IllegalArgumentException.class, () -> pool.rename("new", "no name"));
            assertEquals(3, pool.read(tx -> again.get(tx, 1)).value(), "a refused change changes nothing");
        }
    }

    /** A handle of a table that was dropped is not taken for one of the table that has its entry and place now. */
    @Test
    void tableMadeAgainIsAnother() {
        try (Tidepool pool = open("ford")) {
            Table<Row> first = pool.table("table", Row.class);
            fill(pool, first, 1);
            pool.drop("table");
            Table<Row> second = pool.table("table", Row.class);
            assertThrows(StoreException.class, () -> pool.transact(tx -> first.put(tx, Row.of(1, 1))));
            assertNull(pool.read(tx -> second.get(tx, 1)));
        }
    }

    /**
     * Eight threads write while tables are dropped, made, renamed and emptied. Every row that is read is a row of the
     * table that it was read from, and a table that is not changed keeps each committed addition.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void changesRunNextToWriters(String protocol) throws InterruptedException {
        try (Tidepool pool = open(protocol)) {
            Table<Row> kept = pool.table("kept", Row.class);
            fill(pool, kept, 0);
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong additions = new AtomicLong();
            AtomicReference<Throwable> failed = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int number = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (long i = number; !over.get(); i++) write(pool, kept, i, additions);
                    } catch (Throwable e) {
                        failed.compareAndSet(null, e);
                    }
                }));
            }
            for (int i = 0; i < Effort.of(6, 15, 200) && failed.get() == null; i++) {
                pool.table("table", Row.class, 500);
                Thread.sleep(5);
                pool.truncate("table");
                pool.rename("table", "moved");
                pool.drop("moved");
                pool.table("table", Wide.class, 300);
                Thread.sleep(5);
                pool.drop("table");
            }
            over.set(true);
            for (Thread thread : threads) thread.join();
            if (failed.get() != null) throw new AssertionError(failed.get());
            long sum = kept.stream()
                    .mapToLong(row -> row.requireWhole(row.id()).value())
                    .sum();
            assertEquals(additions.get(), sum);
        }
    }

    private static void write(Tidepool pool, Table<Row> kept, long i, AtomicLong additions) {
        long key = i % KEYS;
        pool.transact(tx -> {
            Cell<Row> cell = kept.update(tx, key);
            cell.set(Row.of(key, cell.get().requireWhole(key).value() + 1));
        });
        additions.incrementAndGet();
        for (TableHandle table : pool.tables()) {
            if (table.name().equals("kept")
                    || table.schema().length() != kept.handle().schema().length()) continue;
            try {
                pool.transact(tx -> put(tx.raw(), table, key, i));
            } catch (StoreException gone) {
                assertEquals(StoreException.Reason.UNKNOWN_TABLE, gone.reason(), gone.toString());
            }
        }
    }

    /** Writes a row of the table by its fields. What it replaces has to be a row of the table. */
    private static void put(Txn txn, TableHandle table, long key, long value) {
        int access = txn.put(table, key);
        if (!txn.execute()) return;
        long at = txn.value(access);
        if (txn.found(access))
            assertEquals(~Words.plain(txn.memory(), at), Words.plain(txn.memory(), at + Words.BYTES), "a mixed row");
        Words.plain(txn.memory(), at, value);
        Words.plain(txn.memory(), at + Words.BYTES, ~value);
    }

    /** Two openings of a pool on shared memory, where a living session cannot be revoked from outside. */
    @ParameterizedTest
    @MethodSource("protocols")
    void idleSessionOnSharedMemoryGivesWay(String protocol) {
        String url = "shm:" + folder.resolve(protocol.replace('&', '_')) + "?nodes=2&replicas=2&memory=1m&protocol="
                + protocol;
        try (Tidepool one = Tidepool.open(url);
                Tidepool idle = Tidepool.open(url)) {
            Table<Row> table = one.table("table", Row.class);
            Table<Row> known = idle.table("table", Row.class);
            fill(one, table, 1);
            assertEquals(1, idle.read(tx -> known.get(tx, 1)).value());
            one.drop("table");
            Table<Row> fresh = one.table("table", Row.class);
            fill(one, fresh, 2);
            assertThrows(StoreException.class, () -> idle.transact(tx -> known.put(tx, Row.of(1, 1))));
            Table<Row> again = idle.table("table", Row.class);
            assertEquals(2, idle.read(tx -> again.get(tx, 1)).value());
        }
    }

    /** A colour; the next version has more. */
    enum Colour {
        BLUE,
        RED
    }

    enum MoreColours {
        BLUE,
        RED,
        YELLOW
    }

    public record Car(@Key long id, Colour colour, int doors) {}

    public record Vehicle(@Key long id, MoreColours paint, int doors) {}

    public record Lorry(@Key long id, Colour colour, long doors) {}

    /** Rows stay as they are. The class of before goes on where it is open, and is refused where it is not. */
    @ParameterizedTest
    @MethodSource("protocols")
    void attributesGetOtherNamesAndEnumsMoreConstants(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Car> cars = pool.table("cars", Car.class);
            pool.transact(tx -> cars.put(tx, new Car(1, Colour.RED, 4)));
            StoreException wider =
                    assertThrows(StoreException.class, () -> pool.alter("cars", Schema.of("cars", Lorry.class)));
            assertTrue(wider.getMessage().contains("attribute 1 is doors:int, not doors:long"), wider.getMessage());
            assertTrue(wider.getMessage().contains("stored=cars("), wider.getMessage());

            pool.alter("cars", Schema.of("cars", Vehicle.class));
            pool.alter("cars", Schema.of("cars", Vehicle.class)); // nothing to change
            Table<Vehicle> vehicles = pool.table("cars", Vehicle.class);
            assertEquals(new Vehicle(1, MoreColours.RED, 4), pool.read(tx -> vehicles.get(tx, 1)));
            pool.transact(tx -> cars.put(tx, new Car(2, Colour.BLUE, 2)));
            assertEquals(MoreColours.BLUE, pool.read(tx -> vehicles.get(tx, 2)).paint());
            pool.transact(tx -> vehicles.put(tx, new Vehicle(3, MoreColours.YELLOW, 3)));
            assertThrows(RuntimeException.class, () -> pool.read(tx -> cars.get(tx, 3)));
            IllegalArgumentException old =
                    assertThrows(IllegalArgumentException.class, () -> pool.table("cars", Car.class));
            assertTrue(
                    old.getMessage().contains("stored=cars(")
                            && old.getMessage().contains("here=cars("),
                    "" + old);
            assertThrows(
                    StoreException.class, () -> pool.alter("cars", Schema.of("cars", Car.class)), "a constant less");
        }
    }

    public record Note(@Key long id, @Length(20_000) String text) {}

    /** A table that has grown has several areas, and one with long contents has hidden tables. All are given back. */
    @ParameterizedTest
    @MethodSource("protocols")
    void grownTableAndLongContentsGiveAllTheirMemoryBack(String protocol) {
        try (Tidepool pool =
                Tidepool.open("mem:?nodes=2&replicas=2&memory=4m&log=256k&coordinators=4&protocol=" + protocol)) {
            for (int i = 0; i < 6; i++) {
                Table<Row> table = pool.table("table", Row.class, 10);
                Table<Note> notes = pool.table("notes", Note.class, 10);
                assertNull(pool.read(tx -> table.get(tx, 77)));
                for (long key = 0; key < 1_500; key++) {
                    long id = key;
                    pool.transact(tx -> table.put(tx, Row.of(id, id)));
                }
                for (long key = 0; key < 10; key++) {
                    long id = key;
                    pool.transact(tx -> notes.put(tx, new Note(id, "x".repeat(9_000))));
                }
                assertTrue(PoolAccess.layout(pool.table("table")).hasGrown(), "it has grown");
                assertEquals(1_500, pool.size("table").rows());
                if (i % 2 == 0) {
                    pool.truncate("table");
                    pool.truncate("notes");
                    assertEquals(0, pool.size("table").rows());
                    assertNull(pool.read(tx -> notes.get(tx, 1)));
                    fill(pool, table, 5);
                    assertEquals(KEYS, table.stream().count());
                    pool.transact(tx -> notes.put(tx, new Note(3, "y".repeat(5_000))));
                    assertEquals(5_000, pool.read(tx -> notes.get(tx, 3)).text().length());
                }
                pool.rename("notes", "papers");
                Table<Note> papers = pool.table("papers", Note.class);
                assertTrue(pool.read(tx -> papers.get(tx, 3)).text().length() >= 5_000);
                pool.drop("papers");
                pool.drop("table");
            }
            assertTrue(pool.tables().isEmpty());
        }
    }

    /** Neither entries nor memory nor sessions are used up. */
    @Test
    void tablesComeAndGoForEver() {
        int cycles = Effort.of(150, 500, 10_000);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Tidepool pool = PoolAccess.open(fabric, new PoolOptions("ford", 2, 2, 64 * 1024, 4, 8 * 1024));
            Table<Row> kept = pool.table("kept", Row.class, 20);
            long top = 0;
            for (int i = 0; i < cycles; i++) {
                String name = "table" + i % 3;
                Table<Row> table = pool.table(name, Row.class, 100);
                long value = i;
                pool.transact(tx -> table.put(tx, Row.of(1, value)));
                pool.transact(tx -> kept.put(tx, Row.of(1, value)));
                long end = PoolAccess.layout(pool.table(name)).base();
                if (i == 0) top = end;
                assertEquals(top, end, "the memory of the table before");
                assertEquals(2, PoolAccess.layout(pool.table(name)).id(), "its entry");
                pool.drop(name);
                pool.recoverAll();
                assertEquals(1, fabric.control(0).sessions().length, "sessions that are left");
            }
            assertEquals(cycles - 1, pool.read(tx -> kept.get(tx, 1)).value());
            pool.close();
        }
    }

    @Test
    void schemaOfRenamedTableIsThatOfItsNewName() {
        try (Tidepool pool = open("motor")) {
            pool.table("one", Wide.class);
            pool.rename("one", "two");
            assertEquals(Schema.of("two", Wide.class), pool.table("two").schema());
            assertFalse(names(pool).contains("one"));
            assertNotNull(pool.size("two"));
        }
    }
}
