package tidepool.history;

import static tidepool.history.AnomalyKind.DIRTY_UPDATE;
import static tidepool.history.AnomalyKind.DUPLICATE_ELEMENTS;
import static tidepool.history.AnomalyKind.G1A;
import static tidepool.history.AnomalyKind.G1B;
import static tidepool.history.AnomalyKind.GARBAGE_READ;
import static tidepool.history.AnomalyKind.INCOMPATIBLE_ORDER;
import static tidepool.history.VersionOrders.NONE;

import java.util.HashSet;
import java.util.Set;

/**
 * Checks the versions that single reads and writes saw: versions that were never written, that failed, that were not
 * final, that appear twice, or in two orders. Each version is reported once, with one operation that saw it.
 */
final class ReadChecks {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;
    private final boolean[] replacedByOwn;
    private final boolean[] complained;

    ReadChecks(History history, VersionOrders orders, Narrator narrator, AnomalyCollector anomalies) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.narrator = narrator;
        this.anomalies = anomalies;
        this.replacedByOwn = new boolean[ops.count()];
        this.complained = new boolean[ops.count()];
    }

    void run() {
        for (int b = 0; b < history.branches.count(); b++) list(b);
        for (int op = 0; op < ops.count(); op++) {
            if (!ops.isWrite(op) || transactions.owner(op) < 0) continue;
            int own = orders.ownWriteBefore(op);
            if (own != NONE) replacedByOwn[own] = true;
        }
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) operation(t, op);
        }
    }

    private void list(int number) {
        Branches.Branch branch = history.branches.at(number);
        int[] writers = orders.writers(number);
        int reader = transactions.owner(branch.witness);
        String read = narrator.name(reader) + " " + narrator.read(branch.witness);
        int aborted = NONE;
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < writers.length; i++) {
            long element = branch.at(i);
            int writer = writers[i];
            if (!seen.add(element)) {
                anomalies.add(
                        DUPLICATE_ELEMENTS,
                        () -> narrator.story(read + ", with " + element + " twice", branch.key, reader),
                        reader);
            }
            if (writer == VersionIndex.NO_WRITE) {
                anomalies.add(
                        GARBAGE_READ,
                        () -> narrator.story(read + ", but nobody appended " + element, branch.key, reader),
                        reader);
            } else if (transactions.isFailed(transactions.owner(writer))) {
                complain(G1A, writer, reader, read);
                aborted = writer;
            } else if (aborted != NONE) {
                int dirty = aborted;
                aborted = NONE;
                String update = narrator.name(transactions.owner(writer)) + " " + narrator.wrote(writer);
                complain(DIRTY_UPDATE, dirty, transactions.owner(writer), update + " behind an element that failed");
            }
        }
        int longest = history.branches.longest(branch.key);
        if (number != longest) contradiction(branch, history.branches.at(longest), read);
    }

    private void contradiction(Branches.Branch branch, Branches.Branch longest, String read) {
        int other = transactions.owner(longest.witness);
        int reader = transactions.owner(branch.witness);
        anomalies.add(
                INCOMPATIBLE_ORDER,
                () -> narrator.story(
                        read + ", and " + narrator.name(other) + " " + narrator.read(longest.witness)
                                + ": neither is the beginning of the other",
                        branch.key,
                        reader,
                        other),
                reader,
                other);
    }

    private void operation(int t, int op) {
        switch (ops.kind(op)) {
            case Ops.READ_LIST -> {
                int writer = orders.writers(ops.branch(op))[ops.length(op) - 1];
                if (writer != VersionIndex.NO_WRITE) intermediate(t, writer, narrator.read(op));
            }
            case Ops.READ_VERSION -> version(t, op, ops.value(op), G1A);
            case Ops.WRITE, Ops.DELETE -> {
                // After a write of the same transaction, the replaced version is that write, whatever is recorded.
                if (ops.previousKind(op) == Ops.PREVIOUS_KNOWN && orders.ownWriteBefore(op) == NONE) {
                    version(t, op, ops.previous(op), DIRTY_UPDATE);
                }
            }
            default -> {}
        }
    }

    private void version(int t, int op, long value, AnomalyKind ifFailed) {
        int writer = orders.version(op, value);
        String saw = ops.isWrite(op) ? narrator.wrote(op) + " over version " + value : narrator.read(op);
        if (writer == VersionIndex.NO_WRITE || isRemoval(writer)) {
            String but =
                    writer == VersionIndex.NO_WRITE ? ", but nobody wrote version " : ", but a removal made version ";
            anomalies.add(
                    GARBAGE_READ, () -> narrator.story(narrator.name(t) + " " + saw + but + value, ops.key(op), t), t);
        } else if (transactions.isFailed(transactions.owner(writer))) {
            complain(ifFailed, writer, t, narrator.name(t) + " " + saw);
        } else {
            intermediate(t, writer, saw);
        }
    }

    /** Rows are found or not: unlike the tombstone of a register, the version that removed a row cannot be read. */
    private boolean isRemoval(int writer) {
        return ops.kind(writer) == Ops.DELETE && ops.bucket(writer) != Ops.NO_BUCKET;
    }

    private void intermediate(int t, int writer, String saw) {
        int other = transactions.owner(writer);
        if (other == t || !replacedByOwn[writer] || !orders.isCommitted(other)) return;
        complain(G1B, writer, t, narrator.name(t) + " " + saw);
    }

    private void complain(AnomalyKind kind, int writer, int reader, String saw) {
        // A dirty update and the aborted read of one version are two facts.
        if (complained[writer] && kind != DIRTY_UPDATE) return;
        complained[writer] = true;
        int other = transactions.owner(writer);
        String why = kind == G1B ? ", and then wrote the key again" : ", and failed";
        anomalies.add(
                kind,
                () -> narrator.story(
                        saw + "; " + narrator.name(other) + " " + narrator.wrote(writer) + why,
                        ops.key(writer),
                        other,
                        reader),
                reader,
                other);
    }
}
