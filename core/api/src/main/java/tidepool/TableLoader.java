package tidepool;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.schema.FieldRow;
import tidepool.schema.Schema;
import tidepool.spi.FieldRows;
import tidepool.store.TableLayout;

/**
 * A load of many rows into a table, next to other transactions. Rows are committed in batches, each of which is one
 * transaction:
 *
 * <pre>{@code
 * try (TableLoader<Account> loader = accounts.loader()) {
 *     for (Account account : source) loader.add(account);
 *     loader.finish();
 * }
 * }</pre>
 *
 * <p>Batches are committed in the order of their rows. So if a load ends early, the rows up to {@link #rowsLoaded} are
 * in the table and no later one is, wherever the process died. A batch is as large as the log of a transaction allows,
 * and becomes smaller where it meets other transactions again and again. A load keeps at most one batch in memory. The
 * parts of long contents belong to the batch of their row.
 *
 * <p>A load with a name is resumed after a crash: {@link #resume}.
 *
 * <p>A loader belongs to the thread or strand that made it, and keeps a coordinator of the pool until it is closed.
 */
public final class TableLoader<R> implements AutoCloseable {
    private final Tidepool pool;
    private final Table<?> rows; // only its place and its parts count
    private final TableLayout table;
    private final LoadWriter<R> writer;
    private Duplicates duplicates = Duplicates.REFUSE;
    private String name;
    private boolean resumes;
    private int asked = LoadBatch.MAX_ROWS;
    private int most = asked; // grows back slowly after a batch that was too large

    // ---- from the first row on
    private LoadBatch batch;
    private LoadPosition position;
    private long checksum;
    private long added;
    private long loaded;
    private long before;
    private long existing;
    private long refused;
    private boolean failed;
    private boolean closed;

    TableLoader(Tidepool pool, Table<?> rows, LoadWriter<R> writer) {
        this.pool = pool;
        this.rows = rows;
        this.table = rows.layout();
        this.writer = writer;
    }

    /** Returns a loader on fields. */
    static <R> TableLoader<R> ofFields(Tidepool pool, Table<?> rows, RowWriter<R> writer) {
        if (writer == null) throw new NullPointerException("a writer of rows is needed: table=" + rows.name());
        if (rows.contents() != null)
            return ofRows(pool, rows, (row, key, value) -> writer.write(row, key, value.memory(), 0));
        return new TableLoader<>(pool, rows, (row, key, memory, value) -> {
            writer.write(row, key, memory, value);
            return null;
        });
    }

    /** Returns a loader on fields, of rows with their long contents. */
    static <R> TableLoader<R> ofRows(Tidepool pool, Table<?> rows, FieldRows.Writer<R> writer) {
        if (writer == null) throw new NullPointerException("a writer of rows is needed: table=" + rows.name());
        Schema schema = rows.layout().schema();
        return new TableLoader<>(pool, rows, (row, key, memory, value) -> {
            FieldRow written = new FieldRow(schema);
            writer.write(row, key, written);
            if (rows.contents() != null) return written.image();
            MemorySegment.copy(written.memory(), 0, memory, value, schema.length());
            return null;
        });
    }

    // ---- settings, before the first row

    /** Sets what happens with a key that exists; without this call it is refused. Called before the first row. */
    public TableLoader<R> onDuplicate(Duplicates what) {
        if (what == null) throw new NullPointerException("what happens with duplicates: REFUSE, SKIP or REPLACE");
        requireNotBegun();
        duplicates = what;
        return this;
    }

    /** Sets the maximum number of rows of a batch, 1 to 256, which is the default. Called before the first row. */
    public TableLoader<R> batch(int rows) {
        if (rows < 1 || rows > LoadBatch.MAX_ROWS)
            throw new IllegalArgumentException("a batch has 1 to " + LoadBatch.MAX_ROWS + " rows: rows=" + rows);
        requireNotBegun();
        asked = rows;
        most = rows;
        return this;
    }

    /**
     * Gives the load a name, under which it can be resumed, and begins it with the first row, also if a load of this
     * name was begun before. Called before the first row.
     *
     * @param newName at most 64 bytes of UTF-8; the pool keeps it for ever
     */
    public TableLoader<R> named(String newName) {
        requireNotBegun();
        name = requireName(newName);
        resumes = false;
        return this;
    }

    /**
     * Resumes the load of a name, or begins it if there is none. Add all rows again, from the first one, in the same
     * order: the loader passes over those that are in the table, {@link #rowsBefore} in number, exactly. It notices
     * rows that differ from those that it was given then, and writes nothing in that case.
     *
     * <p>A loader that is still at work on the load, in another process, is refused its next batch. Called before the
     * first row.
     */
    public TableLoader<R> resume(String oldName) {
        requireNotBegun();
        name = requireName(oldName);
        resumes = true;
        return this;
    }

    private static String requireName(String given) {
        if (given == null || given.isEmpty()) throw new IllegalArgumentException("a load has a name");
        return given;
    }

    private void requireNotBegun() {
        if (batch != null || closed) throw new IllegalStateException("the load has begun: table=" + table.name());
    }

    // ---- rows

    /**
     * Adds a row. Commits a batch if there are rows enough, and waits for that. If the row is refused, because it does
     * not fit its table, it is not added, and the load may go on.
     */
    public void add(R row) {
        begin();
        batch.add(row, writer, checksum);
        added++;
        checksum = batch.checksum(batch.count() - 1);
        if (added <= before) {
            batch.drop(batch.count());
            if (added == before) requireSameRows();
        } else if (batch.isFull(most)) {
            flush();
        }
    }

    private void begin() {
        if (closed) throw new IllegalStateException("the loader was closed: table=" + table.name());
        if (failed) throw new IllegalStateException("the load has failed: table=" + table.name());
        if (batch != null) return;
        if (duplicates == Duplicates.REPLACE && rows.isMapped() && rows.contents() == null)
            throw new IllegalArgumentException("table " + table.name() + " has another schema than the record class, so"
                    + " a loader would overwrite attributes that the class lacks: put its records with its Table");
        long start = Checksum64.start(table.name().hashCode());
        position = name == null ? null : LoadPosition.take(pool, name, resumes, start);
        before = position == null ? 0 : position.rows();
        loaded = before;
        checksum = start;
        batch = rows.contents() == null
                ? new PlainBatch(pool, table, duplicates, position)
                : new ContentBatch(pool, rows, duplicates, position);
    }

    private void requireSameRows() {
        if (checksum == position.checksum()) return;
        failed = true;
        throw new IllegalStateException("the first rows are not those of the load that is to be resumed: load=" + name
                + " table=" + table.name() + " rows=" + before);
    }

    /** Commits the rows that were added, and waits for that. */
    public void flush() {
        begin();
        while (batch.count() > 0) commit(Math.min(batch.count(), most));
    }

    /**
     * Commits the rows that are left, and waits for that. A resumed load that was given fewer rows than it had before
     * ends with an {@link IllegalStateException}.
     */
    public void finish() {
        flush();
        if (added >= before) return;
        failed = true;
        throw new IllegalStateException("the load that is to be resumed had more rows: load=" + name + " table="
                + table.name() + " rows=" + before + " added=" + added);
    }

    /** Commits the first rows of the batch. If they are too many for a transaction, commits nothing, and sees to it. */
    private void commit(int count) {
        boolean ended = false;
        try {
            if (!batch.commit(count, loaded)) throw refusal();
            loaded += count;
            existing += batch.existing();
            batch.drop(count);
            if (most < asked) most++;
            ended = true;
        } catch (TransactionTooLargeException | ConflictException e) {
            if (count == 1) throw e;
            most = count / 2;
            ended = true;
        } finally {
            failed = !ended;
        }
    }

    private RuntimeException refusal() {
        if (batch.isTaken())
            return new IllegalStateException(
                    "another loader has taken the load over: load=" + name + " table=" + table.name());
        int row = batch.duplicate();
        refused = loaded + row + 1;
        return new DuplicateKeyException("the key exists: table=" + table.name() + " key=" + batch.key(row) + " row="
                + refused + " rowsLoaded=" + loaded);
    }

    // ---- counts

    /** Returns how many rows were added. */
    public long rowsAdded() {
        return added;
    }

    /** Returns how many rows were committed, by this loader or by one before it: the first rows of the load. */
    public long rowsLoaded() {
        return loaded;
    }

    /** Returns how many rows were committed before this loader resumed the load; 0 before the first row was added. */
    public long rowsBefore() {
        return before;
    }

    /** Returns the number of the row, from 1, that was refused because its key existed; 0 if none was. */
    public long rowRefused() {
        return refused;
    }

    /** Returns how many of the rows that this loader committed had keys that existed: skipped or replaced rows. */
    public long rowsExisting() {
        return existing;
    }

    /** Ends the load. Rows that were not committed by {@link #finish} or {@link #flush} are dropped. */
    @Override
    public void close() {
        if (closed) return;
        closed = true;
        if (batch != null) batch.close();
    }
}
