package tidepool.evidence.litmus;

import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.Cell;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.spi.PoolAccess;
import tidepool.txn.AbortReason;

/**
 * One part of one round, as its scene sees it: the pool, the round's keys, the pool's clock, and notes of facts. The
 * examiner, which prepares rounds and examines their results, has one too.
 */
public final class Part {
    /** The value that {@link #get} returns for a key that does not exist. */
    public static final long ABSENT = -1;

    private final Tidepool pool;
    private final Tables tables;
    private final Gate gate;
    private final Runnable barrier;
    private final int number;
    private final long round;
    private final Notes notes = new Notes();
    private long quietTrips;
    private int attempt = 1;
    private boolean passed;

    Part(Tidepool pool, Tables tables, Gate gate, Runnable barrier, int number, long round) {
        this.pool = pool;
        this.tables = tables;
        this.gate = gate;
        this.barrier = barrier;
        this.number = number;
        this.round = round;
    }

    public int number() {
        return number;
    }

    /** Returns the number of the round, which is used once in this pool. */
    public long round() {
        return round;
    }

    public Tidepool pool() {
        return pool;
    }

    public Table<Row> rows() {
        return tables.rows();
    }

    public Table<Row> tight() {
        return tables.tight();
    }

    public Table<Large> large() {
        return tables.large();
    }

    public long key(int i) {
        return Tables.key(PoolAccess.layout(rows().handle()), round, i);
    }

    /** Returns the i-th key of the round in the bucket of the given key. */
    public long inBucketOf(long key, int i) {
        return Tables.inBucketOf(PoolAccess.layout(rows().handle()), round, key, i);
    }

    public long tightKey(int bucket, int i) {
        return tables.tightKey(round, bucket, i);
    }

    public long largeKey() {
        return Tables.key(PoolAccess.layout(large().handle()), round % Tables.LARGE_ROUNDS, (int) (round % 2));
    }

    // ---- transactions

    /**
     * Waits for all other parts. The plan applies after it. A transaction that is tried again passes without a wait.
     */
    public void barrier() {
        if (passed) return;
        passed = true;
        barrier.run();
    }

    /** Reads keys, so that their addresses are cached and the cost of an undisturbed read is known. */
    public void warm(long... keys) {
        for (long key : keys)
            for (int i = 0; i < 2; i++)
                pool.compute(tx -> {
                    get(tx, key);
                    return quietTrips = tx.roundTrips();
                });
    }

    /** Runs a transaction until it commits. Notes how often it was refused. */
    public void transact(Consumer<Transaction> body) {
        compute(tx -> {
            body.accept(tx);
            return null;
        });
    }

    public <R> R compute(Function<Transaction, R> body) {
        attempt = 0;
        try {
            return pool.compute(tx -> {
                if (attempt++ > 0) notes.add("refused", 1);
                return body.apply(tx);
            });
        } finally {
            attempt = 1;
        }
    }

    /** Runs a transaction that reads one key. Notes as met if another part was in the way. */
    public long read(long key) {
        return compute(tx -> {
            long value = get(tx, key);
            if (tx.roundTrips() > quietTrips || attempt > 1) notes.add("met", 1);
            return value;
        });
    }

    /** Reads the value of a key at once. */
    public long get(Transaction tx, long key) {
        Row row = rows().get(tx, key);
        return row == null ? ABSENT : whole(row);
    }

    /** Returns the value of a cell, which is read in one trip with all others that were declared. */
    public long get(Cell<Row> cell) {
        return cell.isPresent() ? whole(cell.get()) : ABSENT;
    }

    private static long whole(Row row) {
        if (!row.isWhole()) throw new Forbidden("half a value: " + row);
        return row.value();
    }

    public void set(Transaction tx, long key, long value) {
        rows().update(tx, key).set(Row.of(key, value));
    }

    public void insert(Transaction tx, long key, long value) {
        rows().insert(tx, Row.of(key, value));
    }

    // ---- facts

    public void note(String name, long value) {
        notes.put(name, value);
    }

    public long noted(String name, long otherwise) {
        return notes.get(name, otherwise);
    }

    public void count(String name) {
        notes.add(name, 1);
    }

    /**
     * Notes the time by the pool's clock. For a transaction that is tried again, the time of its first attempt stays.
     */
    public void tick(String name) {
        if (attempt > 1 && notes.has(name)) return;
        gate.aside(() -> notes.put(name, PoolAccess.historyTick(pool)));
    }

    /** Recovers dead sessions, and notes what was repaired. Waits for the recovery. */
    public void recover() {
        pool.setListener(new PoolListener() {
            @Override
            public void recovered(RecoveryReport report) {
                notes.add("recovered", 1);
                notes.add("finished", report.finished());
                notes.add("undone", report.undone());
                notes.add("freed", report.locksFreed());
            }
        });
        if (gate != null) gate.awaitTurn(); // the list of dead sessions is read without a verb
        pool.recoverAll();
    }

    /** Returns how often this process was ever refused for this reason. */
    public long aborts(AbortReason reason) {
        return pool.statistics().aborts(reason);
    }

    Notes notes() {
        return notes;
    }
}
