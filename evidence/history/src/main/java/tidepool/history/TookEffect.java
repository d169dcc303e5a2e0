package tidepool.history;

/**
 * The transactions that took effect: those that are ok, and those of unknown outcome of which a transaction that took
 * effect has seen a write.
 */
final class TookEffect {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final boolean[] committed;
    private final IntColumn found = new IntColumn();

    /** @param elements the writer of each element of the lists that were read */
    TookEffect(History history, int[][] elements) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.committed = new boolean[transactions.count()];
        for (int t = 0; t < committed.length; t++) if (transactions.isOk(t)) commit(t);
        for (int[] list : elements) for (int writer : list) seen(writer);
        for (int i = 0; i < found.size(); i++) findEffects(found.at(i));
    }

    private void findEffects(int t) {
        for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
            if (ops.kind(op) == Ops.READ_VERSION) seen(history.versions.find(ops.key(op), ops.value(op)));
            if (ops.previousKind(op) == Ops.PREVIOUS_KNOWN) seen(history.versions.find(ops.key(op), ops.previous(op)));
        }
    }

    private void seen(int writer) {
        if (writer != VersionIndex.NO_WRITE && transactions.isUnknown(transactions.owner(writer))) {
            commit(transactions.owner(writer));
        }
    }

    private void commit(int transaction) {
        if (committed[transaction]) return;
        committed[transaction] = true;
        found.add(transaction);
    }

    boolean[] committed() {
        return committed;
    }
}
