package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.txn.Txn;

/**
 * How far a named load is, in a row of the pool that every batch changes in its own transaction. So the row says what
 * is in the table, wherever the process died.
 *
 * <p>The row names its loader by the id of the transaction that took it over. A batch of another loader is refused:
 * otherwise two processes that resume one load would load its rows twice.
 */
final class LoadPosition {
    /** The table of all named loads of a pool. */
    static final String TABLE = "_loads";

    static final long ROWS = 1_000;

    /**
     * A load in the pool.
     *
     * @param owner the id of the transaction by which its loader began
     * @param rows the rows that are committed
     * @param checksum the state of the checksum after those rows
     */
    record Row(@Key @Length(64) String name, long owner, long rows, long checksum) {}

    private final Table<Row> loads;
    private final RowKey key;
    private final LongField ownerField;
    private final LongField rowsField;
    private final LongField checksumField;
    private final long owner;
    private final long rows;
    private final long checksum;
    private int access;

    private LoadPosition(Table<Row> loads, Row row) {
        Schema schema = loads.handle().schema();
        this.loads = loads;
        this.key = loads.key(row.name());
        this.ownerField = schema.longField("owner");
        this.rowsField = schema.longField("rows");
        this.checksumField = schema.longField("checksum");
        this.owner = row.owner();
        this.rows = row.rows();
        this.checksum = row.checksum();
    }

    /**
     * Takes the load of a name over, from its last position or from the first row. Waits for the pool.
     *
     * @param start the checksum of no rows
     */
    static LoadPosition take(Tidepool pool, String name, boolean resumes, long start) {
        if (name == null || name.isEmpty()) throw new IllegalArgumentException("a load has a name");
        Table<Row> loads = pool.table(TABLE, Row.class, ROWS);
        loads.key(name); // refuses a name that is too long
        return new LoadPosition(loads, pool.compute(tx -> {
            Row fresh = new Row(name, tx.id(), 0, start);
            return loads.upsert(
                    tx, fresh, known -> resumes ? new Row(name, tx.id(), known.rows(), known.checksum()) : fresh);
        }));
    }

    /** Returns the rows that were committed when this loader took the load over. */
    long rows() {
        return rows;
    }

    /** Returns the checksum of those rows. */
    long checksum() {
        return checksum;
    }

    /** Declares, in the transaction of a batch, that the position changes. */
    void declare(Txn txn) {
        access = txn.update(loads.handle(), key);
    }

    /**
     * Writes the position after a batch, once the accesses are carried out. Returns false if the row is not as this
     * loader left it.
     */
    boolean advance(Txn txn, long from, long to, long newChecksum) {
        if (!txn.found(access)) return false;
        MemorySegment memory = txn.memory();
        long row = txn.value(access);
        if (ownerField.get(memory, row) != owner || rowsField.get(memory, row) != from) return false;
        rowsField.set(memory, row, to);
        checksumField.set(memory, row, newChecksum);
        return true;
    }
}
