package tidepool.workload;

import java.util.List;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.check.history.MicroOp;
import tidepool.protocol.Txn;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/**
 * A few rows that everybody wants: they are read, updated, removed and made again, several at a time. Every row carries
 * the id of its writer, and buckets carry that of the last one who made or removed a row in them. So each transaction
 * knows which versions it saw and which it replaced, and nothing has to be guessed when the history is checked.
 */
public final class Rows implements RecordedWorkload {
    /** Fewer buckets than rows would need: they are shared, and some overflow. */
    private static final int CROWDED = 2;

    private static final long PARTITION = 1_000_000;

    final Tidepool pool;
    final Table<Row> records;
    final TableInfo table;
    final int keys;

    /**
     * The rows of a pool; their table is made if there is none.
     *
     * @param keys rows that there can be, from key 0 on
     */
    public Rows(Tidepool pool, String name, int keys) {
        Checks.argument(keys >= 2, "two rows or more");
        this.pool = pool;
        this.keys = keys;
        records = pool.table(name, Row.class, Math.max(1, keys / CROWDED));
        table = records.info();
    }

    @Override
    public Client client(Pen pen, Randomness random) {
        return new RowClient(this, pen, random);
    }

    @Override
    public Facts readAll(Pen pen) {
        Facts facts = new Facts();
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
            facts.add(last[0].operations().getFirst() instanceof MicroOp.NotFound ? "rows absent" : "rows left");
        }
        return facts;
    }

    /** The bucket of a key: its partition, and its number there. */
    long bucketOf(long key) {
        long home = table.home(key);
        long inTable = Pointer.offset(home) - table.base();
        return Pointer.partition(home) * PARTITION + inTable / table.bucketBytes();
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
