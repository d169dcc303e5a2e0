package tidepool.protocol;

/**
 * How urgent a transaction is to others that wait for the same locks. Protocols whose locks have a line to stand in serve
 * {@link #HIGH} first (HDTX); for all others it means nothing, and does no harm.
 */
public enum Priority {
    /** In the order in which they came. */
    NORMAL,
    /** Before those that are normal, as long as these are not passed over too often. */
    HIGH
}
