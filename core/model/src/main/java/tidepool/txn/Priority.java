package tidepool.txn;

/**
 * The urgency of a transaction compared with others that wait for its locks. Protocols with lock queues serve {@link
 * #HIGH} first (HDTX). All other protocols ignore it.
 */
public enum Priority {
    /** Transactions are served in the order of arrival. */
    NORMAL,
    /** Served before normal transactions, unless those have been overtaken too often. */
    HIGH
}
