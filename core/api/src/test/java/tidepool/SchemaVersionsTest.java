package tidepool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Randomness;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricUrl;
import tidepool.protocol.Protocols;
import tidepool.schema.AttributeType;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.SchemaChange;
import tidepool.spi.BackupImage;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Attributes are added, dropped and widened while programs with record classes of both versions work on the table. */
class SchemaVersionsTest {
    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    /** Of FORD-LV the form in which several sessions write one table. */
    static List<String> protocolsOfSeveral() {
        return protocols().stream()
                .map(each -> each.equals("ford-lv") ? "ford-lv&vcache=global" : each)
                .toList();
    }

    public record Old(@Key long id, int balance, @Length(8) String owner, int note) {}

    public record New(
            @Key long id, long balance, @Length(40) String owner, int level) {}

    /** The change from the one to the other; programs of before have to write 0 as their note. */
    private static SchemaChange change() {
        return new SchemaChange()
                .widen("balance", AttributeType.LONG)
                .widen("owner", AttributeType.string(40))
                .drop("note", "0")
                .add("level", AttributeType.INT, "3");
    }

    private static Tidepool open(Fabric fabric, String protocol) {
        FabricUrl url = FabricUrl.parse("mem:?nodes=2&protocol=" + protocol);
        PoolOptions options = PoolOptions.of(url);
        return PoolAccess.open(
                fabric, new PoolOptions(options.protocol(), 2, 2, 4 << 20, 16, 32 * 1024), Protocols.of(url));
    }

    /** Makes a change and moves no row, as a process does that dies then. */
    private static void begin(Tidepool pool, String table, SchemaChange change) {
        new TableMigration(pool, table).begin(change);
        assertNotNull(pool.knownTables().find(table).before());
    }

    @ParameterizedTest
    @MethodSource("protocolsOfSeveral")
    void programsOfBothVersionsWorkOnOneTable(String protocol) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool before = open(fabric, protocol);
                Tidepool after = open(fabric, protocol)) {
            Table<Old> old = before.table("accounts", Old.class, 300);
            before.transact(tx -> {
                for (int id = 0; id < 100; id++) old.put(tx, new Old(id, id, "o" + id, 0));
            });
            TableHandle fields = before.table("accounts");
            after.alter("accounts", change());
            Table<New> now = after.table("accounts", New.class);
            assertEquals(new New(7, 7, "o7", 3), after.read(tx -> now.get(tx, 7)));
            assertEquals(100, now.stream().count());
            // The table of before is open still, and its class is mapped from now on.
            assertEquals(new Old(7, 7, "o7", 0), before.read(tx -> old.get(tx, 7)));
            assertEquals(
                    100,
                    old.stream().filter(each -> each.balance() == each.id()).count());
            after.transact(tx -> now.put(tx, new New(7, 70, "seven", 9)));
            before.transact(tx -> old.update(tx, 7).set(new Old(7, 71, "7", 0)));
            assertEquals(new New(7, 71, "7", 9), after.read(tx -> now.get(tx, 7)), "the level is kept");
            before.transact(tx -> old.put(tx, new Old(7, 72, "7", 0)));
            assertEquals(new New(7, 72, "7", 9), after.read(tx -> now.get(tx, 7)), "the level is kept");
            before.transact(tx -> old.insert(tx, new Old(200, 5, "x", 0)));
            assertEquals(new New(200, 5, "x", 3), after.read(tx -> now.get(tx, 200)), "the level has its default");
            before.transact(tx -> old.upsert(tx, new Old(201, 6, "y", 0), each -> each));
            before.transact(tx -> old.computeIfAbsent(tx, 202, id -> new Old(id, 8, "z", 0)));
            before.transact(tx -> old.put(tx, new Old(203, 8, "z", 0)));
            for (long id = 201; id <= 203; id++) {
                long key = id;
                assertEquals(3, after.read(tx -> now.get(tx, key)).level(), "the level has its default");
            }
            // What does not fit is refused with its name.
            after.transact(tx -> now.put(tx, new New(8, 1L << 40, "eight", 1)));
            StoreException misfit = assertThrows(StoreException.class, () -> before.read(tx -> old.get(tx, 8)));
            assertTrue(misfit.getMessage().contains("attribute 'balance' holds 1099511627776"), misfit.getMessage());
            assertThrows(
                    IllegalArgumentException.class, () -> before.transact(tx -> old.put(tx, new Old(9, 1, "a", 4))));
            // A handle on fields has offsets of before.
            StoreException refused = assertThrows(
                    StoreException.class, () -> before.transact(tx -> tx.raw().read(fields, 7)));
            assertTrue(refused.getMessage().contains("was altered"), refused.getMessage());
            assertEquals(104, after.size("accounts").rows());
            assertEquals(1, after.tables().size());
            assertNull(after.knownTables().version("accounts" + TableLayout.BEFORE), "the former layout is gone");
            after.drop("accounts");
            assertThrows(StoreException.class, () -> before.read(tx -> old.get(tx, 7)));
        }
    }

    public record Former(@Key long id, int a, long b) {}

    /** Every API sees a table whose rows have not moved as it sees any other; {@link OwnProgram} compares with maps. */
    @ParameterizedTest
    @MethodSource("protocols")
    void randomProgramsSeeOneTableWhileRowsMove(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=4m&protocol=" + protocol)) {
            Effort.seeds(4, 12, 400).forEach(seed -> {
                Randomness random = new Randomness(seed);
                List<OwnProgram.Pair> rows = new ArrayList<>();
                for (String name : List.of("left", "right")) {
                    Table<Former> former = pool.table(name, Former.class, 2);
                    pool.transact(tx -> {
                        for (long key = 0; key < 4; key++) former.put(tx, new Former(key, (int) key + 50, key));
                    });
                    begin(pool, name, new SchemaChange().widen("a", AttributeType.LONG));
                }
                for (long key = 0; key < 4; key++) rows.add(new OwnProgram.Pair(key, key + 50, key));
                try (OwnProgram programs = new OwnProgram(pool)) {
                    for (OwnProgram.Pair row : rows)
                        for (int table = 0; table < 2; table++) programs.expect(table, row);
                    for (int i = 0; i < 8; i++) programs.run(random, "seed=" + seed + " program=" + i);
                    pool.alter("left", new SchemaChange());
                    programs.run(random, "seed=" + seed + " afterwards");
                }
                pool.alter("right", new SchemaChange());
                for (String name : List.of("left", "right")) pool.drop(name);
            });
        }
    }

    /**
     * Checkers of histories ask for versions and buckets by the numbers of accesses. The protocol does not know the
     * numbers of accesses that are mapped, and would answer for another access of the transaction.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void versionsAndBucketsAreThoseOfTheRowsThatMove(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=4m&protocol=" + protocol)) {
            Table<Former> rows = pool.table("rows", Former.class, 40);
            Table<Former> others = pool.table("others", Former.class, 40);
            long[] loader = new long[1];
            pool.transact(tx -> {
                loader[0] = tx.raw().id();
                for (long key = 0; key < 10; key++) rows.put(tx, new Former(key, 1, key));
                for (long key = 0; key < 10; key++) others.put(tx, new Former(key, 1, key));
            });
            TableHandle former = pool.table("rows");
            long[] bucketBefore = new long[1];
            try (Transaction tx = pool.begin()) {
                int deleted = tx.raw().delete(former, 4);
                tx.execute();
                bucketBefore[0] = tx.raw().bucket(deleted);
            }
            begin(pool, "rows", new SchemaChange().widen("a", AttributeType.LONG));
            TableHandle now = pool.table("rows");
            long[] buckets = new long[2];
            pool.transact(tx -> {
                Txn raw = tx.raw();
                int elsewhere = raw.delete(others.handle(), 5);
                int absent = raw.read(now, 77);
                int inserted = raw.insert(now, 78);
                int read = raw.read(now, 3);
                int unchanged = raw.read(now, 8);
                int deleted = raw.delete(now, 4);
                int updated = raw.update(now, 6);
                int put = raw.put(now, 7);
                int second = raw.update(now, 7);
                raw.execute();
                int later = raw.update(now, 3);
                int again = raw.insert(now, 4);
                raw.execute();
                buckets[0] = raw.bucket(absent);
                buckets[1] = raw.bucket(inserted);
                assertEquals(bucketBefore[0], raw.bucket(deleted));
                assertNotEquals(raw.bucket(elsewhere), raw.bucket(deleted));
                assertThrows(IllegalArgumentException.class, () -> raw.bucket(unchanged), "a row that was found");
                for (int access : new int[] {read, unchanged, updated, put, later})
                    assertEquals(loader[0], raw.version(access), "no access of the caller has written the row before");
                for (int access : new int[] {second, again})
                    assertEquals(raw.id(), raw.version(access), "an earlier access has written the row");
                assertEquals(raw.bucketVersion(inserted), raw.version(inserted));
            });
            pool.alter("rows", new SchemaChange());
            pool.transact(tx -> {
                Txn raw = tx.raw();
                int absent = raw.read(pool.table("rows"), 77);
                int deleted = raw.delete(pool.table("rows"), 78);
                raw.execute();
                assertEquals(buckets[0], raw.bucket(absent));
                assertEquals(buckets[1], raw.bucket(deleted));
            });
        }
    }

    /**
     * Under FORD-LV with owners, the session that writes first after the change owns the table and its predecessor. It
     * moves the rows; any other one that asks for that, or writes, is told where, and reads what there is.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford-lv", "ford-lv&vcache=partition"})
    void anotherSessionThanTheOwnerMovesNoRow(String protocol) {
        for (boolean ownsByNewRow : new boolean[] {false, true}) {
            try (Fabric fabric = Fabric.open("mem:?nodes=2");
                    Tidepool owner = open(fabric, protocol);
                    Tidepool other = open(fabric, protocol)) {
                Table<Old> rows = owner.table("accounts", Old.class, 40);
                owner.transact(tx -> {
                    for (int id = 0; id < 20; id++) rows.put(tx, new Old(id, id, "o" + id, 0));
                });
                begin(other, "accounts", change());
                Table<New> now = other.table("accounts", New.class);
                // A new row lies in the table, a row of before in the predecessor: each makes the session own both.
                for (int id = 0; id < 10; id++) {
                    int key = ownsByNewRow ? 100 + id : id;
                    owner.transact(tx -> rows.put(tx, new Old(key, 7, "own", 0)));
                }
                for (Runnable refused : List.<Runnable>of(
                        () -> other.alter("accounts", new SchemaChange()),
                        () -> other.transact(tx -> now.put(tx, new New(5, 50, "five", 1))),
                        () -> other.transact(tx -> now.insert(tx, new New(300, 50, "new", 1))))) {
                    StoreException refusal = assertThrows(StoreException.class, refused::run);
                    assertEquals(StoreException.Reason.OWNED, refusal.reason());
                    assertTrue(
                            refusal.getMessage()
                                    .matches("(partition \\d+ of )?table accounts is owned by session \\d+, whose"
                                            + " Vcache holds its versions: write it there"),
                            refusal.getMessage());
                }
                assertEquals(ownsByNewRow ? 30 : 20, now.stream().count());
                assertEquals(
                        ownsByNewRow ? 5 : 7, other.read(tx -> now.get(tx, 5)).balance());
                RowPages<New> begun = now.pages(2).perPage();
                assertTrue(begun.next());
                owner.alter("accounts", new SchemaChange());
                assertNull(owner.knownTables().find("accounts").before());
                StoreException ended = assertThrows(StoreException.class, () -> begun.forEach(_ -> {}));
                assertTrue(ended.getMessage().startsWith("table accounts was altered: open it again"));
                assertEquals(ownsByNewRow ? 30 : 20, now.stream().count());
                // The change has ended the ownership.
                other.transact(tx -> now.put(tx, new New(5, 50, "five", 1)));
            }
        }
    }

    /** Threads of both versions move money while rows move, and iterations see each row once. */
    @ParameterizedTest
    @MethodSource("protocolsOfSeveral")
    void moneyIsKeptWhileRowsMove(String protocol) throws Exception {
        int accounts = 120;
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool before = open(fabric, protocol);
                Tidepool after = open(fabric, protocol)) {
            Table<Old> old = before.table("accounts", Old.class, accounts);
            before.transact(tx -> {
                for (int id = 0; id < accounts; id++) old.put(tx, new Old(id, 1_000, "o", 0));
            });
            begin(after, "accounts", change());
            Table<New> now = after.table("accounts", New.class);
            AtomicBoolean ends = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Randomness random = new Randomness(i);
                boolean isOld = i % 2 == 0;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int turn = 0; !ends.get() || turn < 20; turn++) {
                            long from = random.nextInt(accounts);
                            long to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
                            if (isOld) before.transact(tx -> transferOld(tx, old, from, to));
                            else after.transact(tx -> transferNew(tx, now, from, to));
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
            Map<Long, New> seen = new TreeMap<>();
            for (New each : now.pages(16).perPage()) assertNull(seen.put(each.id(), each), "a row comes twice");
            assertEquals(accounts, seen.size());
            after.alter("accounts", new SchemaChange());
            ends.set(true);
            for (Thread thread : threads) thread.join();
            if (failure.get() != null) throw new AssertionError(protocol, failure.get());
            long sum = after.read(tx -> {
                long all = 0;
                for (long id = 0; id < accounts; id++) all += now.get(tx, id).balance();
                return all;
            });
            assertEquals(1_000L * accounts, sum);
            assertEquals(accounts, after.size("accounts").rows());
        }
    }

    public record LongOld(@Key @Length(20) String key, String text, String gone, int stars) {}

    public record LongNew(@Key @Length(20) String key, long stars, String text, String more) {}

    private static String text(char letter, int length) {
        return String.valueOf(letter).repeat(length);
    }

    /** Parts of contents follow their rows, those of a dropped attribute are deleted, and wide keys are found. */
    @ParameterizedTest
    @MethodSource("protocolsOfSeveral")
    void longContentsFollowTheirRows(String protocol) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool before = open(fabric, protocol);
                Tidepool after = open(fabric, protocol)) {
            Table<LongOld> old = before.table("docs", LongOld.class, 30);
            before.transact(tx -> {
                for (int i = 0; i < 12; i++)
                    old.put(tx, new LongOld("key number " + i, text('a', 300 * i), text('b', 700 * i), i));
            });
            int parts = PartsCensus.check(before, old);
            begin(
                    after,
                    "docs",
                    new SchemaChange()
                            .widen("stars", AttributeType.LONG)
                            .drop("gone", "")
                            .add("more", AttributeType.parse("longstring[1048576]"), "none"));
            Table<LongNew> now = after.table("docs", LongNew.class);
            assertEquals(
                    new LongNew("key number 5", 5, text('a', 1500), "none"),
                    after.read(tx -> now.get(tx, "key number 5")));
            assertEquals(
                    12, now.stream().mapToInt(each -> each.more().length() / 4).sum());
            // A class of before keeps the long content that it lacks.
            after.transact(tx -> now.put(tx, new LongNew("key number 5", 6, text('c', 900), text('d', 4_000))));
            before.transact(
                    tx -> old.update(tx, "key number 5").set(new LongOld("key number 5", text('e', 5_000), "", 7)));
            assertEquals(
                    new LongNew("key number 5", 7, text('e', 5_000), text('d', 4_000)),
                    after.read(tx -> now.get(tx, "key number 5")));
            assertEquals(
                    new LongOld("key number 11", text('a', 3300), "", 11),
                    before.read(tx -> old.get(tx, "key number 11")));
            before.transact(tx -> assertEquals(
                    text('a', 1800), old.delete(tx, "key number 6").get().text()));
            after.alter("docs", new SchemaChange());
            assertEquals(11, now.stream().count());
            assertTrue(PartsCensus.check(after, now) < parts, "parts of the dropped attribute are gone");
            for (String each : List.of("key number 1", "key number 5")) after.transact(tx -> now.delete(tx, each));
            PartsCensus.check(after, now);
            after.drop("docs");
            assertEquals(List.of(), after.knownTables().all());
        }
    }

    /** A backup has both tables, and the restored pool goes on with the move. */
    @ParameterizedTest
    @MethodSource("protocols")
    void rowsMoveOnInARestoredPool(String protocol, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("accounts.backup");
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            try (Tidepool pool = open(fabric, protocol)) {
                Table<Old> old = pool.table("accounts", Old.class, 40);
                pool.transact(tx -> {
                    for (int id = 0; id < 40; id++) old.put(tx, new Old(id, id, "o", 0));
                });
                begin(pool, "accounts", change());
                pool.transact(tx -> old.put(tx, new Old(1, 10, "one", 0)));
            }
            BackupImage.write(fabric, 7, file);
        }
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, fabric, 2, null);
            try (Tidepool pool = open(fabric, protocol)) {
                Table<New> now = pool.table("accounts", New.class);
                assertEquals(new New(1, 10, "one", 3), pool.read(tx -> now.get(tx, 1)));
                assertEquals(new New(2, 2, "o", 3), pool.read(tx -> now.get(tx, 2)));
                assertEquals(40, now.stream().count());
                pool.alter("accounts", new SchemaChange());
                assertEquals(40, now.stream().count());
                assertNull(pool.knownTables().find("accounts").before());
            }
        }
    }

    public record ShortNote(
            @Key long id,
            @Length(200) String note,
            @Length(value = 150, varying = true) byte[] data) {}

    public record LongNote(@Key long id, String note, byte[] data, int stars) {}

    /** Both texts have room in the row at first. Up to 92 bytes lie in the slot afterwards. */
    private static SchemaChange longer() {
        return new SchemaChange()
                .widen("note", AttributeType.longstring(1 << 20))
                .widen("data", AttributeType.parse("longbytes[1048576]"))
                .add("stars", AttributeType.INT, "3");
    }

    private static ShortNote shortNote(long id, int length) {
        return new ShortNote(id, text((char) ('a' + id), length), new byte[length * 3 / 4]);
    }

    private static void assertNote(long id, int length, int stars, LongNote found) {
        assertEquals(id, found.id());
        assertEquals(text((char) ('a' + id), length), found.note());
        assertArrayEquals(new byte[length * 3 / 4], found.data());
        assertEquals(stars, found.stars());
    }

    /** Contents with room in the row become long ones, while a program of before goes on. */
    @ParameterizedTest
    @MethodSource("protocolsOfSeveral")
    void textsInTheRowBecomeLongContents(String protocol) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool before = open(fabric, protocol);
                Tidepool after = open(fabric, protocol)) {
            Table<ShortNote> old = before.table("notes", ShortNote.class, 30);
            before.transact(tx -> {
                for (int id = 0; id < 20; id++) old.put(tx, shortNote(id, 10 * id));
            });
            begin(after, "notes", longer());
            Table<LongNote> now = after.table("notes", LongNote.class);
            assertEquals(0, PartsCensus.check(after, now), "no row has moved");
            int seen = 0;
            for (LongNote each : now.pages(7)) {
                assertNote(each.id(), (int) (10 * each.id()), 3, each);
                seen++;
            }
            assertEquals(20, seen);
            // A row that is only read stays, and its content is whole in one transaction with a write of it.
            after.transact(tx -> {
                assertNote(15, 150, 3, now.get(tx, 15));
                now.put(tx, new LongNote(15, text('p', 5_000), new byte[0], 4));
                assertEquals(text('p', 5_000), now.get(tx, 15).note());
            });
            StoreException misfit = assertThrows(StoreException.class, () -> before.read(tx -> old.get(tx, 15)));
            assertTrue(misfit.getMessage().contains("attribute 'note' holds 5000 bytes"), misfit.getMessage());
            before.transact(tx -> old.put(tx, shortNote(15, 120)));
            assertNote(15, 120, 4, after.read(tx -> now.get(tx, 15)));
            // The program of before writes rows that have moved, and rows that have not.
            before.transact(tx -> {
                Cell<ShortNote> cell = old.update(tx, 16);
                assertEquals(text('q', 160), cell.get().note());
                cell.set(shortNote(16, 161));
            });
            before.transact(tx -> old.insert(tx, shortNote(20, 200)));
            before.transact(
                    tx -> assertEquals(180, old.delete(tx, 18).get().note().length()));
            assertNote(16, 161, 3, after.read(tx -> now.get(tx, 16)));
            assertEquals(text('q', 161), before.read(tx -> old.get(tx, 16)).note());
            PartsCensus.check(after, now);
            after.alter("notes", new SchemaChange());
            assertNull(after.knownTables().find("notes").before());
            for (LongNote each : now.pages(7))
                assertNote(
                        each.id(),
                        each.id() == 15 ? 120 : each.id() == 16 ? 161 : (int) (10 * each.id()),
                        each.id() == 15 ? 4 : 3,
                        each);
            for (long id = 0; id <= 20; id++) {
                long key = id;
                after.transact(tx -> assertEquals(key != 18, now.delete(tx, key).isPresent()));
            }
            assertEquals(0, PartsCensus.check(after, now));
            after.drop("notes");
            assertEquals(List.of(), after.knownTables().all());
        }
    }

    /** Random transactions by classes of both versions on rows that have not moved, compared with a map. */
    @ParameterizedTest
    @MethodSource("protocolsOfSeveral")
    void randomTransactionsOnTextsThatBecomeLong(String protocol) {
        Effort.seeds(2, 8, 300).forEach(seed -> {
            try (Fabric fabric = Fabric.open("mem:?nodes=2");
                    Tidepool before = open(fabric, protocol);
                    Tidepool after = open(fabric, protocol)) {
                Randomness random = new Randomness(seed);
                Map<Long, LongNote> model = new TreeMap<>();
                Table<ShortNote> old = before.table("notes", ShortNote.class, 2);
                before.transact(tx -> {
                    for (long id = 0; id < 8; id++) {
                        ShortNote note = shortNote(id, random.nextInt(200));
                        old.put(tx, note);
                        model.put(id, new LongNote(id, note.note(), note.data(), 3));
                    }
                });
                begin(after, "notes", longer());
                Table<LongNote> now = after.table("notes", LongNote.class);
                for (int i = 0; i < 25; i++) {
                    boolean isOld = random.nextInt(2) == 0;
                    long drawn = random.nextLong();
                    Map<Long, LongNote> changed = new TreeMap<>(model);
                    boolean gaveUp = random.nextInt(6) == 0;
                    try {
                        if (isOld) before.transact(tx -> play(tx, old, new Randomness(drawn), changed, model, gaveUp));
                        else after.transact(tx -> playNew(tx, now, new Randomness(drawn), changed, model, gaveUp));
                        model.clear();
                        model.putAll(changed);
                    } catch (Rollback e) {
                        assertTrue(gaveUp);
                    }
                    if (i == 20) after.alter("notes", new SchemaChange());
                }
                Map<Long, LongNote> found = new TreeMap<>();
                now.forEach(each -> found.put(each.id(), each));
                assertEquals(model.keySet(), found.keySet());
                model.forEach((id, note) -> assertSame(note, found.get(id)));
                PartsCensus.check(after, now);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed=" + seed + ": " + e.getMessage(), e);
            }
        });
    }

    private static void assertSame(LongNote expected, LongNote found) {
        assertEquals(expected == null, found == null);
        if (expected == null) return;
        assertEquals(expected.note(), found.note());
        assertArrayEquals(expected.data(), found.data());
        assertEquals(expected.stars(), found.stars());
    }

    private static void play(
            Transaction tx,
            Table<ShortNote> table,
            Randomness random,
            Map<Long, LongNote> changed,
            Map<Long, LongNote> model,
            boolean gaveUp) {
        changed.clear();
        changed.putAll(model);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            long id = random.nextInt(8);
            LongNote had = changed.get(id);
            boolean fits = had == null || had.note().length() <= 200 && had.data().length <= 150;
            ShortNote note = shortNote(id, random.nextInt(201));
            int stars = had == null ? 3 : had.stars();
            switch (random.nextInt(5)) {
                case 0 -> {
                    if (!fits) continue;
                    ShortNote found = table.get(tx, id);
                    assertEquals(had == null ? null : had.note(), found == null ? null : found.note());
                }
                case 1 -> {
                    table.put(tx, note);
                    changed.put(id, new LongNote(id, note.note(), note.data(), stars));
                }
                case 2 -> {
                    if (!fits) continue;
                    table.delete(tx, id);
                    changed.remove(id);
                }
                case 3 -> {
                    if (had == null || !fits) continue;
                    Cell<ShortNote> cell = table.update(tx, id);
                    assertEquals(had.note(), cell.get().note());
                    // One of the two contents stays as it is.
                    cell.set(new ShortNote(id, note.note(), cell.get().data()));
                    changed.put(id, new LongNote(id, note.note(), had.data(), stars));
                }
                default -> {
                    if (had != null) continue;
                    table.insert(tx, note);
                    changed.put(id, new LongNote(id, note.note(), note.data(), 3));
                }
            }
        }
        if (gaveUp) throw new Rollback("as planned");
    }

    private static void playNew(
            Transaction tx,
            Table<LongNote> table,
            Randomness random,
            Map<Long, LongNote> changed,
            Map<Long, LongNote> model,
            boolean gaveUp) {
        changed.clear();
        changed.putAll(model);
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            long id = random.nextInt(8);
            LongNote had = changed.get(id);
            int length = random.nextInt(4) == 0 ? random.nextInt(6_000) : random.nextInt(200);
            LongNote note = new LongNote(id, text('n', length), new byte[random.nextInt(250)], random.nextInt(9));
            switch (random.nextInt(6)) {
                case 0 -> assertSame(had, table.get(tx, id));
                case 1 -> {
                    table.put(tx, note);
                    changed.put(id, note);
                }
                case 2 -> {
                    Cell<LongNote> gone = table.delete(tx, id);
                    assertSame(had, gone.isPresent() ? gone.get() : null);
                    changed.remove(id);
                }
                case 3 -> {
                    if (had == null) continue;
                    Cell<LongNote> cell = table.update(tx, id);
                    assertSame(had, cell.get());
                    LongNote next = new LongNote(id, had.note(), note.data(), 7);
                    cell.set(next);
                    changed.put(id, next);
                }
                case 4 -> {
                    if (had != null) continue;
                    table.insert(tx, note);
                    changed.put(id, note);
                }
                default -> changed.put(id, table.upsert(tx, note, each -> each));
            }
        }
        if (gaveUp) throw new Rollback("as planned");
    }

    enum Few {
        NEW,
        PAID
    }

    enum Many {
        CANCELLED,
        NEW,
        PAID
    }

    public record FewRow(@Key long id, Few state) {}

    public record ManyRow(@Key long id, Many state) {}

    /** A constant that sorts before others moves their codes, and an old class reads those that it has. */
    @Test
    void newConstantIsNamedToAClassThatLacksIt() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<FewRow> few = pool.table("orders", FewRow.class);
            pool.transact(tx -> few.put(tx, new FewRow(1, Few.PAID)));
            pool.alter("orders", new SchemaChange().widen("state", AttributeType.parse("enum<CANCELLED, NEW, PAID>")));
            Table<ManyRow> many = pool.table("orders", ManyRow.class);
            pool.transact(tx -> many.put(tx, new ManyRow(2, Many.CANCELLED)));
            assertEquals(new FewRow(1, Few.PAID), pool.read(tx -> few.get(tx, 1)));
            assertEquals(Many.PAID, pool.read(tx -> many.get(tx, 1)).state());
            StoreException misfit = assertThrows(StoreException.class, () -> pool.read(tx -> few.get(tx, 2)));
            assertTrue(misfit.getMessage().contains("attribute 'state' holds CANCELLED"), misfit.getMessage());
        }
    }

    /** A table that is being left is finished before anything else happens to it. */
    @Test
    void otherChangesWaitUntilRowsHaveMoved() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<Old> old = pool.table("accounts", Old.class);
            pool.transact(tx -> old.put(tx, new Old(1, 1, "o", 0)));
            begin(pool, "accounts", change());
            for (Runnable change : List.<Runnable>of(
                    () -> pool.drop("accounts"), () -> pool.truncate("accounts"), () -> pool.rename("accounts", "b"))) {
                StoreException refused = assertThrows(StoreException.class, change::run);
                assertTrue(refused.getMessage().contains("while its rows move"), refused.getMessage());
            }
            long[] moved = new long[1];
            pool.alter("accounts", new SchemaChange().drop("level"), (rows, _) -> moved[0] = rows);
            assertEquals(2, moved[0], "once for each change");
            assertEquals(1, old.stream().count());
            pool.rename("accounts", "b");
            pool.drop("b");
        }
    }

    public record Lacking(
            @Key long id, long balance, @Length(40) String owner, int level, int none) {}

    @Test
    void classWithAnAttributeThatTheTableLacksIsRefusedWithBothSchemas() {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<Lacking> lacking = pool.table("accounts", Lacking.class);
            pool.alter("accounts", new SchemaChange().drop("none"));
            StoreException open = assertThrows(StoreException.class, () -> pool.read(tx -> lacking.get(tx, 1)));
            assertTrue(open.getMessage().contains("stored=accounts(balance:long"), open.getMessage());
            assertTrue(open.getMessage().contains("here=accounts(balance:long"), open.getMessage());
            assertThrows(IllegalArgumentException.class, () -> pool.table("accounts", Lacking.class));
            assertEquals(0, pool.table("accounts", New.class).stream().count());
        }
    }

    private static void transferOld(Transaction tx, Table<Old> old, long from, long to) {
        Cell<Old> source = old.update(tx, from);
        Cell<Old> target = old.update(tx, to);
        source.set(new Old(from, source.get().balance() - 1, "old", 0));
        target.set(new Old(to, target.get().balance() + 1, "old", 0));
    }

    private static void transferNew(Transaction tx, Table<New> now, long from, long to) {
        New source = now.get(tx, from);
        New target = now.delete(tx, to).get();
        now.put(tx, new New(from, source.balance() - 1, "newer", 4));
        now.insert(tx, new New(to, target.balance() + 1, "newer", 5));
    }
}
