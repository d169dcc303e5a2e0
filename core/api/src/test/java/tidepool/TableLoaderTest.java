package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import tidepool.schema.ContentField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
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

    // ---- long contents

    record Note(
            @Key long id,
            String text,

            @Nullable @Length(value = 100_000, varying = true)
            byte[] data,

            List<String> tags) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Note note
                    && id == note.id
                    && text.equals(note.text)
                    && Arrays.equals(data, note.data)
                    && tags.equals(note.tags);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    private static Tidepool openForContents(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=64m&coordinators=8&timeout=60s&protocol=" + protocol);
    }

    /** Returns the note of an id in one of its versions, with contents of all lengths that parts make different. */
    private static Note note(long id, int version) {
        int[] lengths = {0, 5, 92, 93, 600, 1_792, 3_582, 3_583, 5_000};
        Randomness random = new Randomness(17 * id + version);
        return new Note(
                id,
                LongValuesTest.text(random, lengths[(int) (id + version) % lengths.length]),
                id % 3 == 0
                        ? null
                        : LongValuesTest.text(random, random.nextInt(700)).getBytes(),
                id % 4 == 0 ? List.of(LongValuesTest.text(random, random.nextInt(900)), "b") : List.of());
    }

    private static void loadNotes(TableLoader<Note> loader, int from, int to, int version) {
        for (int id = from; id < to; id++) loader.add(note(id, version));
    }

    private static void assertNotes(Tidepool pool, Table<Note> notes, int rows, int version) {
        assertEquals(rows, notes.stream().count());
        for (int id = 0; id < rows; id++) {
            long key = id;
            assertEquals(note(id, version), pool.read(tx -> notes.get(tx, key)));
        }
        PartsCensus.check(pool, notes);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void longContentsAreLoaded(String protocol) {
        try (Tidepool pool = openForContents(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            Note longest = new Note(
                    150,
                    LongValuesTest.text(new Randomness(1), 1 << 20),
                    new byte[100_000],
                    List.of("x".repeat(5_000)));
            try (TableLoader<Note> loader = notes.loader()) {
                loadNotes(loader, 0, 150, 1);
                loader.add(longest);
                loader.finish();
                assertEquals(151, loader.rowsLoaded());
            }
            assertEquals(longest, pool.read(tx -> notes.get(tx, 150)));
            pool.transact(tx -> notes.delete(tx, 150));
            assertNotes(pool, notes, 150, 1);
        }
    }

    /** A load that replaces deletes the parts of what was there, and one that skips leaves none of its own. */
    @ParameterizedTest
    @MethodSource("protocols")
    void longContentsAreSkippedOrReplaced(String protocol) {
        try (Tidepool pool = openForContents(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            pool.transact(tx -> {
                for (int id = 0; id < 40; id += 2) notes.insert(tx, note(id, 1));
            });
            try (TableLoader<Note> loader = notes.loader().onDuplicate(Duplicates.SKIP)) {
                loadNotes(loader, 0, 40, 1);
                loadNotes(loader, 38, 40, 5); // exist already in this batch
                loader.finish();
                assertEquals(22, loader.rowsExisting());
            }
            assertNotes(pool, notes, 40, 1);
            try (TableLoader<Note> loader = notes.loader().onDuplicate(Duplicates.REPLACE)) {
                loadNotes(loader, 0, 50, 2);
                loadNotes(loader, 30, 40, 3); // replace rows of this batch
                loadNotes(loader, 30, 40, 2);
                loader.finish();
                assertEquals(60, loader.rowsExisting());
            }
            assertNotes(pool, notes, 50, 2);
            try (TableLoader<Note> loader = notes.loader().batch(20)) {
                DuplicateKeyException e =
                        assertThrows(DuplicateKeyException.class, () -> loadNotes(loader, 40, 120, 3));
                assertTrue(e.getMessage().startsWith("the key exists: table=notes key=40 row=1"), e.getMessage());
            }
            assertNotes(pool, notes, 50, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aLoadOfLongContentsIsResumed(String protocol) {
        try (Tidepool pool = openForContents(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            try (TableLoader<Note> loader = notes.loader().batch(10).resume("daily")) {
                loadNotes(loader, 0, 45, 1); // the last five are not committed
                assertEquals(40, loader.rowsLoaded());
            }
            try (TableLoader<Note> loader = notes.loader().batch(7).resume("daily")) {
                loadNotes(loader, 0, 60, 1);
                loader.finish();
                assertEquals(40, loader.rowsBefore());
            }
            assertNotes(pool, notes, 60, 1);
        }
    }

    /** Contents in parts are not in the row, so a checksum of rows alone would take other ones for the same. */
    @Test
    void otherContentsThanBeforeAreRefused() {
        try (Tidepool pool = openForContents("ford")) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            for (int length : new int[] {50, 100, 101, 1_000}) {
                String name = "load" + length;
                Note last = new Note(1, "x".repeat(length), null, List.of());
                try (TableLoader<Note> loader =
                        notes.loader().onDuplicate(Duplicates.REPLACE).batch(1).resume(name)) {
                    loader.add(last);
                }
                for (int place : new int[] {0, length / 2, length - 1}) {
                    char[] text = "x".repeat(length).toCharArray();
                    text[place] = 'y';
                    try (TableLoader<Note> loader = notes.loader().resume(name)) {
                        Note other = new Note(1, new String(text), null, List.of());
                        assertThrows(IllegalStateException.class, () -> loader.add(other), length + " " + place);
                    }
                }
            }
        }
    }

    /** Attempts that conflict leave references of their own in the rows of the batch, which the next must not keep. */
    @ParameterizedTest
    @MethodSource("protocols")
    void otherTransactionsWriteLongContents(String protocol) throws Exception {
        try (Tidepool pool = openForContents(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            AtomicBoolean done = new AtomicBoolean();
            Thread writer = Thread.ofPlatform().start(() -> {
                Randomness random = new Randomness(1);
                while (!done.get()) {
                    long id = random.nextInt(100);
                    pool.transact(tx -> notes.put(tx, note(id, 1)));
                }
            });
            try {
                for (int i = 0; i < 3; i++) {
                    try (TableLoader<Note> loader = notes.loader().batch(30).onDuplicate(Duplicates.REPLACE)) {
                        loadNotes(loader, 0, 100, 1);
                        loader.finish();
                    }
                }
            } finally {
                done.set(true);
                writer.join();
            }
            assertNotes(pool, notes, 100, 1);
        }
    }

    /** The first attempt of the batch meets a lock for certain, and its references name a writer that never commits. */
    @Test
    void aBatchThatConflictsRefersToTheWriterThatCommits() {
        try (Tidepool pool = openForContents("ford")) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            pool.transact(tx -> notes.put(tx, note(3, 1)));
            try (TableLoader<Note> loader = notes.loader().onDuplicate(Duplicates.REPLACE)) {
                loadNotes(loader, 0, 50, 2);
                List<Transaction> holders = new ArrayList<>();
                pool.contents((transaction, attempt) -> new TxnContents(transaction, attempt) {
                    @Override
                    void executed() {
                        super.executed();
                        if (!holders.isEmpty()) return;
                        holders.add(transaction);
                        throw ConflictSignal.SIGNAL; // as if it had met a lock, after parts were declared
                    }
                });
                loader.finish();
                assertEquals(1, holders.size(), "the first attempt did not end with a conflict");
                assertEquals(50, loader.rowsLoaded());
            }
            assertNotes(pool, notes, 50, 2);
        }
    }

    @Test
    void fieldsAreLoadedIntoTablesWithLongContents() {
        try (Tidepool pool = openForContents("ford")) {
            Table<Note> notes = pool.table("notes", Note.class, 500);
            pool.transact(tx -> notes.put(tx, note(3, 1)));
            ContentField text = notes.handle().schema().contentField("text");
            RowWriter<byte[]> writer = (content, key, memory, value) -> {
                key.setLong(0, 3);
                text.set(memory, value, content);
            };
            try (TableLoader<byte[]> loader =
                    pool.loader(notes.handle(), writer).onDuplicate(Duplicates.REPLACE)) {
                assertThrows(IllegalArgumentException.class, () -> loader.add(new byte[93]));
                loader.add("short".getBytes());
                loader.finish();
                assertEquals(1, loader.rowsExisting());
            }
            assertEquals(new Note(3, "short", null, List.of()), pool.read(tx -> notes.get(tx, 3)));
            assertEquals(0, PartsCensus.check(pool, notes));
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
