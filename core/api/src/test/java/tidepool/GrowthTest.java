package tidepool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/** A table that was made for one row takes as many as the pool has memory for, while transactions run. */
class GrowthTest {
    record Account(@Key long id, long balance) {}

    record Named(@Key @Length(40) String name, long balance) {}

    record Document(@Key long id, byte[] content) {}

    private static final int THREADS = 4;
    private static final long SEED = Effort.seeds(1, 1, 1).findFirst().orElseThrow();

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static Tidepool open(String protocol) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=16m&coordinators=32&protocol=" + protocol);
    }

    private static long buckets(Tidepool pool, Table<?> table) {
        TableLayout layout = PoolAccess.layout(table.handle());
        long size = 0;
        for (int p = 0; p < layout.partitions(); p++) size += layout.size(p);
        return size;
    }

    /** Every result of every access is compared with a map, while buckets are split between the transactions. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aTableForOneRowTakesThousands(String protocol) {
        Random random = new Random(SEED);
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            long before = buckets(pool, accounts);
            Map<Long, Long> map = new HashMap<>();
            for (int i = 0; i < 6000; i++) {
                long id = random.nextInt(3000);
                long balance = random.nextLong();
                int action = random.nextInt(10);
                if (action < 6) {
                    pool.transact(tx -> accounts.put(tx, new Account(id, balance)));
                    map.put(id, balance);
                } else if (action < 8) {
                    boolean was = delete(pool, accounts, id);
                    assertEquals(map.remove(id) != null, was);
                } else {
                    Account found = pool.read(tx -> accounts.get(tx, id));
                    assertEquals(map.get(id), found == null ? null : (Long) found.balance());
                }
            }
            assertTrue(buckets(pool, accounts) > 50 * before, "it has grown: " + buckets(pool, accounts));
            Map<Long, Long> all = new HashMap<>();
            accounts.forEach(row -> assertNull(all.put(row.id(), row.balance()), "twice"));
            assertEquals(map, all);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void keysOfSeveralWordsMoveWithTheirBytes(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Named> table = pool.table("named", Named.class, 1);
            for (int i = 0; i < 1500; i++) {
                Named row = new Named("the name of row " + i, i);
                pool.transact(tx -> table.insert(tx, row));
            }
            for (int i = 0; i < 1500; i++) {
                String name = "the name of row " + i;
                assertEquals(new Named(name, i), pool.read(tx -> table.get(tx, name)));
            }
            assertEquals(1500, table.stream().distinct().count());
        }
    }

    /**
     * The rows of one transaction are in no count before it commits. A table that was made for one row has too few
     * buckets for them, and the parts of a long value fill a bucket each.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void oneTransactionBringsMoreRowsThanChainsHold(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Document> documents = pool.table("documents", Document.class, 1);
            byte[] content = new byte[1 << 20];
            new Random(SEED).nextBytes(content);
            pool.transact(tx -> documents.insert(tx, new Document(1, content)));
            assertArrayEquals(content, pool.read(tx -> documents.get(tx, 1)).content());

            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            pool.transact(tx -> {
                for (long id = 0; id < 4000; id++) accounts.insert(tx, new Account(id, id));
            });
            assertEquals(
                    4000,
                    accounts.stream().filter(row -> row.id() == row.balance()).count());
        }
    }

    /** A session that opened the table while it was small knows neither its areas nor its depth. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aSessionThatKnewTheTableSmallFindsEverything(String protocol) {
        PoolOptions options = new PoolOptions(protocolOf(protocol), 2, 0, 16 << 20, 16, 64 * 1024);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            try (Tidepool early = PoolAccess.open(fabric, options);
                    Tidepool pool = PoolAccess.open(fabric, options)) {
                Table<Account> known = early.table("accounts", Account.class, 1);
                Table<Account> accounts = pool.table("accounts", Account.class, 1);
                assertNull(early.read(tx -> known.get(tx, 5)));
                fill(pool, accounts, 0, 2000);
                assertEquals(100, early.read(tx -> known.get(tx, 1999)).balance());
                for (long id = 0; id < 2000; id++) {
                    long key = id;
                    assertNotNull(early.read(tx -> known.get(tx, key)), "row " + id);
                    assertNull(early.read(tx -> known.get(tx, key + 2000)));
                }
                assertEquals(2000, known.stream().map(Account::id).distinct().count());
                if (protocol.startsWith("ford-lv")) {
                    isRefusedToOthers(early, known, pool, accounts);
                    return;
                }
                for (long id = 0; id < 2000; id += 3) {
                    long key = id;
                    assertTrue(delete(early, known, key), "row " + id);
                    early.transact(tx -> known.insert(tx, new Account(key + 5000, 7)));
                }
            }
            try (Tidepool late = PoolAccess.open(fabric, options)) {
                Table<Account> accounts = late.table("accounts", Account.class, 1);
                for (long id = 0; id < 2000; id++) {
                    long key = id;
                    boolean deleted = id % 3 == 0 && !protocol.startsWith("ford-lv");
                    assertEquals(deleted, late.read(tx -> accounts.get(tx, key)) == null, "row " + id);
                    assertEquals(deleted, late.read(tx -> accounts.get(tx, key + 5000)) != null, "row " + id);
                }
            }
        }
    }

    /** What a process assumes about the size of a table is a hint: any value leads to the same rows. */
    @ParameterizedTest
    @MethodSource("protocols")
    void wrongGuessesOfTheSizeFindEverything(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            fill(pool, accounts, 0, 600);
            TableLayout layout = PoolAccess.layout(accounts.handle());
            assertTrue(layout.hasGrown(), "it has grown");
            Random random = new Random(SEED);
            Map<Long, Long> map = new HashMap<>();
            for (long id = 0; id < 600; id++) map.put(id, 100L);
            for (int i = 0; i < 1200; i++) {
                guess(layout, random);
                long id = random.nextInt(900);
                switch (i % 4) {
                    case 0 -> {
                        Account found = pool.read(tx -> accounts.get(tx, id));
                        assertEquals(map.get(id), found == null ? null : (Long) found.balance(), "row " + id);
                    }
                    case 1 -> {
                        long balance = random.nextLong();
                        pool.transact(tx -> accounts.put(tx, new Account(id, balance)));
                        map.put(id, balance);
                    }
                    case 2 -> assertEquals(map.remove(id) != null, delete(pool, accounts, id), "row " + id);
                    default -> {
                        boolean there = pool.compute(tx -> {
                            Cell<Account> cell = accounts.update(tx, id);
                            if (cell.isPresent()) cell.set(new Account(id, 7));
                            return cell.isPresent();
                        });
                        assertEquals(map.containsKey(id), there, "row " + id);
                        if (there) map.put(id, 7L);
                    }
                }
            }
            guess(layout, random);
            Map<Long, Long> all = new HashMap<>();
            accounts.forEach(row -> assertNull(all.put(row.id(), row.balance()), "twice"));
            assertEquals(map, all);
        }
    }

    /** Assumes for each partition that nothing was split, or everything, or anything in between. */
    private static void guess(TableLayout layout, Random random) {
        for (int p = 0; p < layout.partitions(); p++)
            switch (random.nextInt(3)) {
                case 0 -> layout.assumeSize(p, 0);
                case 1 -> layout.assumeSize(p, layout.bucketRoom());
                default -> layout.assumeSize(p, random.nextLong(layout.bucketRoom()) + 1);
            }
    }

    /** Only the owner of a table inserts and splits. Others are told so, and the owner goes on. */
    private static void isRefusedToOthers(
            Tidepool other, Table<Account> known, Tidepool owner, Table<Account> accounts) {
        long before = buckets(owner, accounts);
        StoreException refusal = assertThrows(StoreException.class, () -> fill(other, known, 5000, 5001));
        assertEquals(StoreException.Reason.OWNED, refusal.reason());
        assertTrue(
                refusal.getMessage()
                        .matches("table accounts is owned by session \\d+, whose Vcache holds its versions: "
                                + "write it there"),
                refusal.getMessage());
        fill(owner, accounts, 6000, 7000);
        assertTrue(buckets(owner, accounts) > before, "the owner splits");
        assertNull(other.read(tx -> known.get(tx, 5000)));
        for (long id = 6000; id < 7000; id++) {
            long key = id;
            assertNotNull(other.read(tx -> known.get(tx, key)), "row " + id);
        }
        for (long id = 6000; id < 7000; id++) {
            long key = id;
            assertTrue(delete(owner, accounts, key));
        }
    }

    /** Returns whether the row was there. */
    private static boolean delete(Tidepool pool, Table<Account> accounts, long id) {
        return pool.compute(tx -> {
            boolean was = id % 2 == 0 || accounts.get(tx, id) != null; // every other row without a read before
            Cell<Account> cell = accounts.delete(tx, id);
            return id % 2 == 0 ? cell.isPresent() : was;
        });
    }

    private static String protocolOf(String text) {
        return text.contains("&") ? text.substring(0, text.indexOf('&')) : text;
    }

    private static void fill(Tidepool pool, Table<Account> accounts, int from, int to) {
        for (int id = from; id < to; id++) {
            Account row = new Account(id, 100);
            pool.transact(tx -> accounts.insert(tx, row));
        }
    }

    /** Rows that are there all the time are found at every moment, while other sessions split their buckets. */
    @ParameterizedTest
    @MethodSource("protocols")
    void readersAndWritersGoOn(String protocol) throws Exception {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            int kept = 60;
            fill(pool, accounts, 0, kept);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicBoolean stop = new AtomicBoolean();
            List<Thread> threads = new ArrayList<>();
            List<Map<Long, Long>> maps = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                int number = t;
                Map<Long, Long> map = new HashMap<>();
                maps.add(map);
                threads.add(start(failure, () -> write(pool, accounts, number, map)));
            }
            List<Thread> readers = new ArrayList<>();
            readers.add(start(failure, () -> transfer(pool, accounts, kept, stop)));
            readers.add(start(failure, () -> {
                while (!stop.get()) iterate(accounts, kept);
            }));
            for (Thread thread : threads) thread.join();
            stop.set(true);
            for (Thread thread : readers) thread.join();
            if (failure.get() != null) throw new AssertionError(protocol, failure.get());

            Map<Long, Long> expected = new HashMap<>();
            maps.forEach(expected::putAll);
            Map<Long, Long> all = new HashMap<>();
            accounts.pages(100).perPage().forEach(row -> assertNull(all.put(row.id(), row.balance()), "twice"));
            long sum = 0;
            for (long id = 0; id < kept; id++) sum += all.remove(id);
            assertEquals(kept * 100L, sum, "money is moved and not made");
            assertEquals(expected, all);
        }
    }

    private static Thread start(AtomicReference<Throwable> failure, Runnable work) {
        return Thread.ofPlatform().start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
    }

    private static void write(Tidepool pool, Table<Account> accounts, int number, Map<Long, Long> map) {
        Random random = new Random(SEED + number);
        for (int i = 0; i < 700; i++) {
            long id = 1000L * (number + 1) + random.nextInt(600);
            if (random.nextInt(5) > 0) {
                long balance = random.nextLong();
                pool.transact(tx -> accounts.put(tx, new Account(id, balance)));
                map.put(id, balance);
            } else {
                assertEquals(map.remove(id) != null, delete(pool, accounts, id));
            }
            long read = 1000L * (number + 1) + random.nextInt(600);
            Account found = pool.read(tx -> accounts.get(tx, read));
            assertEquals(map.get(read), found == null ? null : (Long) found.balance());
        }
    }

    private static void transfer(Tidepool pool, Table<Account> accounts, int kept, AtomicBoolean stop) {
        Random random = new Random(SEED);
        while (!stop.get()) {
            long from = random.nextInt(kept);
            long to = (from + 1) % kept;
            pool.transact(tx -> {
                Account one = accounts.get(tx, from);
                Account other = accounts.get(tx, to);
                accounts.put(tx, new Account(from, one.balance() - 1));
                accounts.put(tx, new Account(to, other.balance() + 1));
            });
        }
    }

    private static void iterate(Table<Account> accounts, int kept) {
        Set<Long> seen = new HashSet<>();
        accounts.pages(50).perPage().forEach(row -> assertTrue(seen.add(row.id()), row.id() + " came twice"));
        for (long id = 0; id < kept; id++) assertTrue(seen.contains(id), id + " is missing");
    }

    /** Rows that come and go at one number of rows take memory only as long as chains still vary. */
    @ParameterizedTest
    @MethodSource("protocols")
    void churnEndsGrowth(String protocol) {
        try (Tidepool pool = open(protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            fill(pool, accounts, 0, 200);
            long half = 0;
            for (int i = 0; i < 4000; i++) {
                long gone = i;
                pool.transact(tx -> {
                    accounts.delete(tx, gone);
                    accounts.insert(tx, new Account(gone + 200, 100));
                });
                if (i == 2000) half = buckets(pool, accounts);
            }
            long end = buckets(pool, accounts);
            assertTrue(end <= half + half / 4, "buckets " + half + ", then " + end);
            assertEquals(200, accounts.stream().distinct().count());
        }
    }

    /** The pool says what is missing, and what was committed stays. */
    @ParameterizedTest
    @MethodSource("protocols")
    void whenMemoryEndsNothingIsLost(String protocol) {
        String url = "mem:?nodes=2&replicas=2&memory=256k&protocol=" + protocol;
        try (Tidepool pool = Tidepool.open(url)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            int[] rows = new int[1];
            StoreException full = assertThrows(StoreException.class, () -> {
                for (; ; rows[0]++) {
                    Account row = new Account(rows[0], 100);
                    pool.transact(tx -> accounts.insert(tx, row));
                }
            });
            assertEquals(StoreException.Reason.FULL, full.reason());
            String advice =
                    " are left of memory=262144; make the pool larger: ./tidepool pool grow URL --memory SIZE, or"
                            + " Tidepool.grow";
            assertTrue(full.getMessage().endsWith(advice), full.getMessage());
            assertTrue(rows[0] > 300, "rows " + rows[0]);
            assertEquals(rows[0], accounts.stream().distinct().count());
            long last = rows[0];
            assertThrows(StoreException.class, () -> pool.transact(tx -> accounts.insert(tx, new Account(last, 100))));
            for (long id = 0; id < last; id++) {
                long key = id;
                assertTrue(delete(pool, accounts, key));
            }
            assertFalse(accounts.stream().findAny().isPresent());
            fill(pool, accounts, 0, 300);
        }
    }
}
