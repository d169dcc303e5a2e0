package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.txn.AbortReason;

/** A long read during heavy writes, under Motor: it sees one moment, or fails with a message that says what helps. */
class LongReadTest {
    private static final int ROWS = 8;
    private static final int WRITES = 5;

    /** Reads two rows, and a third one after others have written it several times. Returns the sum. */
    private static long readLong(Tidepool pool, Table<TidepoolTest.Account> accounts, Transaction tx) {
        long sum = accounts.get(tx, 0).balance() + accounts.get(tx, 1).balance();
        for (int i = 0; i < WRITES; i++)
            pool.transact(other -> {
                Cell<TidepoolTest.Account> more = accounts.update(other, 2);
                Cell<TidepoolTest.Account> less = accounts.update(other, 0);
                more.set(more.get().plus(1));
                less.set(less.get().plus(-1));
            });
        return sum + accounts.get(tx, 2).balance();
    }

    private static Tidepool open(String options) {
        return Tidepool.open("mem:?nodes=2&replicas=2&memory=1m&protocol=motor&" + options);
    }

    private static Table<TidepoolTest.Account> load(Tidepool pool) {
        Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, ROWS);
        pool.transact(tx -> {
            for (int i = 0; i < ROWS; i++) accounts.insert(tx, new TidepoolTest.Account(i, 100));
        });
        return accounts;
    }

    /** It fails with a readable reason, in every attempt, and never returns a sum that never existed. */
    @Test
    void aReadThatLosesItsSnapshotSaysSoAndWhatHelps() {
        for (String isolation : new String[] {"serializable", "snapshot"})
            try (Tidepool pool = open("versions=4&isolation=" + isolation)) {
                Table<TidepoolTest.Account> accounts = load(pool);
                Transactor few = pool.attempts(3);

                ConflictException lost =
                        assertThrows(ConflictException.class, () -> few.read(tx -> readLong(pool, accounts, tx)));
                assertEquals(AbortReason.SNAPSHOT_TOO_OLD, lost.reason());
                assertEquals(3, lost.attempts());
                assertTrue(lost.getMessage().contains("keep more of them (versions=,"), lost.getMessage());
                assertEquals(3, pool.statistics().aborts(AbortReason.SNAPSHOT_TOO_OLD));
            }
    }

    /** An explicit transaction fails at the read that cannot be answered. */
    @Test
    void soDoesOneThatWasBegunByHand() {
        try (Tidepool pool = open("versions=4")) {
            Table<TidepoolTest.Account> accounts = load(pool);
            try (Transaction tx = pool.begin()) {
                ConflictException lost = assertThrows(ConflictException.class, () -> readLong(pool, accounts, tx));
                assertEquals(AbortReason.SNAPSHOT_TOO_OLD, lost.reason());
            }
        }
    }

    /** The advice of the message helps. */
    @Test
    void moreVersionsAvoidIt() {
        try (Tidepool pool = open("versions=" + (WRITES + 1))) {
            Table<TidepoolTest.Account> accounts = load(pool);

            for (int times = 0; times < 3; times++) {
                long sum = pool.attempts(1).read(tx -> readLong(pool, accounts, tx));
                assertEquals(300, sum);
            }
            assertEquals(0, pool.statistics().aborts(AbortReason.SNAPSHOT_TOO_OLD));
        }
    }
}
