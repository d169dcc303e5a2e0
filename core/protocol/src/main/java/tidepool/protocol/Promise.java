package tidepool.protocol;

/** What the transactions of a protocol promise to each other, strongest first. Checkers of histories ask for it. */
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
