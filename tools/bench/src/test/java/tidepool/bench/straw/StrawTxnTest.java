package tidepool.bench.straw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnTooLargeException;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Schema;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.TableSpec;

/** One transaction after the other: each method follows {@link Txn}, as our protocols do. */
class StrawTxnTest {
    private static final Schema SCHEMA = Schema.parse("counter(count:long, owner:string[12])");
    private static final LongField COUNT = SCHEMA.longField("count");

    private StrawStore store;
    private TableLayout table;
    private Coordinator coordinator;

    @BeforeEach
    void load() {
        store = new StrawStore(List.of(new TableSpec(SCHEMA, 100), new TableSpec(SCHEMA, 100)));
        table = store.tables().getFirst();
        coordinator = store.coordinator();
        try (StrawSink rows = store.sink()) {
            for (long key = 0; key < 10; key++) COUNT.set(rows.memory(), rows.row(0, key), 100 + key);
        }
    }

    private long stored(long key) {
        RowSource rows = store.source();
        return rows.read(0, key) ? COUNT.get(rows.memory(), rows.value()) : -1;
    }

    private static long count(Txn txn, int access) {
        return COUNT.get(txn.memory(), txn.value(access));
    }

    private static void count(Txn txn, int access, long count) {
        COUNT.set(txn.memory(), txn.value(access), count);
    }

    @Test
    void loadedRowsAreRead() {
        Txn txn = coordinator.begin();
        int there = txn.read(table, 3);
        int missing = txn.read(table, 77);
        int otherTable = txn.read(store.tables().get(1), 3);
        assertTrue(txn.execute());

        assertTrue(txn.found(there));
        assertEquals(103, count(txn, there));
        assertFalse(txn.writes(there));
        assertFalse(txn.found(missing));
        assertFalse(txn.found(otherTable));
        var refused = assertThrows(IllegalStateException.class, () -> txn.value(missing));
        assertEquals("key 77 of table counter was not found", refused.getMessage());
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertNull(txn.abortReason());
        assertEquals(0, txn.blockingSession());
        assertEquals(0, coordinator.traffic().roundTrips());
        assertFalse(coordinator.isBroken());
    }

    /** Nothing is changed before the commit, and everything by it. */
    @Test
    void anUpdateIsThereWhenItCommits() {
        Txn txn = coordinator.begin();
        int access = txn.update(table, 3);
        int missing = txn.update(table, 77);
        assertTrue(txn.execute());
        assertTrue(txn.writes(access));
        assertFalse(txn.writes(missing));
        count(txn, access, 5);
        assertEquals(103, stored(3));
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertEquals(5, stored(3));
        assertEquals(-1, stored(77));
    }

    @Test
    void insertMakesARowOfZerosOrReads() {
        Txn txn = coordinator.begin();
        int fresh = txn.insert(table, 77);
        int known = txn.insert(table, 3);
        assertTrue(txn.execute());
        assertFalse(txn.found(fresh));
        assertTrue(txn.writes(fresh));
        assertEquals(0, count(txn, fresh));
        assertTrue(txn.found(known));
        assertFalse(txn.writes(known));
        assertEquals(103, count(txn, known));
        count(txn, fresh, 7);
        count(txn, known, 999);
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertEquals(7, stored(77));
        assertEquals(103, stored(3), "an insert of what exists is a read");
    }

    @Test
    void putWritesWhetherTheRowExistsOrNot() {
        Txn txn = coordinator.begin();
        int fresh = txn.put(table, 77);
        int known = txn.put(table, 3);
        assertTrue(txn.execute());
        assertTrue(txn.writes(fresh) && txn.writes(known));
        assertTrue(!txn.found(fresh) && txn.found(known));
        count(txn, fresh, 7);
        count(txn, known, 8);
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertEquals(7, stored(77));
        assertEquals(8, stored(3));
    }

    @Test
    void deleteRemovesWhatIsThere() {
        Txn txn = coordinator.begin();
        int there = txn.delete(table, 3);
        int missing = txn.delete(table, 77);
        assertTrue(txn.execute());
        assertTrue(txn.found(there) && txn.writes(there));
        assertFalse(txn.found(missing) || txn.writes(missing));
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertEquals(-1, stored(3));
    }

    /** A rolled-back transaction has no effect, and its locks are free: the next transaction gets them. */
    @Test
    void rollbackLeavesNothing() {
        Txn txn = coordinator.begin();
        count(txn, executed(txn, txn.update(table, 3)), 5);
        count(txn, executed(txn, txn.insert(table, 77)), 7);
        executed(txn, txn.delete(table, 4));
        txn.rollback();
        assertEquals(AbortReason.ROLLED_BACK, txn.abortReason());
        assertEquals(103, stored(3));
        assertEquals(104, stored(4));
        assertEquals(-1, stored(77));

        txn.rollback();
        Txn next = coordinator.begin();
        assertEquals(103, count(next, executed(next, next.update(table, 3))));
        assertEquals(Outcome.COMMITTED, next.commit());
    }

    private static int executed(Txn txn, int access) {
        assertTrue(txn.execute());
        return access;
    }

    /** A key that was declared before is not declared twice, and a write after a read is a separate access. */
    @Test
    void aKeyCanBeDeclaredAgain() {
        Txn txn = coordinator.begin();
        int read = txn.read(table, 3);
        assertEquals(read, txn.read(table, 3));
        assertEquals(read, txn.update(table, 3), "not carried out yet: it becomes the write");
        int other = txn.read(table, 4);
        assertTrue(txn.execute());
        int write = txn.update(table, 4);
        assertTrue(write != other);
        assertTrue(txn.execute());
        assertEquals(write, txn.read(table, 4), "a write covers reads");
        assertEquals(write, txn.put(table, 4));
        count(txn, write, 44);
        int fresh = executed(txn, txn.insert(table, 77));
        assertEquals(fresh, txn.update(table, 77));
        var refused = assertThrows(IllegalArgumentException.class, () -> txn.delete(table, 77));
        assertEquals(
                "key 77 of table counter was declared as INSERT and cannot become DELETE in the same transaction",
                refused.getMessage());
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertEquals(44, stored(4));
        assertEquals(0, stored(77));
    }

    /** Histories can be checked: a reader learns the writer of a row, and the last inserter or deleter. */
    @Test
    void versionsNameTheirWriters() {
        Txn txn = coordinator.begin();
        assertEquals(0, txn.version(executed(txn, txn.update(table, 3))));
        int insert = executed(txn, txn.insert(table, 77));
        assertEquals(0, txn.version(insert));
        assertEquals(0, txn.bucketVersion(insert));
        long first = txn.id();
        assertEquals(Outcome.COMMITTED, txn.commit());

        Txn next = coordinator.begin();
        assertTrue(next.id() != first);
        assertEquals(first, next.version(executed(next, next.read(table, 3))));
        int delete = executed(next, next.delete(table, 77));
        assertEquals(first, next.version(delete));
        assertEquals(first, next.bucketVersion(delete));
        assertThrows(IllegalArgumentException.class, () -> next.bucketVersion(0));
        long second = next.id();
        assertEquals(Outcome.COMMITTED, next.commit());

        Txn last = coordinator.begin();
        assertEquals(second, last.version(executed(last, last.read(table, 77))), "the bucket of what is not there");
        last.rollback();
    }

    @Test
    void whatCannotBeIsRefused() {
        Txn txn = coordinator.begin();
        int access = txn.read(table, 3);
        assertEquals(
                "the access was not executed yet",
                assertThrows(IllegalArgumentException.class, () -> txn.found(access))
                        .getMessage());
        assertEquals(Outcome.COMMITTED, txn.commit());
        for (Runnable late : List.<Runnable>of(() -> txn.read(table, 1), txn::commit))
            assertEquals(
                    "the transaction has ended",
                    assertThrows(IllegalArgumentException.class, late::run).getMessage());
        assertFalse(txn.execute());

        Txn large = coordinator.begin();
        for (long key = 0; key < 1024; key++) large.read(table, key);
        assertThrows(TxnTooLargeException.class, () -> large.read(table, 1024));
        assertEquals(Outcome.COMMITTED, coordinator.begin().commit(), "it has ended, and the next may begin");
    }

    @Test
    void aKeyIsLoadedOnce() {
        try (StrawSink rows = store.sink()) {
            rows.row(0, 3);
            var refused = assertThrows(IllegalArgumentException.class, () -> rows.row(0, 50));
            assertEquals("key 3 of table counter is loaded twice", refused.getMessage());
        }
    }

    @Test
    void theSettingsSayWhatIsMissing() {
        assertTrue(store.settings().contains("no logs, no replicas, nothing survives a crash"), store.settings());
    }
}
