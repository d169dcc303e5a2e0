package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/** An iteration sees every row that exists all the time exactly once, and no page mixes two moments. */
class RowPagesTest {
    record Account(@Key long id, long balance) {}

    record Large(@Key long id, @Length(3000) byte[] value) {}

    private static final int WRITERS = 8;

    /** Protocols whose transactions hold locks before they commit. */
    private static final Set<String> LOCK_EARLY =
            Set.of("ford", "ford-lv", "motor", "motor&isolation=snapshot", "hdtx", "hdtx&reads=locked");

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&coordinators=16&protocol=" + protocol);
    }

    private static boolean hasSnapshots(String protocol) {
        return protocol.startsWith("motor") || protocol.equals("farmv2");
    }

    private static void fill(Tidepool pool, Table<Account> accounts, int rows) {
        for (int from = 0; from < rows; from += 50) {
            int first = from;
            pool.transact(tx -> {
                for (int id = first; id < Math.min(rows, first + 50); id++) accounts.insert(tx, new Account(id, 100));
            });
        }
    }

    private static void assertAllRows(int rows, RowPages<Account> pages) {
        Set<Long> seen = new HashSet<>();
        double progress = 0;
        while (pages.next()) {
            assertFalse(pages.rows().isEmpty(), "a page has rows");
            for (Account account : pages.rows()) {
                assertTrue(account.id() >= 0 && account.id() < rows && account.balance() == 100, "" + account);
                assertTrue(seen.add(account.id()), account.id() + " came twice");
            }
            assertTrue(pages.progress() > progress, "a page is progress");
            progress = pages.progress();
        }
        assertEquals(rows, seen.size());
        assertEquals(rows, pages.rowsRead());
        assertEquals(1, pages.progress());
        assertFalse(pages.next(), "it stays at its end");
        assertEquals(List.of(), pages.rows());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyRowComesOnce(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 3000);
            assertAllRows(0, accounts.pages(1));
            fill(pool, accounts, 1);
            assertAllRows(1, accounts.pages(10));
            pool.transact(tx -> accounts.delete(tx, 0));
            fill(pool, accounts, 3000);
            for (int size : new int[] {1, 7, 256, 10_000}) assertAllRows(3000, accounts.pages(size));
            assertAllRows(3000, accounts.pages(256).perPage());
            assertEquals(300_000, accounts.stream().mapToLong(Account::balance).sum());
            long[] sum = new long[1];
            accounts.forEach(account -> sum[0] += account.id());
            assertEquals(LongStream.range(0, 3000).sum(), sum[0]);
            LongField balance = accounts.handle().schema().longField("balance");
            assertEquals(
                    300_000,
                    pool.pages(accounts.handle(), 100, (key, memory, value) -> balance.get(memory, value)).stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }
    }

    /** Protocols differ in what an iteration promises, so it says whether it was one snapshot. */
    @ParameterizedTest
    @MethodSource("protocols")
    void itSaysWhetherItsPagesAreOneSnapshot(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            RowPages<Account> empty = accounts.pages(1);
            assertFalse(empty.isSnapshot(), "nothing is read yet");
            empty.next();
            assertEquals(hasSnapshots(protocol), empty.isSnapshot());
            fill(pool, accounts, 1000);
            RowPages<Account> pages = accounts.pages(100);
            pages.next();
            assertEquals(hasSnapshots(protocol), pages.isSnapshot());
            assertThrows(IllegalStateException.class, pages::perPage);
            RowPages<Account> each = accounts.pages(100).perPage();
            each.next();
            assertFalse(each.isSnapshot());
        }
    }

    /** Rows in overflow buckets, and rows so large that a page has few of them. */
    @ParameterizedTest
    @MethodSource("protocols")
    void rowsOfLongChainsAndLargeRowsComeOnce(String protocol) {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=40m&protocol=" + protocol)) {
            Table<Large> table = pool.table("large", Large.class, 600);
            TableLayout layout = PoolAccess.layout(table.handle());
            List<Long> keys = new ArrayList<>();
            for (long key = 0; keys.size() < 21; key++) if (layout.home(key) == layout.home(17)) keys.add(key);
            for (long key = 10_000; keys.size() < 200; key++) keys.add(key);
            for (long key : keys) pool.transact(tx -> table.insert(tx, new Large(key, content(key))));
            for (int size : new int[] {1, 50, 10_000}) {
                Set<Long> left = new HashSet<>(keys);
                for (Large row : table.pages(size)) {
                    assertTrue(left.remove(row.id()), row.id() + " came twice");
                    assertEquals(content(row.id())[2999], row.value()[2999]);
                }
                assertEquals(Set.of(), left);
            }
        }
    }

    private static byte[] content(long key) {
        byte[] content = new byte[3000];
        java.util.Arrays.fill(content, (byte) key);
        return content;
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void twoRowsOfOneHashAreTwoRows(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<RowKeyTest.Pair> pairs = pool.table("pairs", RowKeyTest.Pair.class, 100);
            Set<RowKeyTest.Pair> expected = new HashSet<>();
            RowKeyTest.Pair one = new RowKeyTest.Pair(1, 2, 100);
            for (int i = 0; i < 20; i++) expected.add(RowKeyTest.collidingWith(one, i));
            for (long i = 0; i < 40; i++) expected.add(new RowKeyTest.Pair(i, -i, i));
            for (RowKeyTest.Pair pair : expected) pool.transact(tx -> pairs.insert(tx, pair));
            List<RowKeyTest.Pair> seen = pairs.stream().toList();
            assertEquals(expected.size(), seen.size());
            assertEquals(expected, new HashSet<>(seen));
        }
    }

    // ---- next to writers

    /**
     * Rows that stay come once, whatever is inserted and deleted around them. A page has both sides of a transfer
     * between rows of one bucket, or neither; a snapshot has all money.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void noRowIsLostOrDoubledNextToWriters(String protocol) throws InterruptedException {
        int rows = 600;
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            fill(pool, accounts, rows);
            TableLayout layout = PoolAccess.layout(accounts.handle());
            Map<Long, List<Long>> neighbours = new HashMap<>();
            for (long id = 0; id < rows; id++)
                neighbours
                        .computeIfAbsent(layout.home(id), home -> new ArrayList<>())
                        .add(id);
            whileWriting(pool, accounts, List.copyOf(neighbours.values()), rows, () -> {
                int lost = 0;
                int iterations = Effort.of(4, 12, 500);
                for (int i = 0; i < iterations; i++) {
                    RowPages<Account> pages = accounts.pages(1 + i * 37 % 300);
                    if (i % 2 == 1 || hasSnapshots(protocol)) pages.perPage();
                    iterate(pages, layout, neighbours, rows);
                }
                if (!hasSnapshots(protocol)) return;
                for (int i = 0; i < iterations; i++) {
                    try {
                        long sum = accounts.stream()
                                .filter(account -> account.id() < rows)
                                .mapToLong(Account::balance)
                                .sum();
                        assertEquals(rows * 100L, sum);
                    } catch (SnapshotLostException | ConflictException e) {
                        lost++;
                    }
                }
                assertTrue(lost <= iterations);
            });
        }
    }

    private static void iterate(
            RowPages<Account> pages, TableLayout layout, Map<Long, List<Long>> neighbours, int rows) {
        Set<Long> seen = new HashSet<>();
        while (pages.next()) {
            Map<Long, Long> sums = new HashMap<>();
            for (Account account : pages.rows()) {
                if (account.id() >= rows) continue;
                assertTrue(seen.add(account.id()), account.id() + " came twice");
                sums.merge(layout.home(account.id()), account.balance(), Long::sum);
            }
            sums.forEach((home, sum) -> assertEquals(neighbours.get(home).size() * 100L, sum, "a torn page"));
        }
        assertEquals(rows, seen.size(), "rows were lost");
    }

    private static void whileWriting(
            Tidepool pool, Table<Account> accounts, List<List<Long>> neighbours, int rows, Runnable reading)
            throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int writer = w;
            writers.add(Thread.ofPlatform().start(() -> {
                ThreadLocalRandom random = ThreadLocalRandom.current();
                try {
                    while (!over.get()) {
                        List<Long> ids = neighbours.get(random.nextInt(neighbours.size()));
                        long from = ids.get(random.nextInt(ids.size())), to = ids.get(random.nextInt(ids.size()));
                        long passing = rows + writer * 100L + random.nextInt(100);
                        pool.transact(tx -> {
                            if (from != to) {
                                Cell<Account> one = accounts.update(tx, from), other = accounts.update(tx, to);
                                one.set(new Account(from, one.get().balance() - 1));
                                other.set(new Account(to, other.get().balance() + 1));
                            }
                            if (accounts.exists(tx, passing)) accounts.delete(tx, passing);
                            else accounts.insert(tx, new Account(passing, 0));
                        });
                        Thread.sleep(1);
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        try {
            reading.run();
        } finally {
            over.set(true);
            for (Thread writer : writers) writer.join();
        }
        if (failure.get() != null) throw new AssertionError(failure.get());
    }

    // ---- snapshots

    @ParameterizedTest
    @MethodSource("protocols")
    void pagesOfASnapshotShowNothingOfLaterUpdates(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            fill(pool, accounts, 1000);
            RowPages<Account> pages = accounts.pages(100);
            assertTrue(pages.next());
            for (long id = 0; id < 1000; id += 10) {
                long first = id;
                pool.transact(tx -> {
                    for (long i = first; i < first + 10; i++) accounts.put(tx, new Account(i, 1));
                });
            }
            long sum = pages.rows().stream().mapToLong(Account::balance).sum()
                    + pages.stream().mapToLong(Account::balance).sum();
            if (hasSnapshots(protocol)) assertEquals(100_000, sum);
            else assertTrue(sum < 100_000, "later pages are later");
            assertEquals(1000, pages.rowsRead());
        }
    }

    /** Otherwise an iteration would mix two moments without a word. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aSnapshotThatIsGoneIsAnError(String protocol) {
        if (!hasSnapshots(protocol)) return;
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 3000);
            fill(pool, accounts, 1000);
            RowPages<Account> inserted = accounts.pages(100);
            RowPages<Account> updated = accounts.pages(100);
            assertTrue(inserted.next());
            assertTrue(updated.next());
            for (int i = 0; i < 40; i++) {
                long balance = i;
                for (int from = 0; from < 1000; from += 50) {
                    int first = from;
                    pool.transact(tx -> {
                        for (long id = first; id < first + 50; id++) accounts.put(tx, new Account(id, balance));
                    });
                }
            }
            SnapshotLostException lost = assertThrows(SnapshotLostException.class, () -> drain(updated));
            assertTrue(
                    lost.getMessage()
                            .startsWith("other transactions have changed too much of the table since the snapshot of"
                                    + " its iteration: table=accounts rowsRead="),
                    lost.getMessage());
            for (long id = 2000; id < 2200; id++) {
                Account fresh = new Account(id, 0);
                pool.transact(tx -> accounts.insert(tx, fresh));
            }
            assertThrows(SnapshotLostException.class, () -> drain(inserted));
            assertEquals(1200, accounts.pages(100).stream().count(), "a new iteration has a new snapshot");
        }
    }

    private static void drain(RowPages<?> pages) {
        while (pages.next()) assertTrue(pages.isSnapshot());
    }

    // ---- the rest

    /** A dead session keeps its locks until another session recovers it; an iteration does so as any reader. */
    @ParameterizedTest
    @MethodSource("protocols")
    void anIterationRecoversADeadSessionThatLocksItsRows(String protocol, @TempDir Path folder) {
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&memory=4m&watch=off&protocol=" + protocol;
        try (Tidepool dying = Tidepool.open(url);
                Tidepool pool = Tidepool.open(url)) {
            fill(dying, dying.table("accounts", Account.class, 100), 100);
            lockAndDie(dying);
            assertAllRows(100, pool.table("accounts", Account.class, 100).pages(30));
            assertEquals(
                    LOCK_EARLY.contains(protocol) ? 1 : 0, pool.statistics().recoveries());
        }
    }

    /** Leaves a transaction with its locks: nothing of its session is sent any more. */
    private static void lockAndDie(Tidepool dying) {
        Table<Account> accounts = dying.table("accounts", Account.class, 100);
        Transaction tx = dying.begin();
        for (long id = 0; id < 100; id += 5) accounts.update(tx, id);
        accounts.insert(tx, new Account(1000, 1));
        tx.execute();
        for (int node = 0; node < 2; node++)
            PoolAccess.fabric(dying).control(node).revoke(dying.sessionNumber());
    }

    @Test
    void wrongArgumentsAreRefused() {
        try (Tidepool pool = open("ford")) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            assertEquals(
                    "a page has 1 to 10000 rows: rows=0",
                    assertThrows(IllegalArgumentException.class, () -> accounts.pages(0))
                            .getMessage());
            assertThrows(IllegalArgumentException.class, () -> accounts.pages(10_001));
            assertThrows(NullPointerException.class, () -> pool.pages(accounts.handle(), 1, null));
        }
    }
}
