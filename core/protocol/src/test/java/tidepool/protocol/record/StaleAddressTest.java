package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A session remembers the address of a row that another session has deleted since. */
class StaleAddressTest {
    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private TableLayout table;
    private Coordinator remembering;
    private Coordinator other;

    @AfterEach
    void close() {
        fabric.close();
    }

    /**
     * The row is looked up again in its bucket, which is locked. Otherwise {@code execute} would return true for a
     * transaction that was aborted, and the application would work with values that were never read.
     */
    @Test
    void aRowInALockedBucketIsNotRead() {
        open("ford");
        long first = key(0, 0);
        long deleted = key(first + 1, first);
        long inserted = key(deleted + 1, first);
        insert(first);
        insert(deleted);
        assertTrue(isFound(deleted));
        delete(first);
        delete(deleted);
        Txn holder = other.begin();
        holder.insert(table, inserted); // into the slot of the first row; the head of the bucket is locked
        assertTrue(holder.execute());

        Txn txn = remembering.begin();
        txn.read(table, deleted);

        assertFalse(txn.execute());
        assertEquals(AbortReason.BUCKET_BUSY, txn.abortReason());
        assertEquals(Outcome.COMMITTED, holder.commit());
        assertFalse(isFound(deleted));
    }

    /** Otherwise every later attempt would go to that address again, and be refused. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "farmv2", "motor", "motor?isolation=snapshot", "hdtx"})
    void aRefusedWriterForgetsTheAddress(String protocol) {
        open(protocol);
        insert(1);
        assertTrue(isFound(1));
        delete(1);
        Txn refused = remembering.begin();
        refused.read(table, 2); // with snapshot isolation, a snapshot
        refused.update(table, 1);
        if (!refused.execute()) assertEquals(AbortReason.STALE_ADDRESS, refused.abortReason());
        else refused.rollback();

        Txn txn = remembering.begin();
        txn.read(table, 2);
        int access = txn.update(table, 1);

        assertTrue(txn.execute(), () -> "refused: " + txn.abortReason());
        assertFalse(txn.found(access));
    }

    /** Returns the next key whose bucket is that of another key. */
    private long key(long from, long neighbour) {
        long key = from;
        while (table.home(key) != table.home(neighbour)) key++;
        return key;
    }

    private void insert(long key) {
        Txn txn = other.begin();
        txn.insert(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private void delete(long key) {
        Txn txn = other.begin();
        txn.delete(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private boolean isFound(long key) {
        Txn txn = remembering.begin();
        int access = txn.read(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        return txn.found(access);
    }

    private void open(String name) {
        Protocol protocol = Protocols.named(name);
        remembering = coordinator(protocol);
        other = coordinator(protocol);
    }

    private Coordinator coordinator(Protocol protocol) {
        Session session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions(protocol.name(), 2, 0, 1 << 20, 8, 16 * 1024))
                .withRows(protocol::rows);
        table = catalog.table(Schema.parse("rows(n:long)"), 64);
        return protocol.coordinator(session, catalog, new TxnCounter());
    }
}
