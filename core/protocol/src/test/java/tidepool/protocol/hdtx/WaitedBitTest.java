package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.ReplicaFill;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.PoolOptions;
import tidepool.store.QueueWord;
import tidepool.store.Roster;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Lock words of HDTX say that requests wait: copies are filled, and rows are locked, all the same. */
class WaitedBitTest {
    private static final int ROWS = 6;

    private static final Roster ROSTER = new Roster(
            1,
            true,
            List.of(new Roster.Member("a", "a"), new Roster.Member("b", "b")),
            List.of(new Roster.Copies(List.of(0), List.of(1))));

    private final Hdtx protocol = new Hdtx();
    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private final Lane lane = session.lane();
    private Catalog catalog;
    private TableLayout table;
    private PoolRegions pool;

    @BeforeEach
    void load() {
        catalog = Catalog.open(
                        fabric, session, new PoolOptions("hdtx", 2, 1, 1 << 16, 8, 4096), FlushPolicy.NONE, ROSTER)
                .withRows(protocol::rows);
        table = catalog.table(Schema.parse("rows(n:long)"), ROWS);
        pool = new PoolRegions(lane, catalog);
        Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter());
        Txn txn = coordinator.begin();
        for (long key = 0; key < ROWS; key++) txn.insert(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        coordinator.close();
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    /**
     * Otherwise the filler would take a lock that it has got for a refused one: it would never free it, and wait for
     * itself for ever.
     */
    @Test
    void whoWaitsDoesNotMatter() {
        MemorySegment zeros = lane.landing(table.bucketBytes());
        long bucket = table.home(0);
        lane.round(1)
                .write(pool.replica(bucket, 1), Pointer.offset(bucket), table.bucketBytes(), zeros, 0)
                .post()
                .await();
        for (int slot = 0; slot < table.slots(); slot += 2) lock(bucket, slot, QueueWord.WAITED);

        long copied = fill();

        MemorySegment ours = read(bucket, 0);
        MemorySegment theirs = read(bucket, 1);
        assertTrue(copied > 1, "only " + copied + " objects were copied");
        for (int slot = 0; slot < table.slots(); slot++) {
            long at = table.slotOffset(slot);
            long lock = Words.plain(ours, at + ObjectLayout.LOCK);
            assertEquals(0, TxnId.of(lock), "slot " + slot + " is still locked");
            assertEquals(slot % 2 == 0 ? QueueWord.WAITED : 0, lock, "slot " + slot);
            long from = at + ObjectLayout.VERSION;
            long to = at + table.recordBytes();
            assertEquals(-1, MemorySegment.mismatch(ours, from, to, theirs, from, to), "slot " + slot);
        }
    }

    /**
     * The bit may stay set after a request has left its queue. It must not keep a client that does not queue from
     * locking the row.
     */
    @Test
    void aSpinningClientLocksARowForWhichOthersWait() {
        for (int slot = 0; slot < table.slots(); slot++) lock(table.home(0), slot, QueueWord.WAITED);
        Coordinator spinning = new Hdtx(HdtxOptions.DEFAULT.with(HdtxOptions.Locks.SPIN))
                .coordinator(session, catalog, new TxnCounter());

        Txn txn = spinning.begin();
        txn.update(table, 0);

        assertTrue(txn.execute(), () -> "refused: " + txn.abortReason());
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private void lock(long bucket, int slot, long word) {
        long at = Pointer.offset(bucket) + table.slotOffset(slot) + ObjectLayout.LOCK;
        lane.round(1).write(pool.primary(bucket), at, word).post().await();
    }

    private MemorySegment read(long bucket, int copy) {
        MemorySegment landed = lane.landing(table.bucketBytes());
        lane.round(1)
                .read(pool.replica(bucket, copy), Pointer.offset(bucket), table.bucketBytes(), landed, 0)
                .post()
                .await();
        return landed;
    }

    /** Fails if the filler is blocked by a lock for long. */
    private long fill() {
        try (ReplicaFill filler = protocol.fill(session, catalog, new TxnCounter())) {
            filler.fill(0, new ReplicaFill.Progress() {
                @Override
                public void at(long done, long total) {}

                @Override
                public void blocked() {
                    throw new AssertionError("the filler waits for a lock");
                }
            });
            return filler.copied();
        }
    }
}
