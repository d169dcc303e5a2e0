package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.fabric.Fabric;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.GrowthListener;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** A pool whose memory has ended gets more while it is open, and its tables grow on. */
class PoolGrowthTest {
    private static final long SMALL = 256 << 10;
    private static final long LARGE = 1 << 20;

    /** A row whose parts agree unless it is mixed with another. */
    record Account(@Key long id, long balance, long same) {
        static Account of(long id, long balance) {
            return new Account(id, balance, ~balance);
        }
    }

    record Note(@Key long id, @Length(100_000) String text) {}

    @TempDir
    Path folder;

    static List<String> protocols() {
        return OwnEffectsTest.protocols();
    }

    private static PoolOptions options(String protocol) {
        String name = protocol.contains("&") ? protocol.substring(0, protocol.indexOf('&')) : protocol;
        return new PoolOptions(name, 2, 2, SMALL, 16, 16 * 1024);
    }

    /** Inserts rows until memory ends. Returns how many there are. */
    private static long fill(Tidepool pool, Table<Account> accounts, long from) {
        long[] next = {from};
        StoreException full = assertThrows(StoreException.class, () -> {
            for (; ; next[0]++) pool.transact(tx -> accounts.insert(tx, Account.of(next[0], next[0])));
        });
        assertEquals(StoreException.Reason.FULL, full.reason(), full.getMessage());
        assertTrue(full.getMessage().contains("pool grow"), full.getMessage());
        return next[0];
    }

    private static void requireRows(Tidepool pool, Table<Account> accounts, long rows) {
        for (long id = 0; id < rows; id++) {
            long key = id;
            Account row = pool.read(tx -> accounts.get(tx, key));
            assertNotNull(row, "row " + id + " of " + rows);
            assertEquals(~row.balance(), row.same(), "a mixed row");
            assertEquals(id, row.balance() % 1_000_000, "row " + id);
        }
        assertEquals(rows, accounts.stream().count());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void fullPoolGrowsAndTablesGrowOn(String protocol) {
        try (Tidepool pool = Tidepool.open(
                "mem:?nodes=2&replicas=2&partitions=2&coordinators=16&log=16k&memory=256k&protocol=" + protocol)) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            long first = fill(pool, accounts, 0);
            assertEquals(SMALL, PoolAccess.memory(pool));

            pool.grow(LARGE);
            assertEquals(LARGE, PoolAccess.memory(pool));
            requireRows(pool, accounts, first);
            long second = fill(pool, accounts, first);
            assertTrue(second > 2 * first, "rows " + first + ", then " + second);

            pool.grow(2 * LARGE);
            requireRows(pool, accounts, second);
            Table<Account> other = pool.table("other", Account.class, 2_000);
            pool.transact(tx -> other.put(tx, Account.of(1, 2)));
            assertEquals(2, pool.read(tx -> other.get(tx, 1)).balance());
        }
    }

    /** The session of another opening knows the regions from before, and its handles of tables are from before. */
    @ParameterizedTest
    @MethodSource("protocols")
    void otherSessionsGoOn(String protocol) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2");
                Tidepool pool = PoolAccess.open(fabric, options(protocol));
                Tidepool other = PoolAccess.open(fabric, options(protocol))) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            Table<Account> known = other.table("accounts", Account.class, 1);
            long rows = fill(pool, accounts, 0);
            assertEquals(7, other.read(tx -> known.get(tx, 7)).balance());
            if (!protocol.startsWith("ford-lv")) fill(other, known, rows); // else the other session owns the table
            Transaction open = other.beginReadOnly();
            known.get(open, 1);

            pool.grow(LARGE);
            open.rollback();
            requireRows(other, known, rows);
            long more = fill(pool, accounts, rows);
            assertTrue(more > 2 * rows, "rows " + rows + ", then " + more);
            assertEquals(more - 1, other.read(tx -> known.get(tx, more - 1)).balance());
            requireRows(other, known, more);
        }
    }

    /** Threads of two sessions change rows all the time; nothing that they committed is lost or made twice. */
    @ParameterizedTest
    @MethodSource("protocols")
    void writersGoOnMeanwhile(String protocol) throws InterruptedException {
        try (Fabric fabric = Fabric.open("mem:?nodes=3");
                Tidepool pool = PoolAccess.open(fabric, options(protocol));
                Tidepool other = PoolAccess.open(fabric, options(protocol))) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            long rows = 200;
            for (long id = 0; id < rows; id++) {
                Account row = Account.of(id, id);
                pool.transact(tx -> accounts.put(tx, row));
            }
            AtomicBoolean stop = new AtomicBoolean();
            AtomicLong added = new AtomicLong();
            List<Throwable> failures = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                boolean local = t % 2 == 0 || protocol.startsWith("ford-lv"); // it has one owner of the table
                Tidepool its = local ? pool : other;
                Table<Account> table = its.table("accounts", Account.class, 1);
                long begin = t;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (long id = begin; !stop.get(); id = (id + 7) % rows) {
                            long key = id;
                            its.transact(tx -> {
                                Cell<Account> cell = table.update(tx, key);
                                cell.set(Account.of(key, cell.get().balance() + 1_000_000));
                            });
                            added.incrementAndGet();
                        }
                    } catch (Throwable e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                }));
            }
            for (long bytes = SMALL * 2; bytes <= 8 * SMALL; bytes *= 2) {
                long before = added.get();
                while (added.get() < before + 100) assertTrue(threads.stream().anyMatch(Thread::isAlive), "writers");
                pool.grow(bytes);
            }
            stop.set(true);
            for (Thread thread : threads) thread.join();
            if (!failures.isEmpty()) throw new AssertionError(protocol, failures.getFirst());
            requireRows(pool, accounts, rows);
            assertEquals(
                    added.get(),
                    accounts.stream()
                            .mapToLong(row -> row.balance() / 1_000_000)
                            .sum());
        }
    }

    /** What is not changed: smaller and equal sizes, and a pool whose memory node has no room. */
    @Test
    void refusalsChangeNothing() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=256k")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            pool.transact(tx -> accounts.put(tx, Account.of(0, 0)));
            int session = pool.sessionNumber();
            StoreException smaller = assertThrows(StoreException.class, () -> pool.grow(SMALL / 2));
            assertEquals(
                    "the pool has memory=262144 and does not shrink: memory=131072 was asked for",
                    smaller.getMessage());
            pool.grow(SMALL);
            assertThrows(IllegalArgumentException.class, () -> pool.grow(1L << 40));
            StoreException room = assertThrows(StoreException.class, () -> pool.grow(1L << 39));
            assertTrue(
                    room.getMessage()
                            .startsWith("the pool cannot grow to memory=549755813888, and nothing was changed: memory"
                                    + " node 0 needs 1099511627776 bytes for 2 larger copies, next to what it has; "),
                    room.getMessage());
            assertEquals(StoreException.Reason.FULL, room.reason());
            assertEquals(session, pool.sessionNumber(), "the session was not shut out");
            assertEquals(SMALL, PoolAccess.memory(pool));
            requireRows(pool, accounts, 1);
            pool.grow(LARGE);
            requireRows(pool, accounts, 1);
        }
    }

    /** Tables of long contents and their hidden tables lie in the partitions, too. */
    @Test
    void longContentsAreCopied() {
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&memory=4m&partitions=1")) {
            Table<Note> notes = pool.table("notes", Note.class, 20);
            for (long id = 0; id < 8; id++) {
                Note note = new Note(id, "x".repeat(50_000) + id);
                pool.transact(tx -> notes.put(tx, note));
            }
            pool.grow(8 << 20);
            for (long id = 0; id < 20; id++) {
                Note note = new Note(id, "x".repeat(50_000) + id);
                if (id < 8) assertEquals(note, pool.read(tx -> notes.get(tx, note.id())));
                else pool.transact(tx -> notes.put(tx, note));
            }
            assertEquals(20, notes.stream().count());
        }
    }

    /** Files of old regions go, and programs open the grown pool by the URL with which it was made. */
    @Test
    void urlOfASmallerPoolOpensTheGrownOne() {
        String url = "shm:" + folder.resolve("pool");
        long rows;
        try (Tidepool pool = Tidepool.open(url + "?memory=256k&nodes=2");
                Tidepool other = Tidepool.open(url + "?memory=256k")) {
            Table<Account> accounts = pool.table("accounts", Account.class, 1);
            Table<Account> known = other.table("accounts", Account.class);
            rows = fill(pool, accounts, 0);
            long[] told = new long[4];
            PoolAccess.grow(pool, LARGE, new GrowthListener() {
                @Override
                public void prepared(long bytes) {
                    told[0] = bytes;
                }

                @Override
                public void copied(long bytes, long of) {
                    told[1] = bytes;
                    told[2] = of;
                }

                @Override
                public void grown(long before, long after, long nanos) {
                    assertEquals(SMALL, before);
                    assertEquals(LARGE, after);
                    told[3] = nanos;
                }
            });
            assertEquals(4 * LARGE, told[0], "two copies of two partitions");
            assertEquals(told[2], told[1]);
            assertTrue(told[3] > 0, "the pool stood still for a time");
            requireRows(other, known, rows);
        }
        for (String memory : List.of("", "?memory=256k", "?memory=512k", "?memory=1m"))
            try (Tidepool pool = Tidepool.open(url + memory)) {
                assertEquals(LARGE, PoolAccess.memory(pool));
                requireRows(pool, pool.table("accounts", Account.class), rows);
            }
        String refused = assertThrows(StoreException.class, () -> Tidepool.open(url + "?memory=2m"))
                .getMessage();
        assertEquals(
                "this pool has memory=1048576, not 2097152; leave it out of the URL, or make the pool larger by"
                        + " ./tidepool pool grow URL --memory 2097152",
                refused);
    }
}
