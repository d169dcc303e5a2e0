package tidepool.history;

import static tidepool.history.VersionOrders.NONE;

/** Checks each transaction alone: it must see its own writes, and repeated reads must return equal results. */
final class InternalChecks {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;

    InternalChecks(History history, VersionOrders orders, Narrator narrator, AnomalyCollector anomalies) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.narrator = narrator;
        this.anomalies = anomalies;
    }

    void run() {
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (isKnownRead(op) && orders.earlier(op) != NONE && !follows(op)) contradicts(t, op);
                if (isOwn(t, ahead(op), op) || ahead(op) == op) foresees(t, op);
                if (ops.isWrite(op) && isOwn(t, orders.predecessor(op), op)) swapped(t, op);
                if (leftOneOut(op)) leavesOut(t, op);
            }
        }
    }

    /** Returns true if other transactions saw this append, but not the one that the transaction made before it. */
    private boolean leftOneOut(int op) {
        int own = ops.kind(op) == Ops.APPEND ? orders.ownWriteBefore(op) : NONE;
        return own != NONE && orders.isUnseen(own) && !orders.isUnseen(op);
    }

    private boolean isKnownRead(int op) {
        return !ops.isWrite(op) && ops.kind(op) != Ops.UNREAD;
    }

    private boolean follows(int read) {
        int before = orders.earlier(read);
        return switch (ops.kind(before)) {
            case Ops.APPEND -> endsWithOwn(read);
            case Ops.WRITE -> ops.kind(read) == Ops.READ_VERSION && ops.value(read) == ops.value(before);
            case Ops.DELETE ->
                ops.kind(read) == Ops.READ_ABSENT
                        || ops.kind(read) == Ops.READ_GONE
                        || ops.kind(read) == Ops.READ_VERSION && ops.value(read) == ops.value(before);
            case Ops.READ_LIST, Ops.READ_NONE -> same(before, read);
            case Ops.READ_VERSION -> ops.kind(read) != Ops.READ_NONE && same(before, read);
            // Two reads that found no row agree if they saw the same version of the bucket, which has reads of its own.
            case Ops.READ_GONE -> ops.kind(read) == Ops.READ_GONE;
            default -> true;
        };
    }

    private boolean same(int before, int read) {
        if (ops.kind(read) == Ops.READ_ABSENT) return ops.kind(before) != Ops.READ_LIST;
        if (ops.kind(before) != ops.kind(read)) return false;
        if (ops.kind(before) == Ops.READ_LIST) {
            return ops.length(before) == ops.length(read) && beginsWith(read, before);
        }
        return ops.kind(before) == Ops.READ_NONE || ops.value(before) == ops.value(read);
    }

    /** The list must be what the transaction read before, if anything, followed by its own elements in their order. */
    private boolean endsWithOwn(int read) {
        if (ops.kind(read) != Ops.READ_LIST) return false;
        Branches.Branch list = history.branches.at(ops.branch(read));
        int position = ops.length(read);
        int op = orders.earlier(read);
        while (op != NONE && ops.kind(op) == Ops.APPEND) {
            if (--position < 0 || list.at(position) != ops.value(op)) return false;
            op = orders.earlier(op);
        }
        if (op == NONE) return true;
        if (ops.kind(op) == Ops.READ_NONE) return position == 0;
        return ops.length(op) == position && beginsWith(read, op);
    }

    private boolean beginsWith(int read, int before) {
        if (ops.branch(read) == ops.branch(before)) return ops.length(read) >= ops.length(before);
        int common = history.branches.at(ops.branch(read)).common(history.branches.at(ops.branch(before)));
        return common >= ops.length(before);
    }

    /** Returns the write whose version the operation claims to have found, or {@link VersionIndex#NO_WRITE}. */
    private int ahead(int op) {
        return switch (ops.kind(op)) {
            case Ops.READ_LIST -> orders.writers(ops.branch(op))[ops.length(op) - 1];
            case Ops.READ_VERSION -> orders.version(op, ops.value(op));
            default ->
                ops.previousKind(op) == Ops.PREVIOUS_KNOWN
                        ? orders.version(op, ops.previous(op))
                        : VersionIndex.NO_WRITE;
        };
    }

    /** Returns true if the version was written by the same transaction, but later than the operation. */
    private boolean isOwn(int t, int writer, int op) {
        return writer > op && transactions.owner(writer) == t;
    }

    private void foresees(int t, int op) {
        anomalies.add(
                AnomalyKind.INTERNAL,
                () -> narrator.story(
                        narrator.name(t) + " " + (ops.isWrite(op) ? narrator.wrote(op) : narrator.read(op))
                                + (ahead(op) == op
                                        ? " over itself"
                                        : ", and only after that " + narrator.wrote(ahead(op))),
                        ops.key(op),
                        t),
                t);
    }

    private void swapped(int t, int write) {
        int later = orders.predecessor(write);
        anomalies.add(
                AnomalyKind.INTERNAL,
                () -> narrator.story(
                        narrator.name(t) + " " + narrator.wrote(write) + ", and after that " + narrator.wrote(later)
                                + "; but every list has them the other way round",
                        ops.key(write),
                        t),
                t);
    }

    private void leavesOut(int t, int write) {
        anomalies.add(
                AnomalyKind.INTERNAL,
                () -> narrator.story(
                        narrator.name(t) + " " + narrator.wrote(orders.ownWriteBefore(write)) + ", and after that "
                                + narrator.wrote(write) + "; but the lists have only the second",
                        ops.key(write),
                        t),
                t);
    }

    private void contradicts(int t, int read) {
        int before = orders.earlier(read);
        anomalies.add(
                AnomalyKind.INTERNAL,
                () -> {
                    String first = ops.isWrite(before) ? narrator.wrote(before) : narrator.read(before);
                    return narrator.story(
                            narrator.name(t) + " " + first + ", and after that " + narrator.read(read),
                            ops.key(read),
                            t);
                },
                t);
    }
}
