package tidepool.protocol;

/** Fills new copies of partitions while transactions run. For one strand or thread. */
public interface Refilling extends AutoCloseable {
    /** Is told how far it is; may wait, so that transactions are not held up, and throw, to end it. */
    @FunctionalInterface
    interface Progress {
        void at(long bytes, long ofBytes);

        /** Somebody has held a lock for a while that is needed, and nothing of the filler's is locked meanwhile. */
        default void blocked() {}
    }

    /** Fills all copies of a partition that are being filled. Behind it they have everything. Waits. */
    void fill(int partition, Progress progress);

    /** Objects that were copied. */
    long copied();

    /** Whether it was cut off, filling or closing: then its session must not just leave, but be revoked and recovered. */
    boolean isBroken();

    @Override
    void close();
}
