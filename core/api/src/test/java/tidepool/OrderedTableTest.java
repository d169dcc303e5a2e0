package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocols;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;
import tidepool.schema.Ordered;
import tidepool.schema.Unique;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/** Tables in the order of their keys and of other attributes, compared with sorted maps, under all protocols. */
class OrderedTableTest {
    @Ordered
    @Index(
            name = "by_owner",
            on = {"owner", "balance"})
    record Account(@Key long id, @Length(8) String owner, long balance) {}

    @Ordered
    record Line(@Key @Length(60) String order, @Key int number, long amount) {}

    @Unique(name = "code", on = "code")
    record Item(@Key long id, @Nullable @Length(12) String code) {}

    private static final long SEED = Effort.seeds(1, 1, 1).findFirst().orElseThrow();

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=32m&coordinators=32&protocol=" + protocol);
    }

    private static List<Long> ids(Iterable<Account> accounts) {
        List<Long> ids = new ArrayList<>();
        for (Account each : accounts) ids.add(each.id());
        return ids;
    }

    /**
     * The leaves that a transaction has split have no separators yet. Backwards, a search for the keys below one of
     * them must not come to the leaf that begins there.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void aTransactionScansBackwardsOverLeavesThatItHasSplit(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1000);
            List<Long> all = LongStream.range(0, 600).boxed().toList();
            List<Long> scanned = new ArrayList<>();
            pool.transact(tx -> {
                for (long id : all) accounts.insert(tx, new Account(id, "o" + id % 9, id));
                scanned.clear();
                scanned.addAll(ids(accounts.scan(tx, KeyRange.all()).reversed()));
            });

            assertEquals(all.reversed(), scanned);
        }
    }

    /**
     * An insert that finds a row writes nothing, so what its caller puts into the memory of the transaction changes
     * neither the row nor its entries.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void insertThatFindsARowChangesNoEntry(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> accounts.put(tx, new Account(1, "ada", 5)));
            LongField balance = accounts.handle().schema().longField("balance");
            pool.transact(tx -> {
                int access = tx.raw().insert(accounts.handle(), 1);
                tx.raw().execute();
                balance.set(tx.raw().memory(), tx.raw().value(access), 77);
            });
            pool.transact(tx -> {
                accounts.put(tx, new Account(1, "bob", 5));
                int access = tx.raw().insert(accounts.handle(), 1);
                tx.raw().execute();
                balance.set(tx.raw().memory(), tx.raw().value(access), 6); // this transaction writes the row
            });
            List<Account> found = pool.read(
                    tx -> accounts.index("by_owner").scan(tx, KeyRange.all()).toList());
            assertEquals(List.of(new Account(1, "bob", 6)), found);
            pool.transact(tx -> accounts.delete(tx, 1));
            assertEquals(List.of(), pool.read(tx -> accounts.index("by_owner")
                    .scan(tx, KeyRange.all())
                    .keys()));
        }
    }

    /** A transaction has several operations, and scans between them: each scan sees the earlier operations. */
    @ParameterizedTest
    @MethodSource("protocols")
    void scansAreThoseOfASortedMap(String protocol) {
        Random random = new Random(SEED);
        NavigableMap<Long, Account> map = new TreeMap<>();
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            int rounds = Effort.of(150, 400, 4000);
            for (int i = 0; i < rounds; i++) {
                long seed = random.nextLong();
                boolean growing = i < rounds / 2;
                NavigableMap<Long, Account> next = new TreeMap<>();
                pool.transact(tx -> {
                    next.clear();
                    next.putAll(map);
                    Random own = new Random(seed);
                    for (int op = own.nextInt(12); op >= 0; op--) operate(tx, accounts, next, own, growing);
                });
                map.clear();
                map.putAll(next);
            }
            assertEquals(List.copyOf(map.values()), pool.read(tx -> accounts.scan(tx, KeyRange.all())
                    .toList()));
        }
    }

    private static void operate(
            Transaction tx, Table<Account> accounts, NavigableMap<Long, Account> map, Random random, boolean growing) {
        long id = random.nextInt(2000) - 1000;
        Account account = new Account(id, "o" + random.nextInt(5), random.nextInt(100));
        int what = random.nextInt(10);
        if (what < (growing ? 5 : 1)) {
            accounts.put(tx, account);
            map.put(id, account);
        } else if (what < 6) {
            accounts.delete(tx, id);
            map.remove(id);
        } else if (what < 7) {
            if (!accounts.exists(tx, id)) {
                accounts.insert(tx, account);
                map.put(id, account);
            }
        } else if (what < 8) {
            Cell<Account> cell = accounts.update(tx, id);
            if (cell.isPresent()) {
                cell.set(account);
                map.put(id, account);
            }
        } else {
            compare(tx, accounts, map, random);
        }
    }

    private static void compare(
            Transaction tx, Table<Account> accounts, NavigableMap<Long, Account> map, Random random) {
        long from = random.nextInt(2000) - 1000;
        long to = from + random.nextInt(700);
        List<Account> expected = new ArrayList<>(map.subMap(from, to).values());
        assertEquals(expected, accounts.scan(tx, KeyRange.from(from).to(to)).toList());
        int limit = random.nextInt(90);
        List<Account> last = new ArrayList<>(
                map.subMap(from, true, to, false).descendingMap().values());
        assertEquals(
                last.subList(0, Math.min(limit, last.size())),
                accounts.scan(tx, KeyRange.from(from).to(to))
                        .reversed()
                        .limit(limit)
                        .toList());
        TableIndex<Account> byOwner = accounts.index("by_owner");
        List<Account> ofOwner = map.values().stream()
                .filter(each -> each.owner().equals("o3"))
                .sorted(Comparator.comparingLong(Account::balance).thenComparingLong(Account::id))
                .toList();
        assertEquals(ofOwner, byOwner.scan(tx, KeyRange.of("o3")).toList());
        assertEquals(ofOwner.isEmpty() ? null : ofOwner.getLast(), byOwner.last(tx, KeyRange.of("o3")));
        assertEquals(
                ofOwner.stream().filter(each -> each.balance() >= 50).toList(),
                byOwner.scan(tx, KeyRange.from("o3", 50L).through("o3")).toList());
    }

    /** Keys of several parts with a long common prefix are in the order of their parts. */
    @ParameterizedTest
    @MethodSource("protocols")
    void stringsWithACommonPrefixAreInOrder(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Line> lines = pool.table("lines", Line.class);
            String prefix = "x".repeat(50);
            TreeMap<String, Line> map = new TreeMap<>();
            Random random = new Random(SEED);
            for (int i = 0; i < 40; i++) {
                pool.transact(tx -> {
                    for (int k = 0; k < 10; k++) {
                        Line line = new Line(prefix + random.nextInt(60), random.nextInt(5) - 2, k);
                        lines.put(tx, line);
                        map.put(line.order() + "|" + (line.number() + 2), line);
                    }
                });
            }
            List<Line> sorted = map.values().stream()
                    .sorted(Comparator.comparing(Line::order).thenComparingInt(Line::number))
                    .toList();
            assertEquals(
                    sorted.stream().map(each -> each.order() + each.number()).toList(),
                    pool.read(tx -> lines.scan(tx, KeyRange.all()).toList()).stream()
                            .map(each -> each.order() + each.number())
                            .toList());
            String one = sorted.get(sorted.size() / 2).order();
            assertEquals(
                    sorted.stream().filter(each -> each.order().equals(one)).count(),
                    pool.read(tx -> lines.scan(tx, KeyRange.of(one)).keys()).size());
        }
    }

    /**
     * One transaction splits leaves more than a hundred times, and its process ends before it has added a separator.
     * Another process finds every row, and adds what is missing.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void leavesWithoutSeparatorsAreFound(String protocol) {
        int rows = 1500;
        String name = protocol.replaceFirst("&", "?");
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            try (Tidepool pool = open(fabric, name)) {
                Table<Line> lines = pool.table("lines", Line.class, 2 * rows);
                pool.within(Duration.ofMinutes(2)).transact(tx -> {
                    for (int i = 0; i < rows; i++) lines.insert(tx, new Line("o" + i * 7 % rows, i % 3, i));
                });
                assertEquals(0, counted(pool, "separators"));
                assertTrue(counted(pool, "splits") > 64);
            }
            try (Tidepool pool = open(fabric, name)) {
                Table<Line> lines = pool.table("lines", Line.class);
                int keys =
                        pool.read(tx -> lines.scan(tx, KeyRange.all()).keys()).size();
                assertEquals(rows, keys);
                assertEquals(
                        "o999", pool.read(tx -> lines.last(tx, KeyRange.all())).order());
                for (int i = 0; i < 300; i++) {
                    Line line = new Line("o" + i * 5, 9, i);
                    pool.transact(tx -> lines.put(tx, line));
                }
                assertTrue(counted(pool, "separators") > 64, pool.statistics().indexes());
                assertEquals(
                        rows + 300,
                        pool.read(tx -> lines.scan(tx, KeyRange.all()).toList()).size());
            }
        }
    }

    private static Tidepool open(Fabric fabric, String protocol) {
        var made = Protocols.named(protocol);
        return PoolAccess.open(fabric, new PoolOptions(made.name(), 2, 2, 32 << 20, 8, 256 * 1024), made);
    }

    private static int counted(Tidepool pool, String what) {
        String counts = pool.statistics().indexes();
        return Integer.parseInt(counts.replaceFirst(".*" + what + "=(\\d+).*", "$1"));
    }

    /** No two rows get the same values, whichever transaction, order of operations or null comes with them. */
    @ParameterizedTest
    @MethodSource("protocols")
    void uniqueValuesAreUnique(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Item> items = pool.table("items", Item.class);
            for (long id = 1; id <= 300; id++) {
                long own = id;
                pool.transact(tx -> items.insert(tx, new Item(own, "code" + own)));
            }
            assertThrows(
                    DuplicateKeyException.class, () -> pool.transact(tx -> items.put(tx, new Item(1000, "code7"))));
            assertThrows(DuplicateKeyException.class, () -> pool.transact(tx -> items.put(tx, new Item(8, "code7"))));
            assertNull(pool.read(tx -> items.get(tx, 1000)));
            assertEquals("code8", pool.read(tx -> items.get(tx, 8)).code());
            pool.transact(
                    tx -> { // the two change places in one transaction
                        items.put(tx, new Item(7, "code8"));
                        items.put(tx, new Item(8, "code7"));
                    });
            assertEquals(
                    8, pool.read(tx -> items.index("code").get(tx, "code7")).id());
            pool.transact(tx -> {
                items.delete(tx, 7);
                items.insert(tx, new Item(2000, "code8"));
                items.put(tx, new Item(2001, null));
                items.put(tx, new Item(2002, null));
            });
            assertEquals(
                    2000, pool.read(tx -> items.index("code").get(tx, "code8")).id());
            assertEquals(
                    302,
                    pool.read(tx -> items.index("code").scan(tx, KeyRange.all()).keys())
                            .size());
        }
    }

    /**
     * Two transactions that each scan a range and insert into that of the other: at most one row for each pair. If both
     * committed, there would be two.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void noPhantoms(String protocol) throws Exception {
        assumeFalse(protocol.contains("isolation=snapshot"), "promises snapshots, in which such pairs may commit");
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                for (long id = 0; id < 200; id++) accounts.put(tx, new Account(id * 1000, "seed", 0));
            });
            int pairs = Effort.of(40, 100, 1000);
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread[] threads = new Thread[2];
            for (int t = 0; t < threads.length; t++) {
                boolean isFirst = t == 0;
                threads[t] = Thread.ofPlatform().start(() -> {
                    try {
                        for (int pair = 0; pair < pairs; pair++) insertUnlessThere(pool, accounts, pair, isFirst);
                    } catch (Throwable e) {
                        failed.compareAndSet(null, e);
                    }
                });
            }
            for (Thread each : threads) each.join();
            if (failed.get() != null) throw new AssertionError(failed.get());
            for (int pair = 0; pair < pairs; pair++) {
                long base = pair * 2000L;
                long rows =
                        pool.read(tx -> accounts.scan(tx, KeyRange.after(base).to(base + 1000))
                                        .toList()
                                        .size()
                                + accounts.scan(tx, KeyRange.after(base + 1000).to(base + 2000))
                                        .toList()
                                        .size());
                assertEquals(1, rows, "pair " + pair);
            }
        }
    }

    private static void insertUnlessThere(Tidepool pool, Table<Account> accounts, int pair, boolean isFirst) {
        long base = pair * 2000L;
        pool.transact(tx -> {
            KeyRange other = isFirst
                    ? KeyRange.after(base).to(base + 1000)
                    : KeyRange.after(base + 1000).to(base + 2000);
            if (accounts.first(tx, other) != null) return;
            accounts.insert(tx, new Account(isFirst ? base + 1500 : base + 500, isFirst ? "one" : "two", pair));
        });
    }

    /** Threads insert and delete while others scan: every scan is sorted and has the rows that are never deleted. */
    @ParameterizedTest
    @MethodSource("protocols")
    void scansNextToWritersAreWhole(String protocol) throws Exception {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class);
            pool.transact(tx -> {
                for (long id = 0; id < 100; id++) accounts.put(tx, new Account(id * 10, "keep", id));
            });
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicReference<Throwable> failed = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                int number = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        churn(pool, accounts, number, Effort.of(100, 250, 5000));
                    } catch (Throwable e) {
                        failed.compareAndSet(null, e);
                    }
                }));
            }
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    while (!isOver.get()) check(pool, accounts);
                } catch (Throwable e) {
                    failed.compareAndSet(null, e);
                }
            });
            for (Thread each : threads) each.join();
            isOver.set(true);
            reader.join();
            if (failed.get() != null) throw new AssertionError(failed.get());
            check(pool, accounts);
        }
    }

    private static void churn(Tidepool pool, Table<Account> accounts, int number, int times) {
        Random random = new Random(SEED + number);
        Set<Long> own = new HashSet<>();
        for (int i = 0; i < times; i++) {
            long id = random.nextInt(300) * 10L + 1 + number;
            if (own.add(id)) pool.transact(tx -> accounts.insert(tx, new Account(id, "t" + number, id)));
            else if (own.remove(id))
                pool.transact(tx -> {
                    accounts.delete(tx, id);
                });
        }
    }

    private static void check(Tidepool pool, Table<Account> accounts) {
        List<Long> ids;
        try {
            ids = pool.read(tx -> ids(accounts.scan(tx, KeyRange.all())));
        } catch (ConflictException e) {
            return; // the writers were faster, again and again
        }
        List<Long> sorted = new ArrayList<>(new HashSet<>(ids));
        sorted.sort(null);
        assertEquals(sorted, ids);
        assertTrue(
                ids.containsAll(LongStream.range(0, 100).mapToObj(id -> id * 10).toList()));
    }
}
