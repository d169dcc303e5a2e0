package tidepool.protocol.ordered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.ConflictException;
import tidepool.IndexPlanting;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocols;
import tidepool.protocol.ordered.OrderedIndex.Answer;
import tidepool.schema.IndexKeys;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.schema.Unique;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * What transactions rely on, whichever structure an ordered index has: entries come and go with the commit, scans are
 * those of a sorted set, and no entry comes or goes unnoticed in a range that was scanned. The test of a structure
 * inherits it and says how an index is made. Two processes use the index; rows have no part in it.
 */
abstract class OrderedIndexContract {
    /** An entry is a code and a key. */
    record Item(@Key long id, @Unique @Length(40) String code) {}

    private static final long SEED = Effort.seeds(1, 1, 1).findFirst().orElseThrow();
    private static final int CODES = 40;

    /** An index as one process uses it: hints that it keeps are those of all its attempts. */
    interface Site {
        /** Returns the index in an attempt that has just begun. */
        OrderedIndex begin(Txn attempt);

        /** Carries out one task that the process owes to the index, if there is one. */
        void maintain(Transaction transaction);
    }

    /** Makes the index on {@code code} as one process uses it. */
    abstract Site site(Tidepool pool, TableHandle table);

    static List<String> protocols() {
        return List.of(
                "ford",
                "ford?locking=separate",
                "farm",
                "drtmh",
                "farmv2",
                "motor",
                "motor?isolation=snapshot",
                "hdtx",
                "hdtx?reads=locked");
    }

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    // ---- two processes

    /** A process: its pool, and its index. */
    private final class Client implements AutoCloseable {
        final Tidepool pool;
        final TableHandle table;
        final Site site;

        Client(Fabric fabric, String protocol) {
            var made = Protocols.named(protocol);
            pool = PoolAccess.open(fabric, new PoolOptions(made.name(), 1, 1, 2 << 20, 8, 64 * 1024), made);
            Table<Item> items = pool.table("items", Item.class, 1200);
            table = items.handle();
            site = site(pool, table);
        }

        Attempt begin() {
            return new Attempt(this, false);
        }

        Attempt beginReadOnly() {
            return new Attempt(this, true);
        }

        /** Carries out what is owed. */
        void maintain() {
            for (int i = 0; i < 8; i++) {
                try (Transaction tx = pool.begin()) {
                    site.maintain(tx);
                } catch (ConflictException e) {
                    // the next search finds it again
                }
            }
        }

        List<String> scan() {
            try (Attempt attempt = beginReadOnly()) {
                List<String> seen = attempt.scan(range());
                assertTrue(attempt.commits());
                return seen;
            }
        }

        RangeScan range() {
            return new RangeScan(table, "code").keysOnly();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** An attempt, and the index within it. */
    private static final class Attempt implements AutoCloseable {
        private final Client process;
        private final Transaction transaction;
        private final Txn txn;
        private final OrderedIndex index;
        private final IndexKeys keys;
        private boolean isAborted;

        Attempt(Client process, boolean isReading) {
            this.process = process;
            this.transaction = isReading ? process.pool.beginReadOnly() : process.pool.begin();
            this.txn = IndexPlanting.attempt(transaction);
            this.index = process.site.begin(txn);
            this.keys = process.range().keys();
        }

        private byte[] bytes(String code, long id) {
            byte[] bytes = new byte[2 * keys.width()];
            keys.bound(bytes, 0, code, id);
            return bytes;
        }

        void expect(String code, long id) {
            index.expect(bytes(code, id), 0);
        }

        boolean enter(String code, long id) {
            return change(EntryChange.Kind.ENTER, bytes(code, id), false) != null;
        }

        boolean leave(String code, long id) {
            return change(EntryChange.Kind.LEAVE, bytes(code, id), false) != null;
        }

        void change(EntryChange.Kind kind, String code, long id, boolean isLenient) {
            change(kind, bytes(code, id), isLenient);
        }

        /** Returns whether another entry has the code. */
        boolean isTaken(String code, long id) {
            byte[] both = bytes(code, id);
            System.arraycopy(both, 0, both, keys.width(), keys.width());
            byte[] first = new byte[keys.width()];
            System.arraycopy(both, 0, first, 0, keys.prefixWidth());
            System.arraycopy(first, 0, both, 0, keys.width());
            EntryChange change = change(EntryChange.Kind.CHECK, both, false);
            return change != null && change.isTaken;
        }

        /** Returns null if the attempt was aborted. */
        private EntryChange change(EntryChange.Kind kind, byte[] bytes, boolean isLenient) {
            EntryChange change = new EntryChange();
            change.set(kind, index, bytes, 0, isLenient);
            change.own = keys.width();
            change.mayChange = true;
            while (!isAborted) {
                Answer answer = index.change(change);
                if (answer == Answer.DONE) return change;
                isAborted = answer == Answer.ABORTED || !txn.execute();
            }
            return null;
        }

        /** Returns the entries of all pages; null if the attempt was aborted. */
        List<String> scan(RangeScan range) {
            List<String> seen = new ArrayList<>();
            range.begin();
            while (range.hasNext()) {
                List<String> page = page(range);
                if (page == null) return null;
                seen.addAll(page);
            }
            return seen;
        }

        List<String> page(RangeScan range) {
            while (!isAborted) {
                Answer answer = index.scan(range);
                if (answer == Answer.DONE) return entries(range);
                isAborted = answer == Answer.ABORTED || !txn.execute();
            }
            return null;
        }

        private List<String> entries(RangeScan range) {
            List<String> found = new ArrayList<>();
            RowKey key = process.table.schema().key().newKey();
            for (int i = 0; i < range.rows(); i++) {
                int from = i * keys.width();
                StringBuilder code = new StringBuilder();
                for (int k = from; range.entries()[k] != 0; k++) code.append((char) range.entries()[k]);
                found.add(code + "/" + range.key(i, key));
            }
            return found;
        }

        boolean commits() {
            if (isAborted) return false;
            try {
                if (!transaction.commit()) return false;
            } catch (ConflictException e) {
                return false;
            }
            index.committed();
            return true;
        }

        @Override
        public void close() {
            transaction.close();
        }
    }

    /** What a test does with two processes. */
    private interface Play {
        void play(Client one, Client two);
    }

    private void play(String protocol, Play play) {
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Client one = new Client(fabric, protocol);
                Client two = new Client(fabric, protocol)) {
            play.play(one, two);
        }
    }

    private static String code(int number) {
        return "code" + (char) ('a' + number / 10) + number % 10;
    }

    private static String text(int number) {
        return code(number) + "/" + number;
    }

    /** Enters those numbers, a few in each transaction. */
    private static void fill(Client in, int from, int to, int step) {
        for (int first = from; first < to; first += 10 * step) {
            try (Attempt attempt = in.begin()) {
                for (int i = first; i < Math.min(to, first + 10 * step); i += step)
                    assertTrue(attempt.enter(code(i), i));
                assertTrue(attempt.commits());
            }
            in.maintain();
        }
    }

    private static RangeScan between(Client of, int from, int to) {
        return of.range().from(code(from)).to(code(to));
    }

    // ---- entries

    /** Both processes enter and remove; scans forward and backward, with bounds and limits, are those of a set. */
    @ParameterizedTest
    @MethodSource("protocols")
    void scansAreThoseOfASortedSet(String protocol) {
        play(protocol, (one, two) -> {
            Random random = new Random(SEED);
            NavigableSet<String> model = new TreeSet<>();
            int rounds = Effort.of(40, 90, 2000);
            for (int i = 0; i < rounds; i++) {
                Client in = random.nextBoolean() ? one : two;
                NavigableSet<String> next = new TreeSet<>(model);
                try (Attempt attempt = in.begin()) {
                    boolean isGrowing = i < rounds / 2;
                    for (int k = random.nextInt(8); k >= 0; k--) change(attempt, next, random, isGrowing);
                    assertEquals(List.copyOf(next), attempt.scan(in.range()), "own changes are seen");
                    if (random.nextInt(4) > 0) {
                        assertTrue(attempt.commits(), "no other attempt is in the way");
                        model = next;
                    }
                }
                in.maintain();
                compare(random.nextBoolean() ? one : two, model, random);
            }
        });
    }

    private static void change(Attempt attempt, NavigableSet<String> model, Random random, boolean isGrowing) {
        int number = random.nextInt(10 * CODES) / 10 * 2 + (isGrowing ? random.nextInt(2) : 0);
        boolean isThere = model.contains(text(number));
        if (!isThere && (isGrowing || random.nextInt(4) == 0)) {
            assertTrue(attempt.enter(code(number), number));
            model.add(text(number));
        } else if (isThere && (!isGrowing || random.nextInt(4) == 0)) {
            assertTrue(attempt.leave(code(number), number));
            model.remove(text(number));
        }
    }

    private static void compare(Client in, NavigableSet<String> model, Random random) {
        int from = random.nextInt(2 * CODES);
        int to = from + random.nextInt(CODES);
        List<String> expected = List.copyOf(model.subSet(code(from), true, code(to), false));
        try (Attempt attempt = in.beginReadOnly()) {
            assertEquals(expected, attempt.scan(between(in, from, to)));
            List<String> backwards = expected.reversed();
            int limit = random.nextInt(9);
            assertEquals(
                    backwards.subList(0, Math.min(limit, backwards.size())),
                    attempt.scan(between(in, from, to).reversed().limit(limit)));
            assertEquals(List.copyOf(model), attempt.scan(in.range()));
            assertEquals(List.copyOf(model.reversed()), attempt.scan(in.range().reversed()));
            assertTrue(attempt.commits());
        }
    }

    /** What is expected, and never changed, changes nothing; what is rolled back has not happened. */
    @ParameterizedTest
    @MethodSource("protocols")
    void expectationsAndRollbacksLeaveNothing(String protocol) {
        play(protocol, (one, two) -> {
            fill(one, 0, 80, 2);
            List<String> before = two.scan();
            try (Attempt attempt = one.begin()) {
                attempt.expect(code(13), 13);
                attempt.expect(code(79), 79);
                assertEquals(before, attempt.scan(one.range()));
                assertTrue(attempt.commits());
            }
            try (Attempt attempt = two.begin()) {
                for (int i = 1; i < 80; i += 2) assertTrue(attempt.enter(code(i), i));
                for (int i = 0; i < 20; i += 2) assertTrue(attempt.leave(code(i), i));
            }
            two.maintain();
            assertEquals(before, one.scan());
            assertEquals(before, two.scan());
        });
    }

    /** An index that differs from its rows is damaged, unless its rows of before are still being entered. */
    @ParameterizedTest
    @MethodSource("protocols")
    void entriesAreEnteredAndRemovedOnce(String protocol) {
        play(protocol, (one, two) -> {
            fill(one, 0, 20, 2);
            for (EntryChange.Kind kind : List.of(EntryChange.Kind.ENTER, EntryChange.Kind.LEAVE)) {
                int number = kind == EntryChange.Kind.ENTER ? 4 : 5;
                try (Attempt attempt = two.begin()) {
                    StoreException refused =
                            assertThrows(StoreException.class, () -> attempt.change(kind, code(number), number, false));
                    assertEquals(StoreException.Reason.CORRUPT, refused.reason());
                }
                try (Attempt attempt = two.begin()) {
                    attempt.change(kind, code(number), number, true);
                    assertTrue(attempt.commits());
                }
            }
            assertEquals(10, one.scan().size());
        });
    }

    // ---- no phantoms

    /** An entry that comes or goes in a range is noticed by an attempt that has scanned it, and that then writes. */
    @ParameterizedTest
    @MethodSource("protocols")
    void changesOfAScannedRangeAreNoticed(String protocol) {
        assumeTrue(!protocol.contains("isolation=snapshot"), "promises snapshots");
        for (boolean isFull : new boolean[] {true, false}) {
            play(protocol, (one, two) -> {
                if (isFull) fill(one, 0, 80, 2);
                for (int i = 0; i < 6; i++) {
                    int number = 10 + 10 * i;
                    boolean enters = !isFull || i % 2 == 0;
                    try (Attempt scanning = one.begin()) {
                        RangeScan range = between(one, number - 3, number + 7);
                        scanning.scan(i % 3 == 2 ? range.reversed() : range);
                        try (Attempt other = two.begin()) {
                            int changed = enters ? number + 1 : number + 2;
                            assertTrue(
                                    enters ? other.enter(code(changed), changed) : other.leave(code(changed), changed));
                            assertTrue(other.commits());
                        }
                        boolean isIn = scanning.enter("last" + number, number);
                        assertFalse(isIn && scanning.commits(), "number " + number + " full=" + isFull);
                    }
                }
            });
        }
    }

    /** Two attempts that each scan a range and enter into that of the other: one of them does not commit. */
    @ParameterizedTest
    @MethodSource("protocols")
    void writeSkewOfRangesIsNoticed(String protocol) {
        assumeTrue(!protocol.contains("isolation=snapshot"), "promises snapshots");
        for (int filled : new int[] {0, 6, 80}) {
            play(protocol, (one, two) -> {
                fill(one, 0, filled, 2);
                try (Attempt first = one.begin();
                        Attempt second = two.begin()) {
                    first.scan(between(one, 0, 10));
                    second.scan(between(two, 70, 79));
                    boolean isFirst = first.enter(code(75), 75) && first.commits();
                    boolean isSecond = second.enter(code(5), 5) && second.commits();
                    assertFalse(isFirst && isSecond, "with " + filled);
                }
            });
        }
    }

    /** A snapshot has the entries of one moment on all its pages, or says that it is too old. */
    @ParameterizedTest
    @MethodSource("protocols")
    void pagesAreOfOneMoment(String protocol) {
        play(protocol, (one, two) -> {
            fill(one, 0, 80, 2);
            List<String> before = one.scan();
            int same = 0;
            for (int i = 0; i < 4; i++) {
                try (Attempt reading = one.beginReadOnly()) {
                    RangeScan first = between(one, 0, 40);
                    List<String> seen = reading.scan(first);
                    int number = 1 + 2 * i;
                    try (Attempt other = two.begin()) {
                        assertTrue(other.enter(code(number), number) && other.enter(code(80 - number), 80 - number));
                        other.commits();
                    }
                    List<String> rest = reading.scan(one.range().from(code(40)));
                    if (rest != null && reading.commits()) {
                        seen.addAll(rest);
                        assertEquals(before, seen);
                        same++;
                    }
                }
                before = two.scan();
            }
            boolean isOld = protocol.startsWith("motor") || protocol.equals("farmv2"); // no writer is in the way
            assertTrue(!isOld || same == 4, same + " of 4");
        });
    }

    // ---- unique columns

    /** A look finds another entry with these columns in whichever leaf it is, and never the one that looks. */
    @ParameterizedTest
    @MethodSource("protocols")
    void equalColumnsAreFound(String protocol) {
        play(protocol, (one, two) -> {
            fill(one, 0, 80, 1);
            try (Attempt attempt = two.begin()) {
                for (int i = 0; i < 80; i++) {
                    assertTrue(attempt.isTaken(code(i), 1000), code(i));
                    assertTrue(attempt.isTaken(code(i), -1000), code(i));
                    assertFalse(attempt.isTaken(code(i), i), code(i));
                }
                assertFalse(attempt.isTaken(code(80), 80));
                assertTrue(attempt.commits());
            }
        });
    }

    /** Two attempts look for a value that is not there, and enter it for two keys: one of them does not commit. */
    @ParameterizedTest
    @MethodSource("protocols")
    void equalColumnsAreEnteredOnce(String protocol) {
        play(protocol, (one, two) -> {
            fill(one, 0, 80, 2);
            for (int number = 1; number < 80; number += 6) {
                boolean isFirst;
                boolean isSecond = false;
                try (Attempt first = one.begin()) {
                    assertFalse(first.isTaken(code(number), -number));
                    try (Attempt second = two.begin()) {
                        isSecond = !second.isTaken(code(number), number)
                                && second.enter(code(number), number)
                                && second.commits();
                    }
                    isFirst = first.enter(code(number), -number) && first.commits();
                }
                assertFalse(isFirst && isSecond, code(number));
                assertNotEquals(isFirst, isSecond, "one of them is not in the way of any other: " + code(number));
            }
        });
    }
}
