package tidepool.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tidepool.Cell;
import tidepool.Transaction;
import tidepool.history.MicroOp;
import tidepool.txn.Txn;

/**
 * One attempt of a transaction on {@link RowsWorkload}. Carries out its steps, and keeps the versions that it read and
 * is going to write.
 */
final class RowAttempt {
    private final RowsWorkload rows;
    private final Transaction transaction;
    private final Txn txn;
    private final List<MicroOp> operations = new ArrayList<>();
    private final Map<Long, OwnRow> ownRows = new LinkedHashMap<>();
    private long ownWritesSeen;

    /** A row as the steps so far have found and left it. */
    private static final class OwnRow {
        final long key;

        /** The version that the first step has found; 0 if there was no row. */
        final long before;

        final boolean was;
        boolean is;
        boolean written;
        boolean changesBucket;

        OwnRow(long key, long before, boolean was) {
            this.key = key;
            this.before = before;
            this.was = was;
            this.is = was;
        }
    }

    RowAttempt(RowsWorkload rows, Transaction transaction) {
        this.rows = rows;
        this.transaction = transaction;
        this.txn = transaction.raw();
    }

    /**
     * Carries out the steps and waits for their rounds. Returns false if the attempt was aborted; the commit reports
     * the abort, too.
     */
    boolean run(List<RowStep> steps) {
        int[] accesses = new int[steps.size()];
        int done = 0;
        for (int i = 0; i < accesses.length; i++) {
            accesses[i] = rows.declare(txn, steps.get(i));
            if (!steps.get(i).now() && i + 1 < accesses.length) continue;
            if (!txn.execute()) return false;
            for (; done <= i; done++) operations.add(look(steps.get(done), accesses[done]));
        }
        return true;
    }

    /**
     * Carries out the steps one by one through the API on records, and waits for each. A key may come again: every step
     * has to see what earlier steps of this transaction have done to it. Keeps one operation for each key, the net
     * effect of its steps. The API on fields is used only to read versions.
     */
    boolean runOnRecords(List<RowStep> steps) {
        for (RowStep step : steps) onRecord(step);
        for (OwnRow row : ownRows.values()) operations.add(netEffect(row));
        return true;
    }

    private void onRecord(RowStep step) {
        long key = step.key();
        RecordedRow found = rows.records.get(transaction, key);
        OwnRow own = ownRows.get(key);
        if (own == null) {
            own = new OwnRow(key, found == null ? 0 : found.version(), found != null);
            ownRows.put(key, own);
        }
        requireOwn(own, found == null, found == null ? 0 : found.version(), step);
        RecordedRow made = RecordedRow.of(key, txn.id());
        switch (step.kind()) {
            case READ -> {}
            case UPDATE -> {
                Cell<RecordedRow> cell = rows.records.update(transaction, key);
                if (own.written) requireOwn(own, !cell.isPresent(), txn.id(), step);
                if (cell.isPresent()) cell.set(made);
                own.written |= cell.isPresent();
            }
            case INSERT -> {
                if (found == null) create(own, () -> rows.records.insert(transaction, made));
            }
            case PUT -> create(own, () -> rows.records.put(transaction, made));
            case DELETE -> delete(own, step);
        }
    }

    private static void create(OwnRow own, Runnable change) {
        change.run();
        own.changesBucket |= !own.is;
        own.written = true;
        own.is = true;
    }

    private void delete(OwnRow own, RowStep step) {
        Cell<RecordedRow> cell = rows.records.delete(transaction, own.key);
        if (own.written) requireOwn(own, !cell.isPresent(), txn.id(), step);
        if (!own.is) return;
        own.changesBucket = true;
        own.written = true;
        own.is = false;
    }

    /** A step after a write of this transaction has to see that write, even if the attempt cannot commit any more. */
    private void requireOwn(OwnRow own, boolean absent, long version, RowStep step) {
        if (!own.written) return;
        ownWritesSeen++;
        if (absent == own.is || own.is && version != txn.id())
            throw new IllegalStateException("a transaction does not see its own write: step=" + step + " saw="
                    + (absent ? "nothing" : "version " + version) + " wrote="
                    + (own.is ? "version " + txn.id() : "a deletion"));
    }

    private MicroOp netEffect(OwnRow own) {
        // The bucket has a new version. The history has words for that only if the row was made or removed.
        if (own.changesBucket && own.is == own.was) {
            if (own.was) rows.records.delete(transaction, own.key);
            else rows.records.put(transaction, RecordedRow.of(own.key, txn.id()));
            own.is = !own.was;
        }
        long key = own.key;
        int access = txn.read(rows.table, key); // reads the access of the record once more
        transaction.execute();
        if (!own.written)
            return txn.found(access)
                    ? MicroOp.readVersion(key, own.before)
                    : new MicroOp.NotFound(key, rows.bucketOf(txn, access), txn.version(access));
        if (!own.is)
            return new MicroOp.Remove(key, txn.id(), own.before, rows.bucketOf(txn, access), txn.bucketVersion(access));
        return own.was
                ? MicroOp.write(key, txn.id(), own.before)
                : new MicroOp.Insert(key, txn.id(), rows.bucketOf(txn, access), txn.bucketVersion(access));
    }

    /** Returns how often a step met a row that an earlier step of this transaction had written or deleted. */
    long ownWritesSeen() {
        return ownWritesSeen;
    }

    /** Returns the versions that the steps so far read and are going to write. */
    List<MicroOp> operations() {
        return operations;
    }

    private MicroOp look(RowStep step, int access) {
        long key = step.key();
        boolean found = txn.found(access);
        long version = found ? RecordedRow.version(txn.memory(), txn.value(access), key) : 0;
        if (!txn.writes(access))
            return found
                    ? MicroOp.readVersion(key, version)
                    : new MicroOp.NotFound(key, rows.bucketOf(txn, access), txn.version(access));
        if (step.kind() == RowStep.Kind.DELETE)
            return new MicroOp.Remove(key, txn.id(), version, rows.bucketOf(txn, access), txn.bucketVersion(access));
        RecordedRow.write(txn.memory(), txn.value(access), key, txn.id());
        return found
                ? MicroOp.write(key, txn.id(), version)
                : new MicroOp.Insert(key, txn.id(), rows.bucketOf(txn, access), txn.bucketVersion(access));
    }
}
