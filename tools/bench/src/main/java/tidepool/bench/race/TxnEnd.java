package tidepool.bench.race;

/** The end of a transaction. An aborted attempt is not an end, because it is retried. */
public enum TxnEnd {
    /** The transaction committed. */
    COMMITTED,
    /** The transaction found nothing to do, such as a missing row, as the specification expects of some. */
    MISSED,
    /** The transaction gave up, as the specification says: too little money, or an unknown item. */
    ROLLED_BACK,
    /** The transaction was aborted as often as the retry policy allows. */
    ABANDONED
}
