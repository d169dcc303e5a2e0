package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
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
     * Carries out the steps one by one through the API on records, and waits for each. The API on fields is used only
     * to read versions.
     */
    boolean runOnRecords(List<RowStep> steps) {
        for (RowStep step : steps) operations.add(onRecord(step));
        return true;
    }

    private MicroOp onRecord(RowStep step) {
        long key = step.key();
        RecordedRow found = rows.records.get(transaction, key);
        long version = found == null ? 0 : found.version();
        RecordedRow made = RecordedRow.of(key, txn.id());
        switch (step.kind()) {
            case READ -> {}
            case UPDATE -> {
                Cell<RecordedRow> cell = rows.records.update(transaction, key);
                if (cell.isPresent()) cell.set(made);
            }
            case INSERT -> {
                if (found == null) rows.records.insert(transaction, made);
            }
            case PUT -> rows.records.put(transaction, made);
            case DELETE -> rows.records.delete(transaction, key);
        }
        int access = txn.read(rows.table, key); // reads the access of the record once more
        transaction.execute();
        boolean there = txn.found(access);
        boolean writes =
                step.kind() != RowStep.Kind.READ && (found == null ? there : step.kind() != RowStep.Kind.INSERT);
        if (!writes)
            return there
                    ? MicroOp.readVersion(key, version)
                    : new MicroOp.NotFound(key, rows.bucketOf(key), txn.version(access));
        if (!there) return new MicroOp.Remove(key, txn.id(), version, rows.bucketOf(key), txn.bucketVersion(access));
        return found != null
                ? MicroOp.write(key, txn.id(), version)
                : new MicroOp.Insert(key, txn.id(), rows.bucketOf(key), txn.bucketVersion(access));
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
                    : new MicroOp.NotFound(key, rows.bucketOf(key), txn.version(access));
        if (step.kind() == RowStep.Kind.DELETE)
            return new MicroOp.Remove(key, txn.id(), version, rows.bucketOf(key), txn.bucketVersion(access));
        RecordedRow.write(txn.memory(), txn.value(access), key, txn.id());
        return found
                ? MicroOp.write(key, txn.id(), version)
                : new MicroOp.Insert(key, txn.id(), rows.bucketOf(key), txn.bucketVersion(access));
    }
}
