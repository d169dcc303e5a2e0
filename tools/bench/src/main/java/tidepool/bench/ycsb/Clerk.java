package tidepool.bench.ycsb;

/**
 * The two operations, each its own transaction at the strongest isolation of the store. A read sees the last update
 * that ended before it began, or a later one, and never a part of one. Each runs until it has happened. Used by one
 * thread.
 */
public interface Clerk {
    /** Reads a whole record into the beginning of an array. Returns false if there is none. */
    boolean read(long key, byte[] into);

    /** Replaces an existing record by the bytes of an array, which the caller may change afterwards. */
    void update(long key, byte[] value);

    /** Returns the number of attempts so far that had to be retried. */
    long aborts();
}
