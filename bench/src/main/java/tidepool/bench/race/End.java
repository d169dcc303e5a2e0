package tidepool.bench.race;

/** How a transaction ended. Attempts that were aborted are none of these: they are made again. */
public enum End {
    /** It happened. */
    COMMITTED,
    /** It found that there was nothing to do, as the specification expects of some: a row that is not there, say. */
    MISSED,
    /** It gave up, as the specification says: not enough money, an item that nobody sells. */
    ROLLED_BACK,
    /** It was aborted as often as the retry policy allows. */
    ABANDONED
}
