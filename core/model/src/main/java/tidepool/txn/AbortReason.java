package tidepool.txn;

/**
 * The reason why an attempt of a transaction did not commit. Reasons are values that are counted; no caller parses
 * text.
 */
public enum AbortReason {
    /** Another transaction holds the lock of a record that is to be written. */
    LOCKED,
    /** A record was changed between reading and locking it. */
    VERSION_CHANGED,
    /** Validation found that another transaction holds the lock of a record that was read. */
    READ_LOCKED,
    /** Validation found that a record that was read has been written since. */
    READ_CHANGED,
    /** After several tries, a record still could not be read whole and visible. */
    UNREADABLE,
    /** A cached address led to another record, and locks were held already. */
    STALE_ADDRESS,
    /** The bucket of a key that is inserted or deleted changed between the lookup and the lock. */
    BUCKET_CHANGED,
    /** Another transaction is inserting into or deleting from the bucket in which a key is looked up. */
    BUCKET_BUSY,
    /** An insert found no room in its table. The next attempt first makes the table grow. */
    TABLE_GROWS,
    /** The version that a snapshot needs has been overwritten. Keep more versions, or read for a shorter time. */
    SNAPSHOT_TOO_OLD,
    /** A session that is dead and not yet recovered owns the partition that is to be written. */
    OWNED_ELSEWHERE,
    /** The application rolled the transaction back. */
    ROLLED_BACK,
    /**
     * The transaction is larger than the memory that was prepared for it. The next attempt has more. Transactions that
     * the pool retries do this by themselves, at once.
     */
    NEEDS_ROOM,
    /** Other transactions hold the blocks of the log heap that this one needs. */
    LOG_HEAP_BUSY,
    /** Another transaction has inserted into a range that was scanned, or deleted from it, or close to it. */
    RANGE_CHANGED;

    /**
     * Returns, as a part of a sentence, what helps where another attempt may not. Empty if another attempt is enough.
     */
    public String advice() {
        return switch (this) {
            case SNAPSHOT_TOO_OLD ->
                "versions that its snapshot needs were overwritten while it read; keep more of them"
                        + " (versions=, where the table is made) or read less in one transaction";
            case LOG_HEAP_BUSY ->
                "other large transactions hold the blocks of the log heap that it needs; run fewer of them at a time,"
                        + " or make the pool with a larger logheap=";
            default -> "";
        };
    }
}
