package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.TidepoolTest.Account;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.spi.PoolAccess;

/** Transactions that only read: they take no locks, and they cannot write. Several keys share their trips. */
class ReadOnlyTest {
    private final Tidepool pool = Tidepool.open("mem:?nodes=3&replicas=2&memory=1m");
    private final Table<Account> accounts = pool.table("accounts", Account.class, 100);

    @BeforeEach
    void load() {
        pool.transact(tx -> {
            for (int i = 0; i < 10; i++) accounts.insert(tx, new Account(i, 10 * i));
        });
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void readsAndTakesNoLocks() {
        Traffic before = PoolAccess.traffic(pool).snapshot();

        long sum = pool.read(tx -> {
            assertTrue(tx.isReadOnly());
            return accounts.getAll(tx, 1, 2, 3).stream()
                    .mapToLong(Account::balance)
                    .sum();
        });

        assertEquals(60, sum);
        Traffic sent = PoolAccess.traffic(pool).since(before);
        for (VerbKind kind : List.of(VerbKind.WRITE, VerbKind.CAS, VerbKind.FAA)) {
            assertEquals(0, sent.verbs(kind), kind + "");
            assertEquals(0, sent.backgroundVerbs(kind), kind + "");
        }
    }

    /** Refused before any verb is sent: a lock that is taken and released would disturb others. */
    @Test
    void everyWriteIsRefusedBeforeAnythingIsSent() {
        List<Consumer<Transaction>> writes = List.of(
                tx -> accounts.update(tx, 1),
                tx -> accounts.insert(tx, new Account(50, 1)),
                tx -> accounts.put(tx, new Account(1, 1)),
                tx -> accounts.delete(tx, 1),
                tx -> tx.raw().update(accounts.handle(), 1),
                tx -> tx.raw().insert(accounts.handle(), 50),
                tx -> tx.raw().put(accounts.handle(), 1),
                tx -> tx.raw().delete(accounts.handle(), 1));
        Traffic before = PoolAccess.traffic(pool).snapshot();

        for (Consumer<Transaction> write : writes) {
            IllegalStateException e = assertThrows(
                    IllegalStateException.class,
                    () -> pool.read(tx -> {
                        write.accept(tx);
                        return null;
                    }));
            assertTrue(
                    e.getMessage().startsWith("a read-only transaction writes nothing: table=accounts key="), "" + e);
        }

        assertEquals(0, PoolAccess.traffic(pool).since(before).allVerbs());
        assertEquals(10, balance(1));
        assertNull(pool.read(tx -> accounts.get(tx, 50)));
    }

    @Test
    void oneThatIsBegunByHandIsTheSame() {
        try (Transaction tx = pool.beginReadOnly()) {
            assertTrue(tx.isReadOnly());
            assertEquals(10, accounts.get(tx, 1).balance());
            assertThrows(IllegalStateException.class, () -> accounts.delete(tx, 1));
            assertEquals(20, accounts.get(tx, 2).balance());
            assertTrue(tx.commit());
        }
        try (Transaction tx = pool.begin()) {
            assertFalse(tx.isReadOnly());
        }
        assertEquals(10, balance(1));
    }

    /** All reads must have existed at one moment. A change in between is noticed, although no lock was taken. */
    @Test
    void whatChangedInBetweenIsNoticed() {
        try (Transaction tx = pool.beginReadOnly()) {
            assertEquals(10, accounts.get(tx, 1).balance());
            pool.transact(other -> accounts.put(other, new Account(1, 11)));
            assertEquals(20, accounts.get(tx, 2).balance());
            assertFalse(tx.commit());
        }
    }

    @Test
    void manyKeysTakeAsManyTripsAsTwo() {
        long[] keys = {9, 3, 77, 1, 5};
        pool.read(tx -> accounts.getAll(tx, keys)); // now the addresses are known, except that of 77

        assertEquals(2, trips(tx -> accounts.getAll(tx, 1, 2)), "read, validate");
        assertEquals(2, trips(tx -> accounts.getAll(tx, 1, 3, 5, 7, 9)));
        assertEquals(3, trips(tx -> accounts.getAll(tx, keys)), "one more to look for 77");
        assertEquals(6, trips(tx -> {
            for (int key : new int[] {1, 3, 5, 7, 9}) accounts.get(tx, key);
        }));
        assertEquals(0, trips(tx -> accounts.getAll(tx)));
        assertEquals(
                Arrays.asList(new Account(9, 90), new Account(3, 30), null, new Account(1, 10), new Account(5, 50)),
                pool.read(tx -> accounts.getAll(tx, keys)));
        assertThrows(NullPointerException.class, () -> pool.read(tx -> accounts.getAll(tx, (long[]) null)));
    }

    private long trips(Consumer<Transaction> body) {
        Traffic before = PoolAccess.traffic(pool).snapshot();
        pool.read(tx -> {
            body.accept(tx);
            return null;
        });
        return PoolAccess.traffic(pool).since(before).roundTrips();
    }

    private long balance(long key) {
        return pool.read(tx -> accounts.get(tx, key)).balance();
    }
}
