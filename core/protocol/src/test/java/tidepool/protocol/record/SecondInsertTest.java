package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
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

/** Inserts into a chain of full buckets, one execute after the other in one transaction. */
class SecondInsertTest {
    private Session session;
    private Catalog catalog;
    private TableLayout table;
    private Coordinator coordinator;

    /** Keys below this one are used up. */
    private long key;

    private void open(Fabric fabric) {
        session = fabric.attach();
        catalog = Catalog.open(fabric, session, new PoolOptions("ford", 1, 1, 1 << 18, 8, 16 * 1024));
        table = catalog.table(Schema.parse("rows(n:long)"), 64);
        coordinator = new Ford().coordinator(session, catalog, new TxnCounter());
    }

    /** Returns the next key of the bucket that all tests here fill. */
    private long nextInBucket(long from) {
        long next = from;
        while (table.home(next) != table.home(0)) next++;
        return next;
    }

    private void fill(int rows) {
        for (int i = 0; i < rows; i++) assertEquals(Outcome.COMMITTED, insertTogether(1));
    }

    private Outcome insertTogether(int rows) {
        Txn txn = coordinator.begin();
        for (int i = 0; i < rows; i++) {
            long next = nextInBucket(key);
            txn.insert(table, next);
            key = next + 1;
        }
        return txn.commit();
    }

    /**
     * The second insert takes a slot of the bucket that the first one adds. It already holds all its locks, and its
     * READs of the chain are sent alone. An insert that does not wait for them examines other memory and aborts in
     * every attempt.
     */
    @Test
    void anInsertThatLocksNothingNewReadsItsChain() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            open(fabric);
            fill(2 * table.slots());

            Txn txn = coordinator.begin();
            long[] inserted = new long[2];
            for (int i = 0; i < inserted.length; i++) {
                inserted[i] = nextInBucket(key);
                txn.insert(table, inserted[i]);
                key = inserted[i] + 1;
                assertTrue(txn.execute(), "insert " + i + " was refused: " + txn.abortReason());
                assertNull(txn.abortReason());
            }
            assertEquals(Outcome.COMMITTED, txn.commit());

            for (long each : inserted) {
                Txn reader = coordinator.begin();
                int access = reader.read(table, each);
                assertEquals(Outcome.COMMITTED, reader.commit());
                assertTrue(reader.found(access), "key " + each);
            }
        }
    }

    /** Otherwise a slot of every new bucket would stay empty, and chains would grow sooner than the table is full. */
    @Test
    void oneTransactionFillsANewBucket() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            open(fabric);
            fill(table.slots());

            assertEquals(Outcome.COMMITTED, insertTogether(table.slots()));
        }
    }

    /**
     * The bucket at the head of the free ones is locked, as by a filler of copies. Otherwise {@code execute} would
     * return true for an aborted transaction, and the insert would write into a bucket that is not its own.
     */
    @Test
    void aLockedFreeBucketIsNotTaken() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            open(fabric);
            fill(table.slots());
            long last = key;
            fill(1);
            Txn txn = coordinator.begin();
            txn.delete(table, nextInBucket(last));
            assertEquals(Outcome.COMMITTED, txn.commit());
            Lane lane = session.lane();
            PoolRegions pool = new PoolRegions(lane, catalog);
            long bucket = table.overflowBucket(Pointer.partition(table.home(0)), 0);
            long lock = Pointer.offset(bucket) + ObjectLayout.LOCK;
            lane.round(1)
                    .write(pool.primary(bucket), lock, TxnId.of(session.number(), 1_000_000))
                    .post()
                    .await();

            Txn refused = coordinator.begin();
            refused.insert(table, nextInBucket(key));
            assertFalse(refused.execute());
            assertEquals(AbortReason.LOCKED, refused.abortReason());

            lane.round(1).write(pool.primary(bucket), lock, 0).post().await();
            assertEquals(Outcome.COMMITTED, insertTogether(1));
        }
    }
}
