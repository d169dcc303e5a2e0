package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Checksum64;
import tidepool.base.Randomness;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.Schema;
import tidepool.store.ContentParts;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Values of any length, through the typed API, under all protocols. */
class LongValuesTest {
    record Doc(
            @Key long id,
            String text,
            @Length(2000) @Nullable String title,
            List<String> tags,
            Optional<Author> author,
            int version) {
        Doc withText(String other) {
            return new Doc(id, other, title, tags, author, version + 1);
        }

        Doc withVersion(int other) {
            return new Doc(id, text, title, tags, author, other);
        }
    }

    record Author(String name, @Length(8) String code) {}

    record Named(
            @Key @Length(40) String name,
            @Key int number,
            @Length(value = 50_000, varying = true) byte[] content) {}

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open(
                "mem:?nodes=2&replicas=2&memory=32m&log=512k&coordinators=32&timeout=60s&protocol=" + protocol);
    }

    private static Doc doc(Randomness random, long id) {
        return new Doc(
                id,
                text(random, length(random)),
                random.nextBoolean() ? null : text(random, random.nextInt(2001)),
                tags(random),
                random.nextBoolean() ? Optional.empty() : Optional.of(new Author(text(random, length(random)), "x")),
                random.nextInt(1000));
    }

    private static int length(Randomness random) {
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> random.nextInt(93);
            case 2 -> 90 + random.nextInt(6);
            case 3 -> random.nextInt(600);
            case 4 -> random.nextInt(5000);
            default -> 3500 + random.nextInt(8000);
        };
    }

    private static List<String> tags(Randomness random) {
        List<String> tags = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) tags.add(text(random, random.nextInt(300)));
        return tags;
    }

    /** Returns a text that two different calls do not return, whose parts differ from each other. */
    static String text(Randomness random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length)
            text.append(Long.toString(random.nextLong(), 36)).append(' ');
        return text.substring(0, length);
    }

    // ---- one value

    @ParameterizedTest
    @MethodSource("protocols")
    void everyLengthComesBack(String protocol) {
        Randomness random = new Randomness(5);
        try (Tidepool pool = open(protocol)) {
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            Doc last = null;
            for (int length :
                    new int[] {0, 92, 93, 510, 511, 1791, 1792, 3582, 3583, 5373, 5374, 20_000, 100_000, 93}) {
                Doc doc = new Doc(1, text(random, length), null, List.of(), Optional.empty(), length);
                pool.transact(tx -> docs.put(tx, doc));
                assertEquals(doc, pool.read(tx -> docs.get(tx, 1)), "length=" + length);
                PartsCensus.check(pool, docs);
                last = doc;
            }
            Doc shown = last;
            pool.transact(tx -> assertEquals(shown, docs.delete(tx, 1).get()));
            assertNull(pool.read(tx -> docs.get(tx, 1)));
            assertEquals(0, PartsCensus.check(pool, docs));
        }
    }

    /** The maximum is what the guide promises, so it must fit one transaction of a pool with default options. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theMaximumFitsAPoolWithDefaultOptions(String protocol) {
        Randomness random = new Randomness(7);
        try (Tidepool pool = Tidepool.open("mem:?timeout=60s&protocol=" + protocol)) {
            Table<Doc> docs = pool.table("docs", Doc.class);
            for (int length : new int[] {1 << 20, (1 << 20) - 1}) {
                Doc doc = new Doc(1, text(random, length), null, List.of(), Optional.empty(), length);
                pool.transact(tx -> docs.put(tx, doc));
                assertEquals(doc, pool.read(tx -> docs.get(tx, 1)), "length=" + length);
                PartsCensus.check(pool, docs);
            }
            pool.transact(tx -> docs.delete(tx, 1));
            assertEquals(0, PartsCensus.check(pool, docs));
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void keysOfSeveralPartsHaveLongValues(String protocol) {
        Randomness random = new Randomness(6);
        try (Tidepool pool = open(protocol)) {
            Table<Named> all = pool.table("named", Named.class, 64);
            byte[] content = text(random, 12_345).getBytes();
            pool.transact(tx -> {
                all.insert(tx, new Named("a", 1, content));
                all.insert(tx, new Named("a", 2, new byte[5]));
            });
            Named found = pool.read(tx -> all.get(tx, "a", 1));
            assertEquals(0, java.util.Arrays.compare(content, found.content));
            List<Named> both = pool.read(tx -> all.getAll(tx, List.of(all.key("a", 2), all.key("a", 1))));
            assertEquals(5, both.get(0).content.length);
            assertEquals(12_345, both.get(1).content.length);
            pool.transact(tx -> all.delete(tx, "a", 1));
            assertEquals(0, PartsCensus.check(pool, all));
        }
    }

    // ---- random programs

    @ParameterizedTest
    @MethodSource("protocols")
    void randomProgramsAreThoseOfAMap(String protocol) {
        for (long seed : Effort.seeds(1, 3, 60).toArray()) {
            try (Tidepool pool = open(protocol)) {
                new Program(pool, new Randomness(seed)).run(Effort.of(15, 40, 300), protocol + " seed=" + seed);
            }
        }
    }

    /** A random program over few keys, next to a map. */
    private static final class Program {
        private static final int KEYS = 5;

        private final Tidepool pool;
        private final Table<Doc> docs;
        private final Randomness random;
        private Map<Long, Doc> committed = new HashMap<>();

        Program(Tidepool pool, Randomness random) {
            this.pool = pool;
            this.random = random;
            this.docs = pool.table("docs", Doc.class, 32);
        }

        void run(int transactions, String seed) {
            for (int i = 0; i < transactions; i++) {
                List<String> lines = new ArrayList<>();
                try {
                    transact(lines);
                    compare();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError(seed + " transaction " + i + ": " + lines, e);
                }
            }
        }

        private void transact(List<String> lines) {
            Map<Long, Doc> model = new HashMap<>(committed);
            boolean commits = random.chance(4, 5);
            try (Transaction tx = pool.begin()) {
                for (int steps = 1 + random.nextInt(5); steps > 0; steps--) step(tx, model, lines);
                if (!commits) return;
                assertTrue(tx.commit());
            }
            committed = model;
        }

        private void step(Transaction tx, Map<Long, Doc> model, List<String> lines) {
            long id = random.nextInt(KEYS);
            Doc there = model.get(id);
            int what = random.nextInt(11);
            lines.add(what + ":" + id);
            switch (what) {
                case 0 -> assertEquals(there, docs.get(tx, id));
                case 1 -> {
                    List<Doc> found = docs.getAll(tx, 0, 1, 2, 3, 4);
                    for (int key = 0; key < KEYS; key++) assertEquals(model.get((long) key), found.get(key));
                }
                case 2, 3 -> {
                    Doc doc = doc(random, id);
                    docs.put(tx, doc);
                    model.put(id, doc);
                }
                case 4 -> {
                    if (there != null) return;
                    Doc doc = doc(random, id);
                    docs.insert(tx, doc);
                    model.put(id, doc);
                }
                case 5 -> {
                    Cell<Doc> cell = docs.delete(tx, id);
                    model.remove(id);
                    if (!random.nextBoolean()) return;
                    assertEquals(there != null, cell.isPresent());
                    if (there != null) assertEquals(there, cell.get());
                }
                case 6 -> {
                    if (there == null) return;
                    Cell<Doc> cell = docs.update(tx, id);
                    if (random.nextBoolean()) assertEquals(there, cell.get());
                    Doc changed = random.nextBoolean()
                            ? there.withText(text(random, length(random)))
                            : there.withVersion(there.version + 1);
                    cell.set(changed);
                    model.put(id, changed);
                    if (random.nextBoolean()) assertEquals(changed, cell.get());
                }
                case 7 -> {
                    Doc fresh = doc(random, id);
                    Doc wanted = there == null ? fresh : there.withVersion(-1);
                    assertEquals(wanted, docs.upsert(tx, fresh, old -> old.withVersion(-1)));
                    model.put(id, wanted);
                }
                case 8 -> {
                    Doc fresh = doc(random, id);
                    Doc wanted = there == null ? fresh : there;
                    assertEquals(wanted, docs.computeIfAbsent(tx, id, _ -> fresh));
                    model.put(id, wanted);
                }
                case 9 -> {
                    if (docs.get(tx, id) == null) return;
                    Doc same = there.withVersion(7);
                    docs.put(tx, same);
                    model.put(id, same);
                }
                default -> tx.execute();
            }
        }

        private void compare() {
            List<Doc> found = pool.read(tx -> docs.getAll(tx, 0, 1, 2, 3, 4));
            for (int key = 0; key < KEYS; key++) assertEquals(committed.get((long) key), found.get(key));
            PartsCensus.check(pool, docs);
            Map<Long, Doc> rows = new HashMap<>();
            docs.pages(2).forEach(doc -> rows.put(doc.id, doc));
            assertEquals(committed, rows);
        }
    }

    // ---- what is carried

    /** A content that was read and did not change keeps its parts: only the row is written. */
    @ParameterizedTest
    @MethodSource("protocols")
    void unchangedContentIsNotWrittenAgain(String protocol) {
        Randomness random = new Randomness(8);
        try (Tidepool pool = open(protocol)) {
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            Doc doc = new Doc(1, text(random, 20_000), "t", List.of(text(random, 700)), Optional.empty(), 1);
            pool.transact(tx -> docs.put(tx, doc));
            String before = writers(pool, docs);
            pool.transact(tx -> {
                Cell<Doc> cell = docs.update(tx, 1);
                cell.set(cell.get().withVersion(2));
            });
            pool.transact(tx -> docs.put(tx, docs.get(tx, 1).withVersion(3)));
            pool.transact(tx -> docs.upsert(tx, doc, old -> old.withVersion(4)));
            assertEquals(before, writers(pool, docs));
            assertEquals(doc.withVersion(4), pool.read(tx -> docs.get(tx, 1)));
            pool.transact(tx -> docs.put(tx, docs.get(tx, 1).withText("short")));
            PartsCensus.check(pool, docs);
            assertFalse(before.equals(writers(pool, docs)));
            assertEquals("short", pool.read(tx -> docs.get(tx, 1)).text);
        }
    }

    private static String writers(Tidepool pool, Table<Doc> docs) {
        return String.join(
                "; ",
                RowPages.ofFields(pool, docs.layout(), 10, (key, memory, value) -> {
                            StringBuilder all = new StringBuilder();
                            docs.layout()
                                    .schema()
                                    .contents()
                                    .forEach(field -> all.append(
                                            field.isInParts(memory, value) ? field.writer(memory, value) + " " : "- "));
                            return all.toString();
                        })
                        .stream()
                        .toList());
    }

    /** A put without an old content sends everything together; a read takes one look-up and one read more. */
    @Test
    void partsShareRoundTrips() {
        Randomness random = new Randomness(9);
        try (Tidepool pool = open("ford")) {
            Table<Doc> docs = pool.table("docs", Doc.class, 2000);
            long[] trips = new long[4];
            for (long id = 0; id < 4; id++) {
                Doc doc = new Doc(id, text(random, id == 0 ? 10 : 9_000), null, List.of(), Optional.empty(), 0);
                long before = pool.traffic().roundTrips();
                pool.transact(tx -> docs.insert(tx, doc));
                trips[(int) id] = pool.traffic().roundTrips() - before;
            }
            assertTrue(trips[3] <= trips[0] + 1, "an insert with parts: " + trips[3] + ", without: " + trips[0]);
            // Look up, read, look up parts, read parts, validate; less where addresses are cached.
            long several = trips(pool, tx -> docs.getAll(tx, 1, 2, 3));
            assertTrue(several <= 5, "three rows with 18 parts take " + several + " round trips");
            assertEquals(3, trips(pool, tx -> docs.get(tx, 3)), "read, read parts, validate");
            assertEquals(1, trips(pool, tx -> docs.get(tx, 0)), "a short content costs nothing more");
        }
    }

    record Note(@Key long id, String text) {}

    record Roomy(@Key long id, @Length(256) String text) {}

    /** The slots of a part, which travel as a whole: header, room for content, key, checksum. */
    private static final long SMALL_SLOT = 576;

    private static final long LARGE_SLOT = 3_648;

    /** The bytes that a row or a part carries besides its slot, in any protocol: locks, versions, logs, lookups. */
    private static final long READ_WITH_PART = 192;

    private static final long LOOKED_UP_WITH_PART = 2_100; // Motor reads the versions of all rows of a bucket

    private static final long WRITTEN_WITH_PART = 400;

    /**
     * Decision 0033 and the guide promise what a content of each length carries. A content in its slot carries nothing,
     * and one in parts carries the slots of its parts: one of each when it is read; for each of two copies an old and a
     * new one when it is written, and under FaRMv2 the version before as well.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void aContentCarriesTheSlotsOfItsParts(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 64);
            pool.transact(tx -> notes.insert(tx, new Note(0, "x".repeat(5_000)))); // what a table carries once
            long copies = protocol.startsWith("farmv2") ? 6 : 4;
            Carried empty = null;
            for (int length : new int[] {0, 10, 92, 93, 510, 511, 600, 1_791, 1_792, 3_582, 5_000}) {
                Carried carried = Carried.by(pool, notes, new Note(length + 1, "x".repeat(length)));
                if (empty == null) empty = carried;
                int parts = ContentParts.count(length <= 92 ? 0 : length);
                long slots = 0;
                for (int i = 0; i < parts; i++) slots += ContentParts.isLarge(length, i) ? LARGE_SLOT : SMALL_SLOT;
                String what = protocol + " length=" + length + " " + carried + ", empty " + empty;
                if (parts == 0) {
                    assertEquals(empty, carried, what);
                    continue;
                }
                long lookedUp = slots + parts * LOOKED_UP_WITH_PART;
                long written = copies * slots + parts * WRITTEN_WITH_PART;
                long read = carried.read() - empty.read();
                assertTrue(read >= length && read <= slots + (parts + 1) * READ_WITH_PART, what);
                assertTrue(carried.insertRead() - empty.insertRead() <= lookedUp, what);
                assertTrue(carried.insertWritten() - empty.insertWritten() <= written, what);
                assertTrue(carried.deleteRead() - empty.deleteRead() <= slots + (parts + 1) * READ_WITH_PART, what);
                assertTrue(carried.deleteWritten() - empty.deleteWritten() <= written, what);
            }
            Table<Roomy> roomy = pool.table("roomy", Roomy.class, 64);
            pool.transact(tx -> roomy.insert(tx, new Roomy(0, "")));
            assertEquals(
                    Carried.by(pool, roomy, new Roomy(1, "x".repeat(10))),
                    Carried.by(pool, roomy, new Roomy(2, "x".repeat(256))),
                    "a text with room in its row carries all of it");
        }
    }

    /** The bytes of one part of p bytes, as decision 0033 has them: those of a row with it, less those without. */
    private static List<Long> onePart(String protocol, long p) {
        return switch (protocol) {
            case "ford" -> List.of(p + 32, p + 448, 4 * p + 256, p + 56, 4 * p + 256);
            case "ford&locking=separate" -> List.of(p + 32, p + 264, 4 * p + 256, p + 80, 4 * p + 256);
            case "ford-lv" -> List.of(p, p + 448, 4 * p + 256, p + 56, 4 * p + 256);
            case "farm" -> List.of(p + 32, p + 296, 4 * p + 256, p + 104, 4 * p + 256);
            case "drtmh" -> List.of(p + 32, p + 264, 2 * p + 176, p + 80, 2 * p + 176);
            case "farmv2" -> List.of(p + 48, p + 288, 4 * p + 368, p + 104, 6 * p + 320);
            case "motor", "motor&isolation=snapshot" -> List.of(p + 184, 2_064L, 2 * p + 960, p + 208, 1_064L);
            case "hdtx", "hdtx&reads=locked" -> List.of(p + 32, p + 464, 2 * p + 592, p + 56, 2 * p + 592);
            default -> throw new IllegalArgumentException(protocol);
        };
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void onePartCarriesWhatTheDecisionSays(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Note> notes = pool.table("notes", Note.class, 64);
            pool.transact(tx -> notes.insert(tx, new Note(0, "x".repeat(5_000))));
            Carried empty = Carried.by(pool, notes, new Note(1, ""));
            for (int length : new int[] {93, 510, 1_792, 3_582}) {
                long part = length <= 510 ? SMALL_SLOT : LARGE_SLOT;
                assertEquals(
                        onePart(protocol, part),
                        Carried.by(pool, notes, new Note(length, "x".repeat(length)))
                                .less(empty),
                        protocol + " length=" + length);
            }
        }
    }

    /** The bytes of an insert of a record, a read by a client that has read it before, and a delete. */
    private record Carried(long insertRead, long insertWritten, long read, long deleteRead, long deleteWritten) {
        static <T extends Record> Carried by(Tidepool pool, Table<T> table, T record) {
            TrafficCounts before = pool.traffic();
            pool.transact(tx -> table.insert(tx, record));
            TrafficCounts inserted = pool.traffic();
            long id = id(record);
            assertEquals(record, pool.read(tx -> table.get(tx, id)));
            TrafficCounts first = pool.traffic();
            pool.read(tx -> table.get(tx, id));
            TrafficCounts read = pool.traffic();
            pool.transact(tx -> table.delete(tx, id));
            TrafficCounts deleted = pool.traffic();
            return new Carried(
                    inserted.bytesRead() - before.bytesRead(),
                    inserted.bytesWritten() - before.bytesWritten(),
                    read.bytesRead() - first.bytesRead(),
                    deleted.bytesRead() - read.bytesRead(),
                    deleted.bytesWritten() - read.bytesWritten());
        }

        List<Long> less(Carried other) {
            return List.of(
                    read - other.read,
                    insertRead - other.insertRead,
                    insertWritten - other.insertWritten,
                    deleteRead - other.deleteRead,
                    deleteWritten - other.deleteWritten);
        }

        private static long id(Record record) {
            return record instanceof Note note ? note.id : ((Roomy) record).id;
        }
    }

    private static long trips(Tidepool pool, TransactionFunction<Object, RuntimeException> body) {
        long before = pool.traffic().roundTrips();
        pool.read(body);
        return pool.traffic().roundTrips() - before;
    }

    // ---- refusals

    @Test
    void whatDoesNotFitIsRefusedAndChangesNothing() {
        record Limited(
                @Key long id,
                @Length(1000) String text,
                @Length(value = 3, each = 1000) List<String> more) {}
        try (Tidepool pool = open("ford")) {
            Table<Limited> all = pool.table("limited", Limited.class, 64);
            pool.transact(tx -> {
                all.put(tx, new Limited(1, "a", List.of()));
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class, () -> all.put(tx, new Limited(1, "x".repeat(1001), List.of())));
                assertTrue(e.getMessage().contains("'text' holds at most 1000 bytes"), e.getMessage());
                e = assertThrows(
                        IllegalArgumentException.class,
                        () -> all.put(tx, new Limited(1, "b", List.of("", "", "", ""))));
                assertTrue(e.getMessage().contains("'more' holds at most 3 elements"), e.getMessage());
                e = assertThrows(
                        IllegalArgumentException.class,
                        () -> all.put(tx, new Limited(1, "b", List.of("x".repeat(1001)))));
                assertTrue(e.getMessage().contains("'more[]'"), e.getMessage());
            });
            assertEquals(new Limited(1, "a", List.of()), pool.read(tx -> all.get(tx, 1)));
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> pool.transact(tx ->
                            docs.put(tx, new Doc(1, "x".repeat((1 << 20) + 1), null, List.of(), Optional.empty(), 0))));
            assertTrue(e.getMessage().contains("'text' holds at most 1048576 bytes"), e.getMessage());
            assertEquals(0, PartsCensus.check(pool, docs));
        }
    }

    /** A delete through fields would leave the parts of the row. */
    @Test
    void fieldsRefuseWhatWouldLoseParts() {
        Randomness random = new Randomness(10);
        try (Tidepool pool = open("ford");
                Worker worker = pool.worker()) {
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            pool.transact(tx -> docs.put(tx, doc(random, 1).withText(text(random, 500))));
            TableHandle handle = docs.handle();
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class, () -> worker.transact((Txn txn) -> txn.delete(handle, 1) < 0));
            assertTrue(e.getMessage().contains("text:longstring[1048576]"), e.getMessage());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> pool.transact(tx -> tx.raw().delete(handle, 1)));
            long version = pool.read(tx -> {
                int access = tx.raw().read(handle, 1);
                tx.execute();
                assertThrows(IllegalStateException.class, () -> handle.schema()
                        .contentField("text")
                        .text(tx.raw().memory(), tx.raw().value(access)));
                return (long) handle.schema()
                        .intField("version")
                        .get(tx.raw().memory(), tx.raw().value(access));
            });
            assertEquals(pool.read(tx -> docs.get(tx, 1)).version, version);
            PartsCensus.check(pool, docs);
        }
    }

    @Test
    void hiddenTablesAreHidden() {
        try (Tidepool pool = open("ford")) {
            Table<Doc> docs = pool.table("docs", Doc.class, 64);
            assertEquals(
                    List.of("docs"),
                    pool.tables().stream().map(TableHandle::name).toList());
            StoreException e = assertThrows(StoreException.class, () -> pool.table("docs.parts"));
            assertEquals("no such table: table=docs.parts; known: docs", e.getMessage());
            Schema parts = pool.knownTables().all().getFirst().schema();
            assertTrue(parts.isHidden());
            assertThrows(IllegalArgumentException.class, () -> pool.table(parts, 10));
            assertSame(docs.handle(), pool.table("docs"));
        }
    }

    // ---- threads

    /** Threads replace and read contents of the same rows. Torn ones, and two of different records, are noticed. */
    @ParameterizedTest
    @MethodSource("protocols")
    void noReaderSeesATornContent(String protocol) throws InterruptedException {
        int rounds = Effort.of(40, 60, 2_000);
        int threads = Effort.of(8, 16, 16);
        try (Tidepool pool = open(protocol)) {
            Table<Doc> docs = sealedDocs(pool);
            assertEquals(threads / 2 * rounds, readWhileOthersWrite(pool, docs, threads, rounds, 100));
            PartsCensus.check(pool, docs);
        }
    }

    /** Returns a table with three records that say whether they are whole. */
    static Table<Doc> sealedDocs(Tidepool pool) {
        Table<Doc> docs = pool.table("docs", Doc.class, 64);
        pool.transact(tx -> {
            for (int id = 0; id < 3; id++) docs.put(tx, sealed(id, new Randomness(id)));
        });
        return docs;
    }

    /** Lets half of the threads replace the records, and the others read them. Returns the number of reads. */
    static int readWhileOthersWrite(Tidepool pool, Table<Doc> docs, int count, int rounds, long seed)
            throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger reads = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Randomness random = new Randomness(seed + i);
            boolean writes = i % 2 == 0;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int round = 0; round < rounds && failure.get() == null; round++) {
                        int id = random.nextInt(3);
                        if (writes) {
                            pool.transact(tx -> docs.put(tx, sealed(id, random)));
                        } else {
                            pool.read(tx -> docs.getAll(tx, 0, 1, 2)).forEach(LongValuesTest::requireWhole);
                            reads.incrementAndGet();
                        }
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread each : threads) each.join();
        if (failure.get() != null) throw new AssertionError("a reader or writer has failed", failure.get());
        return reads.get();
    }

    /** Returns a record of two contents of changing lengths, each of which names the other. */
    private static Doc sealed(long id, Randomness random) {
        String rest = text(random, random.nextInt(6_000));
        String sum = checksum(rest);
        return new Doc(
                id, sum + ":" + rest, null, List.of((sum + " ").repeat(random.nextInt(60))), Optional.empty(), 0);
    }

    private static void requireWhole(Doc doc) {
        String[] parts = doc.text.split(":", 2);
        assertEquals(parts[0], checksum(parts[1]), "a torn content of " + parts[1].length() + " characters");
        String others = doc.tags.getFirst();
        assertEquals(
                (parts[0] + " ").repeat(others.length() / (parts[0].length() + 1)),
                others,
                "contents of two different records");
    }

    private static String checksum(String text) {
        long sum = Checksum64.start(text.length());
        for (int i = 0; i < text.length(); i++) sum = Checksum64.mix(sum, text.charAt(i));
        return Long.toHexString(Checksum64.finish(sum));
    }
}
