package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Randomness;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.store.StoreException;

/** A load commits its rows in whole batches, in their order, and its counts are exact. */
class TableLoaderTest {
    record Account(@Key long id, long balance) {}

    record Line(
            @Key @Length(12) String order,
            @Key int number,
            @Length(100) byte[] text) {}

    record Tagged(@Key @Length(4) String tag, int count) {}

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&coordinators=16&protocol=" + protocol);
    }

    private static void load(TableLoader<Account> loader, int from, int to) {
        for (int id = from; id < to; id++) loader.add(new Account(id, 10L * id));
    }

    private static void assertRows(Table<Account> accounts, int rows) {
        Map<Long, Long> found = new HashMap<>();
        accounts.forEach(account -> found.put(account.id(), account.balance()));
        assertEquals(rows, found.size());
        for (long id = 0; id < rows; id++) assertEquals(10 * id, found.get(id));
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void allRowsAreLoaded(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 5000);
            try (TableLoader<Account> loader = accounts.loader()) {
                load(loader, 0, 5000);
                loader.finish();
                assertEquals(5000, loader.rowsAdded());
                assertEquals(5000, loader.rowsLoaded());
                assertEquals(0, loader.rowsExisting());
            }
            assertRows(accounts, 5000);
        }
    }

    /** Wide keys are kept as bytes, and keys of several parts in one word: both are copied for the batch. */
    @ParameterizedTest
    @MethodSource("protocols")
    void keysOfAnyKindAreLoaded(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Line> lines = pool.table("lines", Line.class, 500);
            Table<Tagged> tags = pool.table("tags", Tagged.class, 500);
            try (TableLoader<Line> lineLoader = lines.loader();
                    TableLoader<Tagged> tagLoader = tags.loader()) {
                for (int i = 0; i < 500; i++) {
                    lineLoader.add(new Line("A-" + i / 7, i % 7, new byte[100]));
                    tagLoader.add(new Tagged("t" + i, i));
                }
                lineLoader.finish();
                tagLoader.finish();
            }
            assertEquals(500, lines.stream().count());
            assertEquals(11, pool.read(tx -> tags.get(tx, "t11")).count());
            assertEquals(3, pool.read(tx -> lines.get(tx, "A-70", 3)).number());
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aDuplicateIsRefusedWithItsBatch(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            pool.transact(tx -> accounts.insert(tx, new Account(105, 7)));
            try (TableLoader<Account> loader = accounts.loader().batch(10)) {
                DuplicateKeyException e = assertThrows(DuplicateKeyException.class, () -> load(loader, 0, 200));
                assertEquals("the key exists: table=accounts key=105 row=106 rowsLoaded=100", e.getMessage());
                assertEquals(100, loader.rowsLoaded());
                assertThrows(IllegalStateException.class, () -> load(loader, 300, 301));
            }
            assertEquals(101, accounts.stream().count());
            assertEquals(7, pool.read(tx -> accounts.get(tx, 105)).balance());
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void duplicatesAreSkippedOrReplaced(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            pool.transact(tx -> {
                for (int id = 0; id < 10; id++) accounts.insert(tx, new Account(id * 20, 7));
            });
            try (TableLoader<Account> loader = accounts.loader().onDuplicate(Duplicates.SKIP)) {
                load(loader, 0, 200);
                loader.add(new Account(199, 8)); // exists already in this batch
                loader.finish();
                assertEquals(11, loader.rowsExisting());
                assertEquals(201, loader.rowsLoaded());
            }
            assertEquals(7, pool.read(tx -> accounts.get(tx, 180)).balance());
            assertEquals(1990, pool.read(tx -> accounts.get(tx, 199)).balance());
            try (TableLoader<Account> loader = accounts.loader().onDuplicate(Duplicates.REPLACE)) {
                load(loader, 0, 220);
                loader.finish();
                assertEquals(200, loader.rowsExisting());
            }
            assertRows(accounts, 220);
        }
    }

    /** A batch that is too large for the log of a transaction is committed in parts. */
    @ParameterizedTest
    @MethodSource("protocols")
    void batchesFitTheLog(String protocol) {
        try (Tidepool pool =
                Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&log=4k&coordinators=4&protocol=" + protocol)) {
            Table<Line> lines = pool.table("lines", Line.class, 2000);
            try (TableLoader<Line> loader = lines.loader()) {
                for (int i = 0; i < 2000; i++) loader.add(new Line("A-" + i, i, new byte[100]));
                loader.finish();
                assertEquals(2000, loader.rowsLoaded());
            }
            assertEquals(2000, lines.stream().count());
            assertTrue(pool.statistics().commits() > 2000 / 256, "more than full batches");
        }
    }

    /** Rows that other transactions write at the same time are not lost, and every row of the load arrives. */
    @ParameterizedTest
    @MethodSource("protocols")
    void otherTransactionsGoOn(String protocol) throws Exception {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 3000);
            AtomicBoolean done = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().start(() -> {
                Randomness random = new Randomness(1);
                while (!done.get()) {
                    long id = random.nextInt(2000);
                    pool.transact(tx -> {
                        if (accounts.exists(tx, id)) accounts.put(tx, new Account(id, 10 * id));
                    });
                }
            });
            try (TableLoader<Account> loader = accounts.loader()) {
                load(loader, 0, 2000);
                loader.finish();
            } finally {
                done.set(true);
                writer.join();
            }
            assertRows(accounts, 2000);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aLoadIsResumedWhereItStopped(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            try (TableLoader<Account> loader = accounts.loader().batch(10).resume("daily")) {
                load(loader, 0, 105); // the last five are not committed
                assertEquals(0, loader.rowsBefore());
                assertEquals(100, loader.rowsLoaded());
            }
            try (TableLoader<Account> loader = accounts.loader().batch(7).resume("daily")) {
                load(loader, 0, 300);
                loader.finish();
                assertEquals(100, loader.rowsBefore());
                assertEquals(300, loader.rowsLoaded());
                assertEquals(0, loader.rowsExisting());
            }
            assertRows(accounts, 300);
            try (TableLoader<Account> loader = accounts.loader().resume("daily")) {
                load(loader, 0, 300);
                loader.finish();
                assertEquals(300, loader.rowsBefore());
            }
            assertRows(accounts, 300);
        }
    }

    @Test
    void otherRowsThanBeforeAreRefused() {
        try (Tidepool pool = open("ford")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            try (TableLoader<Account> loader = accounts.loader().batch(10).named("daily")) {
                load(loader, 0, 100);
            }
            try (TableLoader<Account> loader = accounts.loader().resume("daily")) {
                loader.add(new Account(0, 1));
                IllegalStateException e = assertThrows(IllegalStateException.class, () -> load(loader, 1, 200));
                assertEquals(
                        "the first rows are not those of the load that is to be resumed: load=daily table=accounts"
                                + " rows=100",
                        e.getMessage());
            }
            try (TableLoader<Account> loader = accounts.loader().resume("daily")) {
                load(loader, 0, 50);
                assertThrows(IllegalStateException.class, loader::finish);
            }
            assertRows(accounts, 100);
            Table<Account> others = pool.table("others", Account.class, 1000);
            try (TableLoader<Account> loader = others.loader().resume("daily")) {
                assertThrows(IllegalStateException.class, () -> load(loader, 0, 200), "another table");
            }
        }
    }

    /** Otherwise two processes that resume one load, because one of them seemed dead, would load its rows twice. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theLastLoaderToResumeIsTheOnlyOne(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            try (TableLoader<Account> first = accounts.loader()
                            .batch(10)
                            .onDuplicate(Duplicates.REPLACE)
                            .resume("daily");
                    TableLoader<Account> second = accounts.loader()
                            .batch(10)
                            .onDuplicate(Duplicates.REPLACE)
                            .resume("daily")) {
                load(first, 0, 20);
                load(second, 0, 40);
                IllegalStateException e = assertThrows(IllegalStateException.class, () -> load(first, 20, 40));
                assertEquals("another loader has taken the load over: load=daily table=accounts", e.getMessage());
                assertEquals(20, first.rowsLoaded());
                load(second, 40, 60);
            }
            assertRows(accounts, 60);
        }
    }

    @Test
    void aRowThatDoesNotFitIsNotAdded() {
        try (Tidepool pool = open("ford")) {
            Table<Line> lines = pool.table("lines", Line.class, 100);
            try (TableLoader<Line> loader = lines.loader()) {
                loader.add(new Line("a", 1, new byte[100]));
                assertThrows(IllegalArgumentException.class, () -> loader.add(new Line("b", 1, new byte[99])));
                assertThrows(IllegalArgumentException.class, () -> loader.add(new Line(null, 1, new byte[100])));
                loader.add(new Line("c", 1, new byte[100]));
                loader.finish();
                assertEquals(2, loader.rowsLoaded());
            }
            assertEquals(2, lines.stream().count());
        }
    }

    @Test
    void aFullTableEndsALoadAfterWholeBatches() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=1&replicas=1&memory=1m&coordinators=2&log=16k")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 200);
            try (TableLoader<Account> loader = accounts.loader().batch(10)) {
                StoreException e = assertThrows(StoreException.class, () -> load(loader, 0, 1_000_000));
                assertEquals(StoreException.Reason.FULL, e.reason());
                assertEquals(0, loader.rowsLoaded() % 10);
                assertRows(accounts, (int) loader.rowsLoaded());
            }
        }
    }

    @Test
    void fieldsAreLoadedWithoutARecordClass(@TempDir Path directory) {
        try (Tidepool pool = Tidepool.open("shm:" + directory.resolve("pool") + "?nodes=2&replicas=2&memory=4m")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            LongField balance = accounts.handle().schema().longField("balance");
            List<Integer> ids = new ArrayList<>(IntStream.range(0, 1000).boxed().toList());
            try (TableLoader<Integer> loader = pool.loader(accounts.handle(), (id, key, memory, value) -> {
                key.setLong(0, id);
                assertEquals(0, balance.get(memory, value), "a value begins with zeros");
                balance.set(memory, value, 10L * id);
            })) {
                ids.forEach(loader::add);
                loader.finish();
            }
            assertRows(accounts, 1000);
        }
    }

    @Test
    void settingsComeBeforeTheFirstRow() {
        try (Tidepool pool = open("ford")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            assertThrows(IllegalArgumentException.class, () -> accounts.loader().batch(0));
            assertThrows(IllegalArgumentException.class, () -> accounts.loader().batch(257));
            assertThrows(IllegalArgumentException.class, () -> accounts.loader().named(""));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> accounts.loader().named("x".repeat(65)).add(new Account(1, 1)));
            TableLoader<Account> loader = accounts.loader();
            loader.add(new Account(1, 1));
            assertThrows(IllegalStateException.class, () -> loader.batch(5));
            assertThrows(IllegalStateException.class, () -> loader.onDuplicate(Duplicates.SKIP));
            assertThrows(IllegalStateException.class, () -> loader.resume("late"));
            loader.close();
            assertThrows(IllegalStateException.class, loader::finish);
            assertEquals(0, accounts.stream().count(), "rows that are not committed are dropped");
        }
    }
}
