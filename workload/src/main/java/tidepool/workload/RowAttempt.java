package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.Cell;
import tidepool.Transaction;
import tidepool.check.history.MicroOp;
import tidepool.protocol.Txn;

/** One attempt of a transaction on {@link Rows}: carries out its steps, and knows what it saw and is going to write. */
final class RowAttempt {
    private final Rows rows;
    private final Transaction transaction;
    private final Txn txn;
    private final List<MicroOp> operations = new ArrayList<>();

    RowAttempt(Rows rows, Transaction transaction) {
        this.rows = rows;
        this.transaction = transaction;
        this.txn = transaction.raw();
    }

    /** Waits. False if the attempt was aborted; whoever commits it is told so, too. */
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

    /** Carries out the steps one by one, through the API on records; that on fields only tells versions. Waits. */
    boolean runOnRecords(List<RowStep> steps) {
        for (RowStep step : steps) operations.add(onRecord(step));
        return true;
    }

    private MicroOp onRecord(RowStep step) {
        long key = step.key();
        Row found = rows.records.get(transaction, key);
        long version = found == null ? 0 : found.version();
        Row made = Row.of(key, txn.id());
        switch (step.kind()) {
            case READ -> {}
            case UPDATE -> {
                Cell<Row> cell = rows.records.update(transaction, key);
                if (cell.isPresent()) cell.set(made);
            }
            case INSERT -> {
                if (found == null) rows.records.insert(transaction, made);
            }
            case PUT -> rows.records.put(transaction, made);
            case DELETE -> rows.records.delete(transaction, key);
        }
        int access = txn.read(rows.table, key); // another look at the access that the record had
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

    /** What the steps so far saw and are going to write. */
    List<MicroOp> operations() {
        return operations;
    }

    private MicroOp look(RowStep step, int access) {
        long key = step.key();
        boolean found = txn.found(access);
        long version = found ? Row.version(txn.memory(), txn.value(access), key) : 0;
        if (!txn.writes(access))
            return found
                    ? MicroOp.readVersion(key, version)
                    : new MicroOp.NotFound(key, rows.bucketOf(key), txn.version(access));
        if (step.kind() == RowStep.Kind.DELETE)
            return new MicroOp.Remove(key, txn.id(), version, rows.bucketOf(key), txn.bucketVersion(access));
        Row.write(txn.memory(), txn.value(access), key, txn.id());
        return found
                ? MicroOp.write(key, txn.id(), version)
                : new MicroOp.Insert(key, txn.id(), rows.bucketOf(key), txn.bucketVersion(access));
    }
}
