package tidepool.history;

import java.util.Arrays;

/** The transactions of a history in columns, numbered in the order of their invocations. */
final class Transactions {
    /** The completion index of a transaction that has none: it may take effect at any later time. */
    static final long NEVER = Long.MAX_VALUE;

    private static final byte OPEN = 0;

    private final LongColumn invoked = new LongColumn();
    private final LongColumn completed = new LongColumn();
    private final LongColumn processes = new LongColumn();
    private final ByteColumn outcomes = new ByteColumn();
    private final IntColumn invokeLines = new IntColumn();
    private final IntColumn completeLines = new IntColumn();
    private final IntColumn firstOps = new IntColumn();
    private final IntColumn endOps = new IntColumn();
    private int[] owners = {};

    int invoke(long index, long process, int line, int firstOp, int endOp) {
        invoked.add(index);
        completed.add(NEVER);
        processes.add(process);
        outcomes.add(OPEN);
        invokeLines.add(line);
        completeLines.add(-1);
        firstOps.add(firstOp);
        endOps.add(endOp);
        return outcomes.size() - 1;
    }

    void complete(int transaction, byte type, long index, int line) {
        outcomes.set(transaction, type);
        completeLines.set(transaction, line);
        if (type != EventParser.INFO) completed.set(transaction, index);
    }

    /** Sets the operations to those of the completion, with the results of the reads. */
    void results(int transaction, int firstOp, int endOp) {
        firstOps.set(transaction, firstOp);
        endOps.set(transaction, endOp);
    }

    /** Records the transaction of every operation; -1 for operations of invocations that their completions repeat. */
    int[] own(int ops) {
        owners = new int[ops];
        Arrays.fill(owners, -1);
        for (int t = 0; t < count(); t++) Arrays.fill(owners, firstOp(t), endOp(t), t);
        return owners;
    }

    int count() {
        return outcomes.size();
    }

    int owner(int op) {
        return owners[op];
    }

    boolean isOpen(int transaction) {
        return outcomes.at(transaction) == OPEN;
    }

    boolean isOk(int transaction) {
        return outcomes.at(transaction) == EventParser.OK;
    }

    boolean isFailed(int transaction) {
        return outcomes.at(transaction) == EventParser.FAIL;
    }

    /** Returns true for {@code info}, and for a transaction that had not completed when the recording ended. */
    boolean isUnknown(int transaction) {
        return outcomes.at(transaction) == EventParser.INFO || isOpen(transaction);
    }

    long invoked(int transaction) {
        return invoked.at(transaction);
    }

    long completed(int transaction) {
        return completed.at(transaction);
    }

    long process(int transaction) {
        return processes.at(transaction);
    }

    int invokeLine(int transaction) {
        return invokeLines.at(transaction);
    }

    /** Returns the place of the completion, or -1. */
    int completeLine(int transaction) {
        return completeLines.at(transaction);
    }

    int firstOp(int transaction) {
        return firstOps.at(transaction);
    }

    int endOp(int transaction) {
        return endOps.at(transaction);
    }
}
