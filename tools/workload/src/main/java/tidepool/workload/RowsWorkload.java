package tidepool.workload;

import java.util.List;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.history.MicroOp;
import tidepool.spi.PoolAccess;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * A few contended rows that are read, updated, removed and inserted again, several at a time. Every row carries the id
 * of its writer. Every bucket carries the id of the last transaction that inserted or removed a row in it. So each
 * transaction knows which versions it read and which it replaced, and the checker of the history has to guess nothing.
 */
public final class RowsWorkload implements RecordedWorkload {
    /** Divides the number of rows. The buckets are too few for all rows, so chains overflow and the table grows. */
    private static final int CROWDED = 8;

    private static final long PARTITION = 1_000_000;

    final Tidepool pool;
    final Table<RecordedRow> records;
    final TableLayout table;
    final int keys;

    /**
     * Opens the rows of a pool. Creates their table if there is none.
     *
     * @param keys highest number of rows, from key 0 on
     */
    public RowsWorkload(Tidepool pool, String name, int keys) {
        Checks.argument(keys >= 2, "two rows or more");
        this.pool = pool;
        this.keys = keys;
        records = pool.table(name, RecordedRow.class, Math.max(1, keys / CROWDED));
        table = PoolAccess.layout(records.handle());
    }

    /** Records the splits of the table: each gives two buckets a new version. */
    @Override
    public void recordPool(Pen pen) {
        PoolAccess.splitListener(pool, new SplitRecorder(this, pen));
    }

    @Override
    public Client client(Pen pen, Randomness random) {
        return new RowClient(this, pen, random);
    }

    @Override
    public EventCounts readAll(Pen pen) {
        EventCounts eventCounts = new EventCounts();
        long process = pen.processes().getAsLong();
        for (int key = 0; key < keys; key++) {
            RowAttempt[] last = new RowAttempt[1];
            long begun = pen.recorder().tick();
            List<RowStep> steps = List.of(new RowStep(RowStep.Kind.READ, key, true));
            pool.transact(tx -> {
                last[0] = new RowAttempt(this, tx);
                last[0].run(steps);
            });
            pen.recorder().ok(pen.recorder().invoke(process, begun, last[0].operations()));
            eventCounts.add(last[0].operations().getFirst() instanceof MicroOp.NotFound ? "rows absent" : "rows left");
        }
        return eventCounts;
    }

    /** Returns the bucket on which an access depends: its partition, and its number there. */
    long bucketOf(Txn txn, int access) {
        return bucket(txn.bucket(access));
    }

    /** Returns the partition of a bucket, and its number there, by the place of its head. */
    long bucket(long head) {
        return Pointer.partition(head) * PARTITION + table.firstBucketNumber(head);
    }

    int declare(Txn txn, RowStep step) {
        return switch (step.kind()) {
            case READ -> txn.read(table, step.key());
            case UPDATE -> txn.update(table, step.key());
            case INSERT -> txn.insert(table, step.key());
            case PUT -> txn.put(table, step.key());
            case DELETE -> txn.delete(table, step.key());
        };
    }
}
