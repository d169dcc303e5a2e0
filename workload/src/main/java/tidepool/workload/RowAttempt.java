package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.check.history.MicroOp;
import tidepool.protocol.Txn;

/** One attempt of a transaction on {@link Rows}: carries out its steps, and knows what it saw and is going to write. */
final class RowAttempt {
    private final Rows rows;
    private final Txn txn;
    private final List<MicroOp> operations = new ArrayList<>();

    RowAttempt(Rows rows, Txn txn) {
        this.rows = rows;
        this.txn = txn;
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
