package tidepool.bench.ycsb;

/**
 * The two operations, each a transaction of its own at the strongest isolation that the store has: whoever reads sees the
 * last update that was over before it began, or a later one, and never half of one. Each runs until it has happened. For
 * one thread.
 */
public interface Clerk {
    /** Reads a whole record into the beginning of an array. False if there is none. */
    boolean read(long key, byte[] into);

    /** Replaces a record that exists by the bytes of an array, which the caller may change afterwards. */
    void update(long key, byte[] value);

    /** Attempts so far that had to be made again. */
    long aborts();

    /** Round trips so far, as the fabric counts them; 0 where there is none. */
    default long roundTrips() {
        return 0;
    }
}
