package tidepool.protocol;

/** A filler of new copies of partitions while transactions run. For one strand or thread. */
public interface ReplicaFill extends AutoCloseable {
    /**
     * Called with the progress of a fill. May wait, so that transactions are not slowed down, or throw, to end the
     * fill.
     */
    @FunctionalInterface
    interface Progress {
        void at(long bytes, long ofBytes);

        /**
         * Called when another session holds a needed lock longer than expected. The filler holds no locks during the
         * call.
         */
        default void blocked() {}
    }

    /** Fills all incomplete copies of a partition. Afterwards they have everything. Waits for the memory nodes. */
    void fill(int partition, Progress progress);

    /** Returns the number of objects that were copied. */
    long copied();

    /**
     * Whether filling or closing was cut off. The session must then be revoked and recovered; it must not just leave.
     */
    boolean isBroken();

    @Override
    void close();
}
