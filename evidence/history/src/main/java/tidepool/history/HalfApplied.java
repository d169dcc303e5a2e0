package tidepool.history;

import static tidepool.history.VersionOrders.NONE;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Looks for transactions of unknown outcome that took effect in part: an observer saw one of their writes, and another
 * write is missing, either from what the same observer read or from a read that began after the observer had completed.
 */
final class HalfApplied {
    private final History history;
    private final Ops ops;
    private final Transactions transactions;
    private final VersionOrders orders;
    private final Narrator narrator;
    private final AnomalyCollector anomalies;
    /** For each write the read that saw it and completed first; made at the first use. */
    private int[] firstReads;

    HalfApplied(History history, VersionOrders orders, Narrator narrator, AnomalyCollector anomalies) {
        this.history = history;
        this.ops = history.ops;
        this.transactions = history.transactions;
        this.orders = orders;
        this.narrator = narrator;
        this.anomalies = anomalies;
    }

    /** Checks a write that comes after the known chain, given the latest read of its key that lacks it. */
    void check(int t, int write, int latest) {
        if (firstReads == null) findFirstReads();
        int seen = NONE;
        for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
            if (ops.isWrite(op)) seen = earlier(seen, firstReads[op]);
        }
        if (seen == NONE) return;
        int observer = transactions.owner(seen);
        int missing = missingFrom(observer, write);
        if (missing != NONE) {
            report(t, write, seen, missing, EnumSet.allOf(Level.class));
        } else if (transactions.completed(observer) < transactions.invoked(transactions.owner(latest))) {
            report(t, write, seen, latest, AnomalyKind.HALF_APPLIED.violated());
        }
    }

    private void findFirstReads() {
        firstReads = new int[ops.count()];
        Arrays.fill(firstReads, NONE);
        for (int t = 0; t < transactions.count(); t++) {
            if (!transactions.isOk(t)) continue;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) {
                int source = ops.isWrite(op) || !orders.agrees(op) ? NONE : orders.source(op);
                if (source >= 0) firstReads[source] = earlier(firstReads[source], op);
            }
        }
        // A reader that saw an element of a list saw the elements before it as well.
        for (int key = 0; key < history.keys.count(); key++) {
            int longest = history.branches.longest(key);
            if (longest >= 0) carryBack(orders.writers(longest));
        }
    }

    private void carryBack(int[] writers) {
        int first = NONE;
        for (int i = writers.length - 1; i >= 0; i--) {
            if (writers[i] == VersionIndex.NO_WRITE) continue;
            first = earlier(first, firstReads[writers[i]]);
            firstReads[writers[i]] = first;
        }
    }

    private int earlier(int one, int other) {
        if (one == NONE || other == NONE) return one == NONE ? other : one;
        return completed(one) <= completed(other) ? one : other;
    }

    private long completed(int read) {
        return transactions.completed(transactions.owner(read));
    }

    private int missingFrom(int observer, int write) {
        for (int op = transactions.firstOp(observer); op < transactions.endOp(observer); op++) {
            if (ops.key(op) == ops.key(write) && orders.lacksTail(op)) return op;
        }
        return NONE;
    }

    private void report(int t, int write, int seen, int missing, Set<Level> levels) {
        int observer = transactions.owner(seen);
        int reader = transactions.owner(missing);
        int[] involved = observer == reader ? new int[] {t, observer} : new int[] {t, observer, reader};
        anomalies.add(
                AnomalyKind.HALF_APPLIED,
                levels,
                () -> narrator.story(
                        narrator.name(observer) + " " + narrator.read(seen) + ", so " + narrator.name(t)
                                + " took effect; but it also " + narrator.wrote(write) + ", and "
                                + (observer == reader ? "the same " : "later ") + narrator.name(reader) + " "
                                + narrator.read(missing),
                        ops.key(write),
                        involved),
                involved);
    }
}
