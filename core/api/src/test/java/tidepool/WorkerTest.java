package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.txn.AbortReason;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/** Transactions on fields: the guarantees of a worker, and its refusals. */
class WorkerTest {
    private final Schema schema =
            Schema.builder("accounts").attribute("balance", AttributeType.LONG).build();
    private final LongField balance = schema.longField("balance");
    private final Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m&coordinators=4");
    private final TableHandle accounts = pool.table(schema, 100);
    private final Worker worker = pool.worker();

    @BeforeEach
    void load() {
        for (long key = 0; key < 10; key++) {
            long inserted = key;
            assertTrue(worker.transact(txn -> {
                int access = txn.insert(accounts, inserted);
                if (!txn.execute()) return false;
                balance.set(txn.memory(), txn.value(access), 100);
                return true;
            }));
        }
    }

    @AfterEach
    void close() {
        worker.close();
        pool.close();
    }

    @Test
    void whatItCommitsIsThere() {
        assertTrue(worker.transact(txn -> add(txn, 1, 5)));

        assertEquals(105, balanceOf(1));
        assertEquals(1, worker.attempts());
        assertNull(worker.abortReason());
    }

    @Test
    void tripsAreThoseOfTheProtocol() {
        worker.transact(txn -> add(txn, 1, 5));
        assertEquals(2, worker.roundTrips(), "lock and read, commit");
        balanceOf(1);
        assertEquals(1, worker.roundTrips(), "one read");
    }

    /** Giving up is a result, not an exception. */
    @Test
    void workThatGivesUpLeavesNothing() {
        assertFalse(worker.transact(txn -> {
            assertTrue(add(txn, 1, 5));
            return false;
        }));

        assertEquals(AbortReason.ROLLED_BACK, worker.abortReason());
        assertEquals(1, worker.attempts());
        assertEquals(100, balanceOf(1));
        assertTrue(pool.attempts(1).compute(tx -> tx.raw().update(accounts, 1)) >= 0, "no lock is left");
    }

    @Test
    void exceptionOfTheWorkComesOutAndLeavesNothing() {
        assertThrows(
                ArithmeticException.class,
                () -> worker.transact(txn -> {
                    add(txn, 1, 5);
                    throw new ArithmeticException("of the work");
                }));

        assertEquals(100, balanceOf(1));
        assertTrue(worker.transact(txn -> add(txn, 1, 1)));
    }

    /** The second attempt succeeds, because the holder of the lock has left. */
    @Test
    void whatMetOthersIsTriedAgain() {
        Transaction holder = pool.begin();
        holder.raw().update(accounts, 1);
        assertTrue(holder.raw().execute());
        int[] runs = new int[1];

        assertTrue(worker.transact(txn -> {
            if (++runs[0] == 3) holder.rollback();
            return add(txn, 1, 5);
        }));

        assertEquals(3, runs[0]);
        assertEquals(3, worker.attempts());
        assertEquals(AbortReason.LOCKED, worker.abortReason());
        assertEquals(105, balanceOf(1));
        assertEquals(2, pool.statistics().aborts(AbortReason.LOCKED));
    }

    /** Work that ignores the result of execute() ends at its next call. */
    @Test
    void workThatDoesNotLookIsTriedAgainToo() {
        Transaction holder = pool.begin();
        holder.raw().update(accounts, 1);
        assertTrue(holder.raw().execute());
        int[] runs = new int[2];

        assertTrue(worker.transact(txn -> {
            if (++runs[0] == 3) holder.rollback();
            int access = txn.update(accounts, 1);
            txn.execute();
            balance.set(txn.memory(), txn.value(access), 7);
            runs[1]++;
            return true;
        }));

        assertEquals(3, runs[0]);
        assertEquals(1, runs[1]);
        assertEquals(7, balanceOf(1));
    }

    @Test
    void limitsAreThoseItWasMadeWith() {
        try (Transaction holder = pool.begin();
                Worker impatient = pool.attempts(2).worker()) {
            holder.raw().update(accounts, 1);
            assertTrue(holder.raw().execute());

            ConflictException e =
                    assertThrows(ConflictException.class, () -> impatient.transact(txn -> add(txn, 1, 5)));
            assertEquals(2, e.attempts());
            assertEquals(AbortReason.LOCKED, e.reason());
            assertTrue(impatient.transact(txn -> add(txn, 2, 5)));
        }
    }

    @Test
    void readingRefusesToWrite() {
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> worker.read(txn -> add(txn, 1, 5)));
        assertEquals("a read-only transaction writes nothing: table=accounts key=1", e.getMessage());
        assertEquals(100, balanceOf(1));
    }

    @Test
    void transactionIsNotTheWorksToEnd() {
        assertThrows(
                IllegalStateException.class,
                () -> worker.transact(txn -> {
                    txn.commit();
                    return true;
                }));
        assertThrows(
                IllegalStateException.class,
                () -> worker.transact(txn -> {
                    txn.rollback();
                    return true;
                }));
        assertTrue(worker.transact(txn -> add(txn, 1, 5)));
    }

    @Test
    void transactionThatLeakedIsWorthless() {
        AtomicReference<Txn> leaked = new AtomicReference<>();
        worker.transact(txn -> {
            leaked.set(txn);
            return true;
        });

        assertThrows(IllegalStateException.class, () -> leaked.get().read(accounts, 1));
        assertThrows(IllegalStateException.class, () -> leaked.get().execute());
        assertThrows(IllegalStateException.class, () -> leaked.get().memory());
    }

    @Test
    void otherThreadsAndNestedWorkAreRefused() throws InterruptedException {
        AtomicReference<Throwable> seen = new AtomicReference<>();
        worker.transact(txn -> {
            assertThrows(IllegalStateException.class, () -> worker.transact(inner -> true));
            assertThrows(IllegalArgumentException.class, worker::close);
            elsewhere(() -> txn.read(accounts, 1), seen);
            assertTrue(
                    seen.get().getMessage().startsWith("a transaction belongs to the thread that began it"), "" + seen);
            return add(txn, 1, 5);
        });
        elsewhere(() -> worker.transact(txn -> true), seen);
        assertTrue(seen.get().getMessage().startsWith("a worker belongs to the thread that made it"), "" + seen);
        elsewhere(worker::close, seen);
        assertTrue(seen.get().getMessage().startsWith("a worker belongs to the thread that made it"), "" + seen);

        assertEquals(105, balanceOf(1));
    }

    @Test
    void closedWorkerGivesItsPlaceBack() {
        for (int i = 0; i < 20; i++) {
            try (Worker one = pool.worker();
                    Worker two = pool.worker()) {
                assertTrue(one.transact(txn -> add(txn, 1, 1)));
                assertTrue(two.transact(txn -> add(txn, 1, 1)));
            }
        }
        Worker closed = pool.worker();
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, () -> closed.transact(txn -> true));
        assertThrows(NullPointerException.class, () -> worker.transact(null));
        assertEquals(140, balanceOf(1));
    }

    @Test
    void closedPoolIsRefused() {
        pool.close();
        assertThrows(PoolClosedException.class, () -> worker.transact(txn -> true));
        assertThrows(PoolClosedException.class, pool::worker);
    }

    /**
     * Another session took this process for dead. The process continues under a new session, and so does the worker.
     */
    @Test
    void workerOutlivesItsSession() {
        int before = pool.sessionNumber();
        for (int node = 0; node < PoolAccess.fabric(pool).nodes(); node++)
            PoolAccess.fabric(pool).control(node).revoke(before);

        assertTrue(worker.transact(txn -> add(txn, 1, 5)));

        assertNotEquals(before, pool.sessionNumber());
        assertEquals(2, worker.attempts());
        assertEquals(105, balanceOf(1));
        assertEquals(1, pool.statistics().recoveries());
    }

    @Test
    void statisticsKnowItsTransactions() {
        long before = pool.statistics().commits();
        for (int i = 0; i < 7; i++) worker.transact(txn -> add(txn, 1, 1));
        worker.transact(txn -> false);

        assertEquals(7, pool.statistics().commits() - before);
        assertEquals(1, pool.statistics().aborts(AbortReason.ROLLED_BACK));
        assertEquals(1, pool.statistics().aborts());
    }

    private boolean add(Txn txn, long key, long amount) {
        int access = txn.update(accounts, key);
        if (!txn.execute()) return false;
        long at = txn.value(access);
        balance.set(txn.memory(), at, balance.get(txn.memory(), at) + amount);
        return true;
    }

    private long balanceOf(long key) {
        long[] found = new long[1];
        assertTrue(worker.read(txn -> {
            int access = txn.read(accounts, key);
            if (!txn.execute()) return false;
            found[0] = balance.get(txn.memory(), txn.value(access));
            return true;
        }));
        return found[0];
    }

    private static void elsewhere(Runnable act, AtomicReference<Throwable> seen) {
        seen.set(null);
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                act.run();
            } catch (RuntimeException e) {
                seen.set(e);
            }
        });
        try {
            other.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
