package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.farm.Farm;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * The session that an aborted attempt names. A retry asks whether that session is dead: with another name it would wait
 * for a dead one for ever, or suspect one that did nothing.
 */
class BlockingSessionTest {
    private final Fabric fabric = Fabric.open("mem:?nodes=1");
    private Session other;
    private TableLayout table;
    private Coordinator coordinator;
    private Coordinator writer;

    private void open(Protocol protocol) {
        other = fabric.attach();
        coordinator = coordinator(protocol, fabric.attach());
        writer = coordinator(protocol, other);
        for (long key = 1; key <= 3; key++) {
            Txn txn = writer.begin();
            txn.insert(table, key);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }
    }

    private Coordinator coordinator(Protocol protocol, Session session) {
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions(protocol.name(), 1, 1, 1 << 16, 8, 4096));
        table = catalog.table(Schema.parse("rows(n:long)"), 8);
        return protocol.coordinator(session, catalog, new TxnCounter());
    }

    /** Returns a key that was never inserted, of the bucket with this head. */
    private long absent(long head, long from) {
        long key = from;
        while (table.home(key) != head) key++;
        return key;
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    /** The bucket changed after the lookup, and its last writer has ended. */
    @Test
    void aChangedBucketNamesNoSession() {
        open(new Farm());
        long head = table.home(1);
        long inserted = absent(head, 4);
        Txn txn = coordinator.begin();
        txn.insert(table, inserted);
        assertTrue(txn.execute());
        Txn changing = writer.begin();
        changing.insert(table, absent(head, inserted + 1));
        assertEquals(Outcome.COMMITTED, changing.commit());

        assertEquals(Outcome.ABORTED, txn.commit());
        assertEquals(AbortReason.BUCKET_CHANGED, txn.abortReason());
        assertEquals(0, txn.blockingSession());
    }

    /** A bucket whose head is marked is being changed by the session that the mark names. */
    @Test
    void aMarkedBucketNamesTheSessionOfItsMark() {
        open(new Ford());
        assertNamesTheOther(ObjectLayout.VERSION, TxnId.INV | TxnId.of(other.number(), 9));
    }

    @Test
    void aLockedBucketNamesTheSessionOfItsLock() {
        open(new Ford());
        assertNamesTheOther(ObjectLayout.LOCK, TxnId.R | TxnId.of(other.number(), 9));
    }

    private void assertNamesTheOther(long offset, long word) {
        long head = table.home(1);
        PoolRegions pool = ((RecordCoordinator) writer).pool();
        ((RecordCoordinator) writer)
                .lane()
                .round(1)
                .write(pool.primary(head), Pointer.offset(head) + offset, word)
                .post()
                .await();

        Txn txn = coordinator.begin();
        txn.read(table, absent(head, 4));

        assertFalse(txn.execute());
        assertEquals(AbortReason.BUCKET_BUSY, txn.abortReason());
        assertEquals(other.number(), txn.blockingSession());
    }
}
