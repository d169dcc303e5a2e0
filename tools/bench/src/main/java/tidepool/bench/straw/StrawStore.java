package tidepool.bench.straw;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import tidepool.base.Checks;
import tidepool.protocol.Coordinator;
import tidepool.schema.EightByteKeys;
import tidepool.store.TableLayout;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.RowSource;
import tidepool.workload.measured.TableSpec;

/**
 * {@code straw}: a {@link ConcurrentHashMap} for each table of a workload, and 65,536 locks for all of them, chosen by
 * table and key.
 *
 * <pre>{@code
 * StrawStore store = new StrawStore(workload.tables());
 * try (StrawSink rows = store.sink()) { workload.load(rows, 0, 1); }
 * WorkloadClient client = workload.client(store.tables(), 0, 1, seed);
 * Coordinator coordinator = store.coordinator();          // one for each thread; then as with any protocol
 * …
 * workload.check(store.source(), book);
 * }</pre>
 *
 * @see MeasuredWorkload
 */
public final class StrawStore {
    /**
     * A high number, because a transaction of TPC-C holds hundreds of locks: with few stripes unrelated transactions
     * would conflict.
     */
    private static final int STRIPES = 1 << 16;

    private static final long MAX_AT_FIRST = 1 << 24;

    private final List<TableLayout> tables;
    private final List<ConcurrentHashMap<StrawKey, StrawRow>> rows = new ArrayList<>();
    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];
    /**
     * The last transaction that inserted or deleted a key of a stripe, guarded by its lock. A stripe corresponds to a
     * bucket of Tidepool.
     */
    private final long[] bucketVersions = new long[STRIPES];

    private final AtomicInteger coordinators = new AtomicInteger();

    public StrawStore(List<TableSpec> specs) {
        Checks.argument(!specs.isEmpty(), "a store has at least one table");
        List<TableLayout> layouts = new ArrayList<>();
        for (TableSpec spec : specs) {
            layouts.add(new TableLayout(layouts.size(), spec.schema(), 1, 1, 1, 0, 0));
            rows.add(new ConcurrentHashMap<>((int) Math.min(spec.rows(), MAX_AT_FIRST)));
        }
        tables = List.copyOf(layouts);
        for (int i = 0; i < STRIPES; i++) locks[i] = new ReentrantLock();
    }

    /** Returns the tables, in the order in which they were given. Only their number and schema have a meaning. */
    public List<TableLayout> tables() {
        return tables;
    }

    /**
     * Returns a coordinator for one thread, which begins and ends its transactions itself, because a thread owns its
     * locks.
     */
    public Coordinator coordinator() {
        return new StrawCoordinator(this, coordinators.incrementAndGet());
    }

    /** Returns a sink for initial rows, for one thread. Several threads may write at once. */
    public StrawSink sink() {
        return new StrawSink(this);
    }

    /** Returns a reader of rows for checks, when no client works. */
    public RowSource source() {
        return new StrawSource(this);
    }

    /** Describes the store in a few words, for the report. */
    public String settings() {
        return "ConcurrentHashMap per table, " + STRIPES + " striped locks, one process, no logs, no replicas, "
                + "nothing survives a crash";
    }

    ConcurrentHashMap<StrawKey, StrawRow> rows(int table) {
        return rows.get(table);
    }

    int stripe(int table, long key) {
        return (int) EightByteKeys.hash(key, table) & STRIPES - 1;
    }

    ReentrantLock lock(int stripe) {
        return locks[stripe];
    }

    long bucketVersion(int stripe) {
        return bucketVersions[stripe];
    }

    void bucketVersion(int stripe, long id) {
        bucketVersions[stripe] = id;
    }
}
