package tidepool.protocol.record;

import tidepool.store.TableLayout;
import tidepool.txn.Outcome;

/**
 * Called for each split of a bucket, by which tables grow. A split is a transaction of its own, which gives two buckets
 * a new version. A recorder of histories has to know it; otherwise these versions would be of no transaction. Called on
 * the thread of the coordinator that splits.
 */
public interface SplitListener {
    /**
     * Called before a split commits. It has read everything, and no other transaction can see it yet.
     *
     * @param txn the id of the split, which becomes the version of both buckets and of each row that moves
     * @param from the bucket that is split: the pointer to its head
     * @param fromVersion the version of that bucket which the split replaces
     * @param to the new bucket
     * @param toVersion the version of the new bucket which the split replaces; 0 if it was never written
     */
    void commits(long txn, TableLayout table, long from, long fromVersion, long to, long toVersion);

    /** Called after {@link #commits}, unless the fabric fails: then the outcome is open. */
    void ended(long txn, Outcome outcome);
}
