package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.fabric.Traffic;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;

/** The public API on a pool inside this process. */
class TidepoolTest {
    /** An account of the examples. */
    public record Account(@Key long id, long balance) {
        Account plus(long amount) {
            return new Account(id, balance + amount);
        }
    }

    private final Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=4m");
    private final Table<Account> accounts = pool.table("accounts", Account.class, 2000);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void whatWasInsertedIsRead() {
        pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));

        assertEquals(new Account(17, 100), pool.compute(tx -> accounts.get(tx, 17)));
        assertNull(pool.compute(tx -> accounts.get(tx, 18)));
    }

    @Test
    void rolledBackTransactionLeavesNothing() {
        pool.transact(tx -> accounts.insert(tx, new Account(1, 3)));

        assertThrows(
                Rollback.class,
                () -> pool.transact(tx -> {
                    accounts.update(tx, 1).set(new Account(1, 99));
                    throw new Rollback("changed my mind");
                }));
        assertEquals(3, pool.compute(tx -> accounts.get(tx, 1)).balance());
    }

    @Test
    void duplicateKeyIsRefusedAndTheRecordStays() {
        pool.transact(tx -> accounts.insert(tx, new Account(5, 1)));

        assertThrows(DuplicateKeyException.class, () -> pool.transact(tx -> accounts.insert(tx, new Account(5, 2))));
        assertEquals(1, pool.compute(tx -> accounts.get(tx, 5)).balance());
    }

    @Test
    void deletedKeyIsGoneAndCanComeBack() {
        pool.transact(tx -> accounts.insert(tx, new Account(5, 1)));
        assertTrue(pool.<Boolean, RuntimeException>compute(
                tx -> accounts.delete(tx, 5).isPresent()));
        assertNull(pool.compute(tx -> accounts.get(tx, 5)));
        assertFalse(pool.<Boolean, RuntimeException>compute(
                tx -> accounts.delete(tx, 5).isPresent()));

        pool.transact(tx -> accounts.insert(tx, new Account(5, 7)));

        assertEquals(7, pool.compute(tx -> accounts.get(tx, 5)).balance());
    }

    /** More keys than the buckets hold: the others go into overflow buckets, and all are found. */
    @Test
    void tableLargerThanItsBucketsOverflows() {
        for (long i = 0; i < 2400; i++) {
            long key = i;
            pool.transact(tx -> accounts.insert(tx, new Account(key, key * 3)));
        }

        for (long i = 0; i < 2400; i++) {
            long key = i;
            assertEquals(key * 3, pool.compute(tx -> accounts.get(tx, key)).balance());
        }
    }

    @Test
    void moneyIsConservedByManyThreads() throws InterruptedException {
        int count = 20;
        pool.transact(tx -> {
            for (int i = 0; i < count; i++) accounts.insert(tx, new Account(i, 100));
        });
        List<Thread> threads = new ArrayList<>();
        AtomicLong failures = new AtomicLong();
        for (int t = 0; t < 4; t++) {
            int seed = t;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    Randomness random = new Randomness(seed);
                    for (int i = 0; i < 3000; i++) {
                        long a = random.nextInt(count);
                        long b = (a + 1 + random.nextInt(count - 1)) % count;
                        pool.transact(tx -> {
                            Cell<Account> from = accounts.update(tx, a);
                            Cell<Account> to = accounts.update(tx, b);
                            from.set(from.get().plus(-1));
                            to.set(to.get().plus(1));
                        });
                    }
                } catch (RuntimeException e) {
                    e.printStackTrace();
                    failures.incrementAndGet();
                }
            }));
        }
        for (Thread thread : threads) thread.join();

        assertEquals(0, failures.get());
        assertEquals(1 + 4 * 3000, pool.statistics().commits(), "every coordinator has counted its own");
        long sum = pool.compute(tx -> {
            List<Cell<Account>> cells = new ArrayList<>();
            for (int i = 0; i < count; i++) cells.add(accounts.read(tx, i));
            return cells.stream().mapToLong(c -> c.get().balance()).sum();
        });
        assertEquals(100 * count, sum);
    }

    /** The row of FORD in the table of round trips, counted by the fabric. */
    @Test
    void roundTripsAreThoseOfThePaper() {
        for (int i = 0; i < 10; i++) {
            long key = i;
            pool.transact(tx -> accounts.insert(tx, new Account(key, key)));
        }
        for (int i = 0; i < 10; i++) {
            long key = i;
            pool.transact(tx -> accounts.get(tx, key));
        }

        assertEquals(1, trips(tx -> accounts.get(tx, 1)));
        assertEquals(2, trips(tx -> {
            accounts.read(tx, 1);
            accounts.read(tx, 2).get();
        }));
        assertEquals(2, trips(tx -> accounts.update(tx, 1).set(new Account(1, 5))));
        assertEquals(3, trips(tx -> {
            Cell<Account> read = accounts.read(tx, 2);
            accounts.update(tx, 1).set(new Account(1, read.get().balance()));
        }));
        assertEquals(3, trips(tx -> accounts.insert(tx, new Account(100, 5))));
    }

    private long trips(TransactionBody<RuntimeException> body) {
        Traffic before = PoolAccess.traffic(pool).snapshot();
        pool.transact(body);
        return PoolAccess.traffic(pool).since(before).roundTrips();
    }
}
