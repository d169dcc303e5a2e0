package tidepool.protocol;

import tidepool.store.TableLayout;

/** Called when a table has grown, for recorders of histories: a split gives the rows that it moves new versions. */
public interface GrowthListener {
    /** Nothing is recorded. */
    GrowthListener NONE = new GrowthListener() {};

    /**
     * Called when a split has committed.
     *
     * @param txn the id of the split, which is the version of both buckets and of each row that moved
     * @param from the bucket that was split, and the version that it had before
     * @param to the new bucket
     * @param rows the keys that moved, as words, each followed by the version that its row had before
     */
    default void split(
            TableLayout table, long txn, long from, long fromVersion, long to, long toVersion, long[] rows) {}
}
