package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.base.Waiting;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.txn.Txn;

/** Mistakes of the application: a clear error, nothing changed, and a pool that continues to work. */
class BadInputTest {
    /** A person with a name of at most eight bytes. */
    public record Person(@Key long id, @Length(8) String name) {}

    @TempDir
    Path folder;

    private final Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m&coordinators=4&logheap=0");
    private final Table<Person> people = pool.table("people", Person.class, 1000);

    @AfterEach
    void close() {
        if (pool != null) pool.close();
    }

    @Test
    void valueThatIsTooLongIsRefusedByItsName() {
        insert(new Person(1, "Ada"));

        RuntimeException e = assertThrows(
                IllegalArgumentException.class,
                () -> pool.transact(tx -> people.insert(tx, new Person(2, "Augustine"))));
        assertTrue(e.getMessage().contains("name"), e.getMessage());
        assertThrows(
                IllegalArgumentException.class,
                () -> pool.transact(tx -> {
                    people.update(tx, 1).set(new Person(1, "Augustine"));
                    people.insert(tx, new Person(3, "Bob"));
                }));

        assertEquals(new Person(1, "Ada"), get(1));
        assertNull(get(2));
        assertNull(get(3));
        stillWorks();
    }

    /** The loop commits. A body that could do it too would end with an exception although it has committed. */
    @Test
    void bodyThatCommitsIsRefused() {
        assertThrows(
                IllegalStateException.class,
                () -> pool.transact(tx -> {
                    people.put(tx, new Person(1, "Ada"));
                    tx.commit();
                }));
        assertThrows(
                IllegalStateException.class,
                () -> pool.transact(tx -> people.computeIfAbsent(tx, 1, key -> {
                    tx.commit();
                    return new Person(key, "Ada");
                })));
        assertNull(get(1));
        stillWorks();
    }

    @Test
    void nullIsRefused() {
        insert(new Person(1, "Ada"));

        assertThrows(NullPointerException.class, () -> pool.transact(tx -> people.insert(tx, null)));
        assertThrows(NullPointerException.class, () -> pool.transact(tx -> people.put(tx, null)));
        assertThrows(
                NullPointerException.class,
                () -> pool.transact(tx -> people.update(tx, 1).set(null)));
        assertThrows(
                IllegalArgumentException.class,
                () -> pool.transact(tx -> people.update(tx, 1).set(new Person(1, null))));
        assertThrows(NullPointerException.class, () -> pool.transact(null));
        assertThrows(NullPointerException.class, () -> pool.compute(null));
        assertThrows(NullPointerException.class, () -> pool.read(null));
        assertThrows(NullPointerException.class, () -> pool.setListener(null));
        assertThrows(NullPointerException.class, () -> Tidepool.open(null));

        assertEquals(new Person(1, "Ada"), get(1));
        stillWorks();
    }

    @Test
    void recordUnderAnotherKeyIsRefused() {
        insert(new Person(1, "Ada"));

        RuntimeException e = assertThrows(
                IllegalArgumentException.class,
                () -> pool.transact(tx -> people.update(tx, 1).set(new Person(2, "Eve"))));
        assertTrue(e.getMessage().contains("key=2 cell=1"), e.getMessage());
        stillWorks();
    }

    @Test
    void whatIsNotThereCannotBeUpdatedOrGot() {
        RuntimeException e = assertThrows(
                NotFoundException.class,
                () -> pool.transact(tx -> people.update(tx, 7).set(new Person(7, "Eve"))));
        assertTrue(e.getMessage().contains("table=people key=7"), e.getMessage());
        assertThrows(
                NotFoundException.class,
                () -> pool.transact(tx -> people.read(tx, 7).get()));
        assertThrows(
                IllegalStateException.class,
                () -> pool.transact(tx -> people.read(tx, 7).set(new Person(7, "Eve"))));

        assertNull(get(7));
        stillWorks();
    }

    @Test
    void endedTransactionIsRefused() {
        insert(new Person(1, "Ada"));
        Transaction committed = pool.begin();
        Cell<Person> cell = people.update(committed, 1);
        assertTrue(committed.commit());
        Transaction rolledBack = pool.begin();
        rolledBack.rollback();
        rolledBack.rollback();

        for (Transaction ended : List.of(committed, rolledBack)) {
            assertThrows(IllegalStateException.class, () -> people.read(ended, 1));
            assertThrows(IllegalStateException.class, ended::commit);
        }
        assertThrows(IllegalStateException.class, cell::get);
        assertThrows(IllegalStateException.class, () -> cell.set(new Person(1, "Eve")));
        assertThrows(IllegalStateException.class, committed::raw);
        assertEquals(new Person(1, "Ada"), get(1));
        stillWorks();
    }

    /** A transaction that leaks out of its body cannot be used. */
    @Test
    void transactionThatLeakedIsRefused() {
        AtomicReference<Transaction> leaked = new AtomicReference<>();
        AtomicReference<Txn> raw = new AtomicReference<>();
        pool.transact(tx -> {
            leaked.set(tx);
            raw.set(tx.raw());
        });

        assertThrows(IllegalStateException.class, () -> people.read(leaked.get(), 1));
        assertThrows(IllegalStateException.class, () -> raw.get().update(people.handle(), 1));
        assertThrows(IllegalStateException.class, () -> raw.get().execute());
        stillWorks();
    }

    @Test
    void secondThreadIsRefusedAndTheFirstGoesOn() throws InterruptedException {
        try (Transaction tx = pool.begin()) {
            people.insert(tx, new Person(1, "Ada"));
            Cell<Person> cell = people.read(tx, 1);
            List<Runnable> acts = List.of(
                    () -> people.insert(tx, new Person(2, "Eve")),
                    () -> people.read(tx, 1),
                    cell::get,
                    tx::raw,
                    tx::commit,
                    tx::rollback,
                    tx::close);
            for (Runnable act : acts) {
                AtomicReference<Throwable> seen = new AtomicReference<>();
                Thread other = Thread.ofPlatform().start(() -> {
                    try {
                        act.run();
                    } catch (IllegalStateException e) {
                        seen.set(e);
                    }
                });
                other.join();
                assertTrue(
                        seen.get() != null
                                && seen.get().getMessage().startsWith("a transaction belongs to the thread that began"),
                        "" + seen);
            }
            assertTrue(tx.commit());
        }

        assertEquals(new Person(1, "Ada"), get(1));
        assertNull(get(2));
    }

    @Test
    void tooManyRecordsAreRefusedWhereverItIsNoticed() {
        RuntimeException e = assertThrows(
                TransactionTooLargeException.class,
                () -> pool.transact(tx -> {
                    for (int i = 0; i < 500; i++) people.insert(tx, new Person(i, "x"));
                }));
        assertTrue(e.getMessage().contains("at most"), e.getMessage());
        assertThrows(
                TransactionTooLargeException.class,
                () -> pool.transact(tx -> {
                    for (int i = 0; i < 200; i++) people.insert(tx, new Person(i, "x"));
                }));
        assertThrows(
                TransactionTooLargeException.class,
                () -> pool.transact(tx -> {
                    for (int i = 0; i < 200; i++) people.insert(tx, new Person(i, "x"));
                    people.read(tx, 999).isPresent();
                }));

        for (int i = 0; i < 200; i++) assertNull(get(i));
        stillWorks();
    }

    /** Keys are words: none of them is special. */
    @Test
    void everyKeyIsAKey() {
        for (long key : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertNull(get(key));
            insert(new Person(key, "k"));
            assertEquals(new Person(key, "k"), get(key));
            assertTrue(pool.<Boolean, RuntimeException>compute(
                    tx -> people.delete(tx, key).isPresent()));
            assertNull(get(key));
            insert(new Person(key, "again"));
            assertEquals(new Person(key, "again"), get(key));
        }
    }

    @Test
    void fullTableSaysSoAndKeepsWhatItHas() {
        try (Tidepool tiny = Tidepool.open("mem:?memory=256k")) {
            Table<Person> small = tiny.table("small", Person.class, 10);
            int held = 0;
            RuntimeException full = null;
            for (int i = 0; full == null && i < 100_000; i++) {
                Person person = new Person(i, "p" + i % 1000);
                try {
                    tiny.transact(tx -> small.insert(tx, person));
                    held++;
                } catch (StoreException e) {
                    full = e;
                }
            }

            assertTrue(full != null && full.getMessage().contains("table small"), "" + full);
            assertTrue(held >= 10, "held " + held);
            for (int i = 0; i < held; i++) {
                int key = i;
                assertEquals(
                        "p" + key % 1000, tiny.compute(tx -> small.get(tx, key)).name());
            }
            tiny.transact(tx -> small.delete(tx, 0));
            tiny.transact(tx -> small.insert(tx, new Person(0, "back")));
        }
    }

    @Test
    void fullPoolSaysHowMuchIsMissing() {
        StoreException e = assertThrows(StoreException.class, () -> pool.table("huge", Person.class, 1_000_000));
        assertEquals(StoreException.Reason.FULL, e.reason());
        assertTrue(
                e.getMessage().contains("make the pool larger: ./tidepool pool grow URL --memory SIZE"),
                e.getMessage());
        assertThrows(StoreException.class, () -> pool.table("none", Person.class, 0));
        stillWorks();
        pool.table("fits", Person.class, 100);
    }

    /** A type that a table cannot hold is refused when the table is opened, not when the first record is written. */
    @Test
    void typesThatDoNotFitAreRefused() {
        record NoKey(long id, long age) {}
        record TwoKeys(@Key long id, @Key long other) {}
        record TextKey(@Key String id, long age) {}
        record Listed(@Key long id, List<List<String>> names) {}
        record Exact(@Key long id, @Length(5000) byte[] name) {}
        record Huge(@Key long id, @Length(2_000_000) String name) {}
        for (Class<? extends Record> type : List.<Class<? extends Record>>of(
                NoKey.class, TwoKeys.class, TextKey.class, Listed.class, Exact.class, Huge.class)) {
            RuntimeException e = assertThrows(IllegalArgumentException.class, () -> pool.table("wrong", type));
            assertTrue(e.getMessage().length() > 20, type + ": " + e.getMessage());
        }
        assertThrows(StoreException.class, () -> pool.table("wrong"), "nothing was made");
        stillWorks();
    }

    @Test
    void unknownTableIsRefused() {
        StoreException e = assertThrows(StoreException.class, () -> pool.table("persons"));
        assertEquals(StoreException.Reason.UNKNOWN_TABLE, e.reason());
        assertEquals("no such table: table=persons; known: people", e.getMessage());
        assertEquals(people.handle(), pool.table("people"));
        stillWorks();
    }

    /** Otherwise addresses of another pool would lead to writes at arbitrary places. */
    @Test
    void tableOfAnotherPoolIsRefused() {
        record Other(@Key long id, long a, long b) {}
        try (Tidepool second = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m")) {
            Table<Other> others = second.table("others", Other.class, 50);
            Table<Other> more = second.table("more", Other.class, 50);
            for (Table<Other> table : List.of(others, more)) {
                RuntimeException e = assertThrows(
                        IllegalArgumentException.class,
                        () -> pool.transact(tx -> table.insert(tx, new Other(1, 2, 3))));
                assertEquals("not a table of this pool: table=" + table.name(), e.getMessage());
            }
            assertThrows(
                    NullPointerException.class,
                    () -> pool.transact(tx -> tx.raw().read(null, 1)));
        }
        stillWorks();
    }

    /** A known table name with other attributes, in this process and in another one. */
    @Test
    void changedSchemaIsRefused() {
        record Human(@Key long id, int age) {}
        assertThrows(RuntimeException.class, () -> pool.table("people", Human.class));
        String url = "shm:" + folder.resolve("pool") + "?nodes=2&replicas=2&memory=1m";
        try (Tidepool first = Tidepool.open(url)) {
            Table<Person> table = first.table("people", Person.class, 100);
            first.transact(tx -> table.insert(tx, new Person(1, "Ada")));
        }
        try (Tidepool second = Tidepool.open(url)) {
            RuntimeException e = assertThrows(RuntimeException.class, () -> second.table("people", Human.class));
            assertTrue(e.getMessage().contains("people"), e.getMessage());
            Table<Person> table = second.table("people", Person.class, 100);
            assertEquals(new Person(1, "Ada"), second.compute(tx -> table.get(tx, 1)));
        }
        stillWorks();
    }

    @Test
    void unknownProtocolIsRefused() {
        RuntimeException e = assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?protocol=paxos"));
        assertTrue(e.getMessage().startsWith("unknown protocol 'paxos'; known: ford, "), e.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?protocol=ford&vcache=local"));
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?reads=sideways"));
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?replicas=9"));
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?nodes=1&replicas=2"));
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("mem:?nonsense=1"));
        assertThrows(IllegalArgumentException.class, () -> Tidepool.open("pool"));
    }

    /** Records of another protocol have other words. Reading them under this protocol would give nonsense. */
    @Test
    void poolOfAnotherProtocolIsRefused() {
        PoolOptions d = PoolOptions.defaults();
        PoolOptions other = new PoolOptions(
                "ford-lv", d.replicas(), d.partitions(), d.partitionBytes(), d.coordinators(), d.logSlotBytes());
        StoreException e = assertThrows(StoreException.class, () -> PoolAccess.open(PoolAccess.fabric(pool), other));

        assertEquals("this pool holds records of protocol ford, not of ford-lv", e.getMessage());
        stillWorks();
    }

    @Test
    void closedPoolIsRefused() {
        Transaction open = pool.begin();
        open.rollback();
        pool.close();
        pool.close();

        assertThrows(PoolClosedException.class, () -> pool.transact(tx -> {}));
        assertThrows(PoolClosedException.class, pool::begin);
        assertThrows(PoolClosedException.class, () -> pool.table("other", Person.class));
        assertThrows(PoolClosedException.class, () -> pool.read(tx -> null));
        assertThrows(PoolClosedException.class, pool::beginReadOnly);
        assertThrows(PoolClosedException.class, pool::worker);
        assertThrows(PoolClosedException.class, pool::tables);
        assertThrows(PoolClosedException.class, () -> pool.resolve(1));
        assertThrows(PoolClosedException.class, () -> PoolAccess.historyTick(pool));
    }

    /** Four coordinators and twelve threads that all sleep inside their transactions: no thread is refused. */
    @Test
    void moreThreadsThanCoordinatorsWaitForEachOther() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 12; i++) {
            int key = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                    pool.transact(tx -> {
                        people.insert(tx, new Person(key, "t" + key));
                        Waiting.pause(20_000_000);
                    });
                } catch (InterruptedException | RuntimeException e) {
                    failures.add(e);
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) thread.join();

        assertEquals(List.of(), failures);
        for (int i = 0; i < 12; i++) assertEquals("t" + i, get(i).name());
    }

    private void insert(Person person) {
        pool.transact(tx -> people.insert(tx, person));
    }

    private Person get(long key) {
        return pool.compute(tx -> people.get(tx, key));
    }

    /** Checks that no lock was left, and that every coordinator was given back. */
    private void stillWorks() {
        long before = pool.statistics().aborts();
        for (int i = 0; i < 8; i++) {
            long key = i;
            pool.transact(tx -> people.put(tx, new Person(key, "ok")));
            assertEquals(new Person(key, "ok"), get(key));
        }
        assertFalse(pool.statistics().aborts() > before, "somebody left a lock");
    }
}
