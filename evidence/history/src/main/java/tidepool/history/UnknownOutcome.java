package tidepool.history;

import java.util.ArrayList;
import java.util.List;

/**
 * A transaction of which its client does not know whether it took effect, and what the rest of the history says about
 * it. If every key is read in the end, that is the truth: a write that no transaction has seen did not happen.
 *
 * @param process the number under which it was recorded; it is the last transaction of that process
 * @param writes whether it was going to write: of a transaction that only reads there is nothing to see
 * @param happened whether a transaction that took effect has seen one of its writes
 */
public record UnknownOutcome(long process, boolean writes, boolean happened) {
    /** Returns all of them, in the order of their invocations. */
    public static List<UnknownOutcome> of(History history) {
        VersionOrders orders = new VersionOrders(history);
        Transactions transactions = history.transactions;
        List<UnknownOutcome> all = new ArrayList<>();
        for (int t = 0; t < transactions.count(); t++) {
            if (!transactions.isUnknown(t)) continue;
            boolean writes = false;
            for (int op = transactions.firstOp(t); op < transactions.endOp(t); op++) writes |= history.ops.isWrite(op);
            all.add(new UnknownOutcome(transactions.process(t), writes, orders.isCommitted(t)));
        }
        return all;
    }
}
