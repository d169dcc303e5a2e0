package tidepool.protocol.record;

/** How logs are cleared that decide nothing any more: by their coordinator, a recovery, or a change of nodes. */
public enum LogClearing {
    /**
     * One after the other. A fabric that persists in order is an exception: a loss of power may undo some of the
     * WRITEs, so there all logs are marked as over first.
     */
    ONE_BY_ONE,

    /**
     * All logs of a coordinator are marked as over before the first of them is cleared; see {@link
     * LoggedTxn#isFollowed}. For protocols whose decision needs all logs of a transaction or none.
     */
    OVER_FIRST;

    boolean marksFirst(PoolRegions pool) {
        return this == OVER_FIRST || pool.persistsInOrder();
    }
}
