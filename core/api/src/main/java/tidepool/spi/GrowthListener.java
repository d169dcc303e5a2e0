package tidepool.spi;

/** A listener for the growth of a pool, called in the thread or strand that makes it. A growth may begin again. */
public interface GrowthListener {
    /**
     * Called when larger regions were made. Transactions go on.
     *
     * @param bytes of these regions, of all nodes together
     */
    default void prepared(long bytes) {}

    /** Called while no transaction runs: how many bytes were copied, of how many. */
    default void copied(long bytes, long of) {}

    /**
     * Called when the pool has grown.
     *
     * @param before the bytes of each copy of a partition before
     * @param after the bytes of each copy of a partition now
     * @param standstillNanos how long no transaction could run
     */
    default void grown(long before, long after, long standstillNanos) {}
}
