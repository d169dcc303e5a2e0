package tidepool.protocol;

/** The isolation that a protocol promises, strongest first. Checkers judge histories by it. */
public enum Promise {
    /** All transactions are serializable in the order in which they happen. */
    STRICT,
    /**
     * Transactions that write are strictly serializable. One that only reads sees the state between two of them, which
     * may be older than its begin.
     */
    SERIALIZABLE_SNAPSHOTS,
    /** All transactions are serializable in some order. */
    SERIALIZABLE,
    /** Each transaction reads one snapshot, and no two of which neither saw the other write one record. */
    SNAPSHOT
}
