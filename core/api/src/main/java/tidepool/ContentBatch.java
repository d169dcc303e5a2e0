package tidepool;

import java.util.Arrays;
import tidepool.base.Checksum64;
import tidepool.schema.RowImage;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.txn.Txn;

/**
 * A batch of rows with long attributes. Their parts are written by the transaction of the batch, and those of replaced
 * rows are deleted by it, by the means of the typed table: {@link TxnContents}.
 */
final class ContentBatch extends LoadBatch {
    /** The bytes in parts that make a batch full: larger transactions do not make a byte cheaper. */
    private static final long MAX_CONTENT_BYTES = 1L << 20;

    private final Tidepool pool;
    private final Table<?> rows;
    private final RowImage[] images;
    private long contentBytes;
    private Transaction transaction; // of the attempt

    ContentBatch(Tidepool pool, Table<?> rows, Duplicates duplicates, LoadPosition position) {
        super(rows.layout(), duplicates, position);
        this.pool = pool;
        this.rows = rows;
        this.images = new RowImage[keys.length];
    }

    @Override
    boolean isFull(int most) {
        return super.isFull(most) || contentBytes >= MAX_CONTENT_BYTES;
    }

    @Override
    <R> long write(int at, R row, LoadWriter<R> writer, long checksum) {
        RowImage image = writer.write(row, keys[at], null, 0);
        long sum = Checksum64.mix(checksum, keys[at].word()); // and a key with a part that is missing is refused
        images[at] = image;
        contentBytes += image.contentBytes();
        return image.checksum(sum);
    }

    @Override
    boolean transact() {
        try {
            pool.transact(this::attempt);
            return true;
        } catch (Rollback e) {
            return false;
        } finally {
            transaction = null;
        }
    }

    /**
     * Runs one attempt, which gives the rows references of its own. Parts are declared with their rows, in the same
     * round trips. Where rows that exist are kept, parts come after the rows: only then is it known which are needed.
     */
    private void attempt(Transaction tx) {
        transaction = tx;
        declare(tx.txn());
        if (!isLate()) for (int i = 0; i < wanted(); i++) write(rows, i);
        tx.execute();
        if (!writeAll(tx.txn())) throw new Rollback("the batch is given up: table=" + table.name());
    }

    private boolean isLate() {
        return duplicates == Duplicates.SKIP;
    }

    @Override
    void put(int row, Txn txn) {
        if (isLate()) write(rows, row);
    }

    /** Writes a row into the transaction. A key that exists is found out by the batch, which knows its row. */
    private <T extends Record> void write(Table<T> of, int row) {
        RowKey parts = table.schema().key().isLong() ? null : keys[row];
        Table.Binding<T> bound = of.bound(transaction.attempt());
        if (bound.layout().id() != table.id())
            throw new StoreException(
                    StoreException.Reason.MISMATCH,
                    "table " + table.name() + " was altered while rows were loaded: begin again; stored="
                            + bound.layout().schema() + " here=" + table.schema());
        transaction.write(new PendingWrite<>(
                of, bound, keys[row].word(), parts, accesses[row], PendingWrite.Kind.PUT, null, images[row]));
    }

    @Override
    void dropValues(int count, int of) {
        for (int i = 0; i < count; i++) contentBytes -= images[i].contentBytes();
        System.arraycopy(images, count, images, 0, of - count);
        Arrays.fill(images, of - count, of, null);
    }

    @Override
    public void close() {}
}
