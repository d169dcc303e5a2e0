package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.schema.Fields;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/**
 * A pool in memory with a table that has grown, and of which the next transaction splits a known bucket before it
 * begins. A test chooses the verb of another transaction at which that happens.
 */
final class SplitStage implements AutoCloseable {
    private static final int MAX_ROWS = 400;

    /** A row so long that a bucket has two slots. */
    record Row(@Key long id, long value, @Length(400) byte[] text) {
        static Row of(long id) {
            return new Row(id, id, new byte[400]);
        }
    }

    /**
     * The split.
     *
     * @param rows are inserted before the transaction that carries it out
     * @param size number of first buckets before it
     * @param moved keys of rows that it moves, of which one lies in an overflow bucket
     * @param stays keys of the bucket, not in use, that it does not move
     * @param goes keys of the bucket, not in use, that it moves
     */
    record Plan(int rows, long size, List<Long> moved, List<Long> stays, List<Long> goes) {
        /** Finds a split after the table has grown. It is repeated by every pool into which the same rows are put. */
        static Plan of(String protocol) {
            try (SplitStage stage = new SplitStage(protocol)) {
                for (int i = 0; i < MAX_ROWS; i++) {
                    Plan plan = stage.next(i);
                    stage.insert(i);
                    boolean split = stage.layout.size(0) == plan.size + 1;
                    if (split && stage.layout.areaCount() > 2 && plan.moved.size() > 1) return plan;
                }
            }
            throw new AssertionError("no bucket with rows to move is split");
        }
    }

    final CuttingFabric fabric;
    final Tidepool pool;
    final Table<Row> rows;
    final TableLayout layout;

    /** The session of the pool. */
    final int session;

    private final Fabric memory = Fabric.open("mem:?nodes=2");
    private final PoolOptions options;
    private final String protocol;
    private final Worker worker;
    private final TreeMap<Long, Long> expected = new TreeMap<>();

    SplitStage(String protocol) {
        this.protocol = protocol;
        fabric = new CuttingFabric(memory);
        Protocol made = Protocols.named(protocol);
        options = new PoolOptions(made.name(), 2, 1, 4 << 20, 8, 64 * 1024);
        pool = PoolAccess.open(fabric, options, made);
        session = fabric.control(0).sessions()[0];
        rows = pool.table("rows", Row.class, 1);
        layout = PoolAccess.layout(rows.handle());
        worker = pool.worker(); // has a coordinator that makes no wishes
    }

    /** Makes a pool in which the next transaction that may write splits a bucket. */
    SplitStage(String protocol, Plan plan) {
        this(protocol);
        for (int i = 0; i < plan.rows; i++) insert(i);
        assertEquals(plan.size, layout.size(0), "the split is repeated");
    }

    private Plan next(int inserted) {
        long size = layout.size(0);
        List<Long> moved = new ArrayList<>();
        List<Long> stays = new ArrayList<>();
        List<Long> goes = new ArrayList<>();
        if (!layout.hasGrown() || size >= layout.bucketRoom()) return new Plan(inserted, size, moved, stays, goes);
        long bucket = layout.firstBucket(0, layout.nextSplit(size));
        int depth = layout.depthOfNextSplit(size);
        for (long id = 0; id < inserted; id++)
            if (layout.home(id) == bucket && layout.isMoved(id, depth)) moved.add(id);
        for (long id = 1_000_000; stays.size() < 3 * layout.slots() || goes.isEmpty(); id++)
            if (layout.home(id) == bucket) (layout.isMoved(id, depth) ? goes : stays).add(id);
        return new Plan(inserted, size, moved, stays, goes);
    }

    /** Opens the pool once more, under a protocol in which a bug may be planted. */
    Tidepool another(Protocol its) {
        return PoolAccess.open(fabric, options, its);
    }

    void insert(long... ids) {
        pool.transact(tx -> {
            for (long id : ids) rows.insert(tx, Row.of(id));
        });
        for (long id : ids) expected.put(id, id);
    }

    /** Adds one to a row by a coordinator of its own, which splits nothing. */
    void add(long id) {
        Fields.LongField value = rows.handle().schema().longField("value");
        boolean done = worker.transact(txn -> {
            int access = txn.update(rows.handle(), id);
            if (!txn.execute()) return false;
            value.set(txn.memory(), txn.value(access), value.get(txn.memory(), txn.value(access)) + 1);
            return true;
        });
        assertTrue(done);
        expected.merge(id, 1L, Long::sum);
    }

    long overflowBuckets() {
        return PoolAccess.usage(pool, rows.handle(), Long.MAX_VALUE).overflowBuckets();
    }

    /** Checks that every row is there once, with its value, in a scan and by its key. */
    void check() {
        TreeMap<Long, Long> seen = new TreeMap<>();
        rows.forEach(row -> assertTrue(seen.put(row.id, row.value) == null, row.id + " is there twice"));
        assertEquals(expected, seen, protocol);
        try (Tidepool fresh = another(Protocols.named(protocol))) {
            Table<Row> its = fresh.table("rows", Row.class, 1);
            for (long id : expected.keySet()) assertNotNull(fresh.read(tx -> its.get(tx, id)), id + " is not found");
        }
    }

    @Override
    public void close() {
        worker.close();
        pool.close();
        memory.close();
    }
}
