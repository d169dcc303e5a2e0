package tidepool.bench.ycsb;

/**
 * A clerk for a store that is reached by messages, with several operations under way at once. They are posted, and
 * taken in the order of posting. Used by one thread.
 */
public interface PipelinedClerk extends Clerk {
    /** Returns the highest number of posted operations whose results are not yet taken. */
    int outstanding();

    void postRead(long key);

    void postUpdate(long key, byte[] value);

    /** Waits for the oldest posted operation, which must be a read. Returns false if there is no record. */
    boolean takeRead(byte[] into);

    /** Waits for the oldest posted operation, which must be an update. */
    void takeUpdate();

    @Override
    default boolean read(long key, byte[] into) {
        postRead(key);
        return takeRead(into);
    }

    @Override
    default void update(long key, byte[] value) {
        postUpdate(key, value);
        takeUpdate();
    }
}
