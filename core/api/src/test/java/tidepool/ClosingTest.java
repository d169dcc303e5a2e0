package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.TidepoolTest.Account;
import tidepool.base.Randomness;
import tidepool.fabric.Fabric;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** A pool that is closed while threads still use it: no transaction is half done, and no lock stays. */
class ClosingTest {
    private static final int ACCOUNTS = 8;

    private final Fabric fabric = Fabric.open("mem:?nodes=3");
    private final PoolOptions options = new PoolOptions("ford", 2, 0, 1 << 20, 8, 16 * 1024);
    private final Tidepool survivor = PoolAccess.open(fabric, options);
    private final Table<Account> accounts = survivor.table("accounts", Account.class, 100);

    @AfterEach
    void close() {
        survivor.close();
        fabric.close();
    }

    @Test
    void openTransactionLeavesNoLock() {
        load();
        Tidepool closing = PoolAccess.open(fabric, options);
        Table<Account> same = closing.table("accounts", Account.class, 100);
        Transaction open = closing.begin();
        same.update(open, 1).set(new Account(1, 7));
        assertTrue(open.raw().execute());
        Worker worker = closing.worker();
        assertTrue(worker.transact(txn -> txn.read(same.handle(), 2) >= 0));

        closing.close();

        survivor.attempts(1).transact(tx -> accounts.update(tx, 1).set(new Account(1, 50)));
        assertThrows(PoolClosedException.class, open::commit);
        assertThrows(PoolClosedException.class, () -> worker.transact(txn -> true));
        worker.close();
        assertEquals(50, survivor.read(tx -> accounts.get(tx, 1)).balance());
        assertEquals(1, closing.statistics().recoveries(), "its own session, by the one that came after it");
    }

    /** A session that ended cleanly needs no recovery. */
    @Test
    void cleanCloseRecoversNothing() {
        load();
        Tidepool closing = PoolAccess.open(fabric, options);
        Table<Account> same = closing.table("accounts", Account.class, 100);
        try (Worker worker = closing.worker()) {
            worker.transact(txn -> txn.update(same.handle(), 1) >= 0);
        }
        closing.transact(tx -> same.update(tx, 2));
        closing.close();

        assertEquals(0, closing.statistics().recoveries());
        assertEquals(List.of(survivor.sessionNumber()), sessions());
    }

    /**
     * Under FORD-LV a session gives back what it owns, also if there were more threads than the pool has coordinators.
     */
    @Test
    void whatACrowdOwnedIsGivenBack() {
        PoolOptions few = new PoolOptions("ford-lv", 2, 0, 1 << 20, 1, 16 * 1024);
        try (Fabric own = Fabric.open("mem:?nodes=2")) {
            for (int round = 0; round < 2; round++) {
                try (Tidepool crowded = PoolAccess.open(own, few)) {
                    Table<Account> same = crowded.table("accounts", Account.class, 100);
                    try (Transaction first = crowded.begin()) {
                        same.put(first, new Account(1, round));
                        assertThrows(StoreException.class, () -> crowded.within(Duration.ofMillis(20))
                                .transact(tx -> same.get(tx, 1)));
                        assertTrue(first.commit());
                    }
                }
            }
        }
    }

    /**
     * Threads in the middle of transfers: each transfer has happened or not, and the other session finds all accounts
     * unlocked.
     */
    @Test
    void threadsThatAreRunningEndAndLoseNothing() throws InterruptedException {
        load();
        for (int round = 0; round < 10; round++) {
            Tidepool closing = PoolAccess.open(fabric, options);
            Table<Account> same = closing.table("accounts", Account.class, 100);
            List<Throwable> ends = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch running = new CountDownLatch(3);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Randomness random = new Randomness(round * 31 + t);
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        for (int i = 0; ; i++) {
                            transfer(closing, same, random);
                            if (i == 10) running.countDown();
                        }
                    } catch (RuntimeException e) {
                        ends.add(e);
                    }
                }));
            }
            running.await();
            closing.close();
            for (Thread thread : threads) thread.join();

            assertEquals(3, ends.size());
            for (Throwable end : ends)
                assertTrue(end instanceof PoolClosedException || end instanceof UnknownOutcomeException, "" + end);
            for (int i = 0; i < ACCOUNTS; i++) {
                int key = i;
                survivor.attempts(1).transact(tx -> accounts.update(tx, key));
            }
            long sum = survivor.read(tx -> {
                long[] keys = new long[ACCOUNTS];
                for (int i = 0; i < ACCOUNTS; i++) keys[i] = i;
                return accounts.getAll(tx, keys).stream()
                        .mapToLong(Account::balance)
                        .sum();
            });
            assertEquals(100 * ACCOUNTS, sum);
            assertEquals(List.of(survivor.sessionNumber()), sessions());
        }
    }

    private static void transfer(Tidepool pool, Table<Account> accounts, Randomness random) {
        long a = random.nextInt(ACCOUNTS);
        long b = (a + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        pool.transact(tx -> {
            Cell<Account> from = accounts.update(tx, a);
            Cell<Account> to = accounts.update(tx, b);
            from.set(from.get().plus(-1));
            to.set(to.get().plus(1));
        });
    }

    private void load() {
        survivor.transact(tx -> {
            for (int i = 0; i < ACCOUNTS; i++) accounts.insert(tx, new Account(i, 100));
        });
    }

    private List<Integer> sessions() {
        List<Integer> found = new ArrayList<>();
        for (int session : fabric.control(0).sessions()) found.add(session);
        return found;
    }
}
