package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.TidepoolTest.Account;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.store.StoreException;
import tidepool.txn.AbortReason;

/** The caller chooses how long, and how often, a transaction is tried. */
class LimitsTest {
    private static final String POOL = "mem:?nodes=3&replicas=2&memory=1m";

    @Test
    void attemptsAreCounted() {
        try (Tidepool pool = Tidepool.open(POOL + "&attempts=4")) {
            Table<Account> accounts = load(pool);
            try (Transaction holder = pool.begin()) {
                lock(holder, accounts);

                assertEquals(
                        4,
                        conflict(() -> pool.transact(tx -> accounts.update(tx, 1)))
                                .attempts());
                assertEquals(
                        1,
                        conflict(() -> pool.attempts(1).transact(tx -> accounts.update(tx, 1)))
                                .attempts());
                assertEquals(
                        3,
                        conflict(() -> pool.attempts(3).compute(tx -> accounts.update(tx, 1)))
                                .attempts());
            }
            pool.attempts(1).transact(tx -> accounts.update(tx, 1));
        }
    }

    @Test
    void conflictTellsWhatHappened() {
        try (Tidepool pool = Tidepool.open(POOL)) {
            Table<Account> accounts = load(pool);
            try (Transaction holder = pool.begin()) {
                lock(holder, accounts);

                ConflictException e = conflict(() -> pool.attempts(2).transact(tx -> accounts.update(tx, 1)));
                assertEquals(AbortReason.LOCKED, e.reason());
                assertTrue(
                        e.getMessage()
                                .matches("the transaction met others on every try: attempts=2 afterMicros=\\d+"
                                        + " lastReason=LOCKED blockedBySession=" + pool.sessionNumber()),
                        e.getMessage());
                assertEquals(2, pool.statistics().aborts(AbortReason.LOCKED));
            }
        }
    }

    /** The message alone must say where to look: which node failed, and how. */
    @Test
    void aTransactionThatIsGivenUpNamesWhatFailed() {
        FabricException why =
                new FabricException(FabricException.Reason.TIMED_OUT, Effect.UNKNOWN, "no answer in time from node 1");

        ConflictException e = new ConflictException(null, 0, 3, 25_000_000, why);

        assertEquals(
                "the fabric failed, and the transaction is not tried again: attempts=3 afterMicros=25000; "
                        + why.getMessage(),
                e.getMessage());
        assertSame(why, e.getCause());
    }

    /** The time counts from the beginning of the first attempt. */
    @Test
    void timeOutOfTheUrlAndOfTheCall() {
        try (Tidepool pool = Tidepool.open(POOL + "&timeout=3ms")) {
            Table<Account> accounts = load(pool);
            try (Transaction holder = pool.begin()) {
                lock(holder, accounts);

                ConflictException e = conflict(() -> pool.transact(tx -> accounts.update(tx, 1)));
                assertTrue(e.elapsed().compareTo(Duration.ofMillis(3)) > 0, e.getMessage());
                assertTrue(e.attempts() >= 1, e.getMessage());
                e = conflict(() -> pool.within(Duration.ofMillis(7)).transact(tx -> accounts.update(tx, 1)));
                assertTrue(e.elapsed().compareTo(Duration.ofMillis(7)) > 0, e.getMessage());
                // An attempt is never cut short, and there is always one.
                e = conflict(() -> pool.within(Duration.ofNanos(1)).transact(tx -> accounts.update(tx, 1)));
                assertEquals(1, e.attempts());
            }
            pool.within(Duration.ofNanos(1)).transact(tx -> accounts.update(tx, 1));
            pool.within(Duration.ofDays(1_000_000)).transact(tx -> accounts.update(tx, 1));
        }
    }

    /** An explicit transaction is not retried: the caller sees the conflict where it happens. */
    @Test
    void transactionBegunByHandIsTriedOnce() {
        try (Tidepool pool = Tidepool.open(POOL)) {
            Table<Account> accounts = load(pool);
            try (Transaction holder = pool.begin()) {
                lock(holder, accounts);
                try (Transaction tx = pool.begin()) {
                    accounts.update(tx, 1);
                    assertFalse(tx.commit());
                    assertEquals(AbortReason.LOCKED, tx.abortReason());
                }
                try (Transaction tx = pool.begin()) {
                    Cell<Account> cell = accounts.update(tx, 1);
                    ConflictException e = conflict(cell::get);
                    assertEquals(1, e.attempts());
                    assertEquals(AbortReason.LOCKED, e.reason());
                    assertThrows(IllegalStateException.class, tx::commit);
                }
                try (Transaction tx = pool.begin()) {
                    tx.raw().update(accounts.handle(), 1);
                    ConflictException e = conflict(tx::execute);
                    assertEquals(AbortReason.LOCKED, e.reason());
                    assertEquals(pool.sessionNumber(), e.blockingSession());
                    assertEquals(pool.sessionNumber(), tx.blockingSession());
                    assertThrows(IllegalStateException.class, tx::execute, "it has ended");
                }
                try (Transaction tx = pool.begin()) {
                    int access = tx.raw().update(accounts.handle(), 1);
                    assertFalse(tx.raw().execute());
                    assertThrows(IllegalStateException.class, () -> tx.raw().value(access));
                    assertFalse(tx.commit());
                }
            }
        }
    }

    /** The API on fields inside a transaction that is retried: the body need not check results. */
    @Test
    void executeOnFieldsIsTriedAgain() {
        try (Tidepool pool = Tidepool.open(POOL)) {
            Table<Account> accounts = load(pool);
            Transaction holder = pool.begin();
            lock(holder, accounts);
            int[] runs = new int[1];
            long found = pool.compute(tx -> {
                if (++runs[0] == 2) holder.rollback();
                int access = tx.raw().update(accounts.handle(), 1);
                tx.execute();
                return accounts.handle()
                        .schema()
                        .longField("balance")
                        .get(tx.raw().memory(), tx.raw().value(access));
            });

            assertEquals(10, found);
            assertEquals(2, runs[0]);
        }
    }

    @Test
    void whoFindsNoCoordinatorWaitsNoLonger() {
        try (Tidepool pool = Tidepool.open(POOL + "&coordinators=1&timeout=2ms")) {
            Table<Account> accounts = load(pool);
            try (Transaction holder = pool.begin()) {
                assertNotNull(accounts.get(holder, 1));
                StoreException e =
                        assertThrows(StoreException.class, () -> pool.transact(tx -> accounts.update(tx, 1)));
                assertEquals(StoreException.Reason.FULL, e.reason());
                assertThrows(StoreException.class, pool::worker);
            }
            pool.transact(tx -> accounts.update(tx, 1));
        }
    }

    @Test
    void wrongLimitsAreRefused() {
        for (String wrong : List.of("2", "0s", "-1s", "s", "2h", "1.5s", "9999999999999s", "999999999min"))
            assertEquals(
                    "timeout takes a time such as 500us, 20ms, 2s or 1min, not '" + wrong + "'",
                    assertThrows(IllegalArgumentException.class, () -> Tidepool.open(POOL + "&timeout=" + wrong))
                            .getMessage());
        for (String wrong : List.of("0", "-1", "many"))
            assertTrue(assertThrows(IllegalArgumentException.class, () -> Tidepool.open(POOL + "&attempts=" + wrong))
                    .getMessage()
                    .startsWith("attempts takes a whole number from 1 to "));
        for (String right : List.of("500us", "20ms", "2S", "1min"))
            Tidepool.open(POOL + "&timeout=" + right).close();
        try (Tidepool pool = Tidepool.open(POOL)) {
            assertThrows(IllegalArgumentException.class, () -> pool.attempts(0));
            assertThrows(IllegalArgumentException.class, () -> pool.within(Duration.ZERO));
            assertThrows(IllegalArgumentException.class, () -> pool.within(Duration.ofSeconds(-1)));
            assertThrows(NullPointerException.class, () -> pool.within(null));
        }
    }

    private static Table<Account> load(Tidepool pool) {
        Table<Account> accounts = pool.table("accounts", Account.class, 100);
        pool.transact(tx -> accounts.insert(tx, new Account(1, 10)));
        return accounts;
    }

    private static void lock(Transaction holder, Table<Account> accounts) {
        accounts.update(holder, 1);
        assertTrue(holder.raw().execute());
    }

    private static ConflictException conflict(Runnable attempt) {
        return assertThrows(ConflictException.class, attempt::run);
    }
}
