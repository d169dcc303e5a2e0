package tidepool.protocol.record;

import tidepool.protocol.GrowthListener;
import tidepool.protocol.TxnTooLargeException;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;

/**
 * The growth of tables by one coordinator. A transaction that needs more room notes a wish, because it holds locks. The
 * next one carries the wish out before it begins.
 *
 * <pre>
 *    insert that takes a new overflow bucket, and there are many of them   ->  wish            the insert goes on
 *    insert that finds no overflow bucket, or a chain of maximum length    ->  urgent wish     its attempt is aborted
 *    next begin                                                            ->  one split; an area first, if one is needed
 * </pre>
 */
final class TableGrowth {
    /** The maximum number of splits before one transaction, if an insert cannot go on without them. */
    private static final int MAX_SPLITS = 64;

    /** No table is asked about. */
    private static final int NONE = 0;

    private final RecordCoordinator coordinator;
    private GrowthListener listener = GrowthListener.NONE;
    private TableLayout wished; // null if there is no wish
    private int partition;
    private boolean urgent;
    private boolean forOverflow;

    /** The table that could get no more memory when it was last asked for, and why. */
    private int refused = NONE;

    private StoreException refusal;

    /** The table and partition of which the last wish turned out to be needless. */
    private int needless = NONE;

    private int needlessPartition;

    TableGrowth(RecordCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    void listener(GrowthListener chosen) {
        listener = chosen;
    }

    // ---- wishes

    /** Called when a partition has handed out so many overflow buckets that it should grow. */
    void wish(TableLayout table, int ofPartition) {
        if (wished != null || refused == table.id()) return;
        wish(table, ofPartition, false, false);
    }

    /** Called when an insert needs an overflow bucket and there is none. */
    void needOverflow(TableLayout table, int ofPartition) {
        wish(table, ofPartition, true, true);
    }

    /** Called when an insert cannot go on because a chain has its maximum length. */
    void needSplits(TableLayout table, int ofPartition) {
        wish(table, ofPartition, true, false);
    }

    private void wish(TableLayout table, int ofPartition, boolean urgently, boolean overflow) {
        wished = table;
        partition = ofPartition;
        urgent = urgently;
        forOverflow = overflow;
    }

    /** Takes the reason why a table could not grow when an insert needed it to; null if there is none. */
    StoreException takeRefusal(TableLayout table) {
        if (refused != table.id() || refusal == null) return null;
        StoreException taken = refusal;
        refusal = null;
        refused = NONE;
        return taken;
    }

    /** Returns whether splits do not help a partition, because it has many buckets already. */
    boolean takeNeedless(TableLayout table, int ofPartition) {
        boolean is = needless == table.id() && needlessPartition == ofPartition;
        if (is) needless = NONE;
        return is;
    }

    boolean isWished() {
        return wished != null;
    }

    // ---- carrying out

    /** Carries the wish out, as far as nothing is in the way. Waits for the memory nodes. */
    void run() {
        TableLayout table = wished;
        for (int i = 0; i < (urgent ? MAX_SPLITS : 1) && wished != null; i++) {
            if (forOverflow && !addOverflow(table)) break;
            forOverflow = false;
            switch (split(table)) {
                case SPLIT -> {}
                case ENOUGH -> {
                    needless = table.id();
                    needlessPartition = partition;
                    wished = null;
                }
                case NO_AREA -> {
                    if (!addArea(table)) wished = null;
                }
                case GIVEN_UP -> wished = null; // the next insert that overflows asks again
            }
        }
        if (urgent) wished = null;
    }

    private Splitting.Result split(TableLayout table) {
        RecordTxn txn = coordinator.next();
        try {
            Splitting.Result result = txn.planSplit(table, partition);
            if (result != Splitting.Result.SPLIT) return result;
            boolean done = txn.commit() == Outcome.COMMITTED;
            coordinator.requireWhole();
            if (!done) return Splitting.Result.GIVEN_UP;
            txn.splitDone(listener);
            return Splitting.Result.SPLIT;
        } catch (StoreException | TxnTooLargeException e) {
            return Splitting.Result.GIVEN_UP; // another session may write there, or the chain is too long
        } finally {
            txn.rollback();
        }
    }

    /** Makes sure that the table has overflow buckets that were never handed out. Returns false if it cannot. */
    private boolean addOverflow(TableLayout table) {
        if (coordinator.hasNewOverflow(table, partition) || addArea(table)) return true;
        wished = null;
        return false;
    }

    private boolean addArea(TableLayout table) {
        try {
            coordinator.addArea(table);
            refused = NONE;
            return true;
        } catch (StoreException e) {
            refused = table.id();
            refusal = e;
            return false;
        }
    }
}
