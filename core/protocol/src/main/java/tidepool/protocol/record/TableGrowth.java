package tidepool.protocol.record;

import tidepool.protocol.TxnTooLargeException;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;

/**
 * The growth of tables by one coordinator. A transaction that needs more room notes a wish, because it holds locks. The
 * next one that may write carries a wish out before it begins.
 *
 * <pre>
 *    insert that takes a new overflow bucket, of which there are many     ->  wish         the insert goes on
 *    insert that finds no overflow bucket, or a chain of maximum length   ->  urgent wish  its attempt is aborted
 *    next begin                                                           ->  one split, or an area if one is needed;
 *                                                                             up to 64 of them if a wish is urgent, or
 *                                                                             if one transaction has wished often; as
 *                                                                             many as it takes for one transaction with
 *                                                                             more inserts than the table has room for
 * </pre>
 */
final class TableGrowth {
    /** The maximum number of steps before one transaction. Most take one step at most. */
    private static final int MAX_STEPS = 64;

    /**
     * Steps for each wish of a transaction that wished more than once: one with many inserts. With fewer, the chains
     * would be long after a load.
     */
    private static final int STEPS_PER_WISH = 4;

    /** The maximum number of partitions of which a coordinator remembers wishes. Others wish again. */
    private static final int MAX_WISHES = 16;

    /** A partition that is to grow. */
    private static final class Wish {
        TableLayout table;
        int partition;
        boolean urgent;

        /** How often it was wished since steps were last made for it. */
        int times;

        /** The number of overflow buckets that are to be there; 0 if none is missing. */
        long overflow;

        /** The number of overflow buckets that are handed out with those of a transaction that could not go on. */
        long handedOut;

        boolean isOf(TableLayout other, int otherPartition) {
            return table.id() == other.id() && partition == otherPartition;
        }
    }

    private final RecordCoordinator coordinator;
    private final Wish[] wishes = new Wish[MAX_WISHES];
    private int count;

    /** The table that could not grow when it was last asked for, and why; null if there is none. */
    private TableLayout refused;

    private StoreException refusal;

    /** The partition of which the last urgent wish turned out to be needless. */
    private TableLayout needless;

    private int needlessPartition;

    /** The overflow buckets of that partition for which its size was enough. */
    private long needlessHandedOut;

    private boolean keeps;

    TableGrowth(RecordCoordinator coordinator) {
        this.coordinator = coordinator;
        for (int i = 0; i < MAX_WISHES; i++) wishes[i] = new Wish();
    }

    /** Keeps the sizes of tables from here on. */
    void keep() {
        keeps = true;
    }

    // ---- wishes

    /** Called when a partition is crowded: it has handed out many overflow buckets. */
    void wish(TableLayout table, int partition) {
        if (keeps || refused != null && refused.id() == table.id()) return;
        Wish wish = add(table, partition);
        if (wish != null) wish.times++;
    }

    /** Called when an insert or a split needs more overflow buckets than there are: {@code buckets} in all. */
    void needOverflow(TableLayout table, int partition, long buckets) {
        Wish wish = add(table, partition);
        if (wish == null) return;
        wish.urgent = true;
        wish.overflow = Math.max(wish.overflow, buckets);
    }

    /**
     * Called when an insert cannot go on because a chain has its maximum length.
     *
     * @param handedOut the overflow buckets of the partition that are handed out, those of its transaction included;
     *     nothing else tells how many rows the transaction brings
     */
    void needSplits(TableLayout table, int partition, long handedOut) {
        Wish wish = add(table, partition);
        if (wish == null) return;
        wish.urgent = true;
        wish.handedOut = Math.max(wish.handedOut, handedOut);
    }

    /** Returns the wish of a partition; null if there are too many others. */
    private Wish add(TableLayout table, int partition) {
        for (int i = 0; i < count; i++) if (wishes[i].isOf(table, partition)) return wishes[i];
        if (count == MAX_WISHES) return null;
        Wish wish = wishes[count++];
        wish.table = table;
        wish.partition = partition;
        wish.urgent = false;
        wish.overflow = 0;
        wish.handedOut = 0;
        wish.times = 0;
        return wish;
    }

    private void remove(Wish wish) {
        for (int i = 0; i < count; i++) {
            if (wishes[i] != wish) continue;
            wishes[i] = wishes[--count];
            wishes[count] = wish;
            return;
        }
    }

    /** Takes the reason why a table could not grow when an insert needed it to; null if there is none. */
    StoreException takeRefusal(TableLayout table) {
        if (keeps) return new StoreException(StoreException.Reason.FULL, "its size is to be kept");
        if (refused == null || refused.id() != table.id()) return null;
        refused = null;
        return refusal;
    }

    /**
     * Returns whether splits do not help a partition, because it had many buckets already for as many overflow buckets
     * as a transaction has met.
     */
    boolean takeNeedless(TableLayout table, int partition, long handedOut) {
        boolean is = needless != null && needless.id() == table.id() && needlessPartition == partition;
        if (is) needless = null;
        return is && handedOut <= needlessHandedOut;
    }

    boolean isWished() {
        return count > 0;
    }

    // ---- carrying out

    /** Carries wishes out, as far as nothing is in the way. Waits for the memory nodes. */
    void run() {
        for (int i = 0; i < count; i++) {
            if (!wishes[i].urgent) continue;
            Wish wish = wishes[i];
            run(wish, (int) Math.max(MAX_STEPS, Splitting.sizeFor(wish.handedOut)));
            if (isPending(wish)) remove(wish); // the insert asks again, if it still has to
            return;
        }
        int left = MAX_STEPS;
        // From the last one on: the place of a wish that is carried out is taken by one that had its steps.
        for (int i = count - 1; i >= 0 && left > 0; i--) {
            Wish wish = wishes[i];
            int steps = wish.times > 1 ? Math.min(left, STEPS_PER_WISH * wish.times) : i == 0 ? 1 : 0;
            wish.times = 0;
            left -= steps;
            run(wish, steps);
        }
    }

    private void run(Wish wish, int max) {
        for (int steps = max; steps > 0 && isPending(wish); steps--) {
            if (wish.overflow > 0) addOverflow(wish);
            else step(wish);
        }
    }

    private boolean isPending(Wish wish) {
        for (int i = 0; i < count; i++) if (wishes[i] == wish) return true;
        return false;
    }

    private void step(Wish wish) {
        switch (split(wish)) {
            case SPLIT -> {}
            case ENOUGH -> {
                if (wish.urgent) {
                    needless = wish.table;
                    needlessPartition = wish.partition;
                    needlessHandedOut = wish.handedOut;
                }
                remove(wish);
            }
            case NO_AREA -> addArea(wish);
            case GIVEN_UP -> {
                if (wish.overflow == 0) remove(wish); // the next insert that overflows asks again
            }
        }
    }

    /** Waits for background rounds first: the lock of the partition's size may be that of the split before. */
    private Splitting.Result split(Wish wish) {
        coordinator.settle();
        RecordTxn txn = coordinator.next();
        try {
            Splitting.Result result = txn.planSplit(wish.table, wish.partition, wish.handedOut);
            if (result != Splitting.Result.SPLIT) return result;
            SplitListener listener = coordinator.splitListener();
            if (listener != null) txn.announceSplit(listener);
            Outcome outcome = txn.commit();
            if (listener != null) listener.ended(txn.id(), outcome);
            coordinator.requireWhole();
            if (outcome != Outcome.COMMITTED) return Splitting.Result.GIVEN_UP;
            txn.splitDone();
            return Splitting.Result.SPLIT;
        } catch (TxnTooLargeException e) {
            refuse(
                    wish,
                    new StoreException(
                            StoreException.Reason.FULL,
                            "the bucket that is to be split next has too many rows for one transaction"));
            return Splitting.Result.GIVEN_UP;
        } catch (StoreException e) {
            refuse(wish, e); // such as a partition that another session owns
            return Splitting.Result.GIVEN_UP;
        } finally {
            txn.rollback();
        }
    }

    /** Makes sure that the partition has the overflow buckets that are wished. */
    private void addOverflow(Wish wish) {
        coordinator.learnAreas(wish.table);
        if (wish.table.overflowRoom() >= wish.overflow) wish.overflow = 0;
        else addArea(wish);
    }

    private void addArea(Wish wish) {
        try {
            coordinator.addArea(wish.table);
            if (refused == wish.table) refused = null;
        } catch (StoreException e) {
            refuse(wish, e);
        }
    }

    private void refuse(Wish wish, StoreException why) {
        refused = wish.table;
        refusal = why;
        wish.overflow = 0;
        remove(wish);
    }
}
