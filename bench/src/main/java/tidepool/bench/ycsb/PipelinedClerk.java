package tidepool.bench.ycsb;

/**
 * A clerk whose store is reached by messages, and who can have several operations under way at once: they are posted, and
 * taken in the same order. For one thread.
 */
public interface PipelinedClerk extends Clerk {
    /** How many may be posted and not yet taken. */
    int outstanding();

    void postRead(long key);

    void postUpdate(long key, byte[] value);

    /** Takes the read that was posted longest ago, which must be the oldest of all. False if there is no record. Waits. */
    boolean takeRead(byte[] into);

    /** Takes the update that was posted longest ago, which must be the oldest of all. Waits. */
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
