package tidepool.history;

import static tidepool.history.VersionOrders.INITIAL;
import static tidepool.history.VersionOrders.NONE;
import static tidepool.history.VersionOrders.UNKNOWN;

import java.util.Arrays;

/**
 * Checks the promises to writes: each replaces a version of its own, lasts, and takes effect together with all writes
 * of its transaction.
 */
final class WriteChecks {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;
    private final HalfApplied halfApplied;
    /** For each key: among the reads of a version of the known chain, the one whose transaction was invoked last. */
    private final int[] latestRead;

    WriteChecks(History history, VersionOrders orders, Narrator narrator, AnomalyCollector anomalies) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.narrator = narrator;
        this.anomalies = anomalies;
        this.halfApplied = new HalfApplied(history, orders, narrator, anomalies);
        this.latestRead = new int[history.keys.count()];
    }

    void run() {
        lostUpdates();
        findLatestReads();
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (ops.isWrite(op) && orders.isUnseen(op)) unseen(t, op);
            }
        }
    }

    /** Finds two transactions that both replaced one version: the second ignored the first. */
    private void lostUpdates() {
        int[] updaters = new int[ops.count()];
        int[] firstUpdaters = new int[history.keys.count()];
        Arrays.fill(updaters, NONE);
        Arrays.fill(firstUpdaters, NONE);
        for (int t = 0; t < transactions.count(); t++) {
            if (!orders.isCommitted(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (!ops.isWrite(op) || orders.ownWriteBefore(op) != NONE) continue;
                int updated = updated(op);
                if (updated == UNKNOWN) continue;
                int[] table = updated == INITIAL ? firstUpdaters : updaters;
                int slot = updated == INITIAL ? ops.key(op) : updated;
                if (table[slot] == NONE) table[slot] = op;
                else lostUpdate(table[slot], op, updated);
            }
        }
    }

    /** Returns the version that the transaction certainly had read when it wrote, or {@link VersionOrders#UNKNOWN}. */
    private int updated(int write) {
        if (ops.kind(write) != Ops.APPEND) return orders.predecessor(write);
        int read = orders.earlier(write);
        return read == NONE || !orders.agrees(read) ? UNKNOWN : orders.source(read);
    }

    private void lostUpdate(int first, int second, int updated) {
        int a = transactions.owner(first);
        int b = transactions.owner(second);
        anomalies.add(
                AnomalyKind.LOST_UPDATE,
                () -> narrator.story(
                        "both replaced "
                                + (updated == INITIAL ? "the absence" : "version " + ops.value(updated))
                                + " of " + narrator.key(second) + ": " + narrator.name(a) + " " + narrator.wrote(first)
                                + ", " + narrator.name(b) + " " + narrator.wrote(second),
                        ops.key(second),
                        a,
                        b),
                a,
                b);
    }

    private void findLatestReads() {
        Arrays.fill(latestRead, NONE);
        for (int t = 0; t < transactions.count(); t++) {
            if (!transactions.isOk(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                if (orders.lacksTail(op)) latestRead[ops.key(op)] = op;
            }
        }
    }

    private void unseen(int t, int write) {
        int read = latestRead[ops.key(write)];
        if (read == NONE) return;
        int reader = transactions.owner(read);
        if (transactions.isOk(t)) {
            if (transactions.invoked(reader) > transactions.completed(t)) lostWrite(t, write, reader, read);
        } else {
            halfApplied.check(t, write, read);
        }
    }

    private void lostWrite(int t, int write, int reader, int read) {
        anomalies.add(
                AnomalyKind.LOST_WRITE,
                () -> narrator.story(
                        narrator.name(t) + " " + narrator.wrote(write) + " and had completed; later "
                                + narrator.name(reader) + " " + narrator.read(read),
                        ops.key(write),
                        t,
                        reader),
                t,
                reader);
    }
}
