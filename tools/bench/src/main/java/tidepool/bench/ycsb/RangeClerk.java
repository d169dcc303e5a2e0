package tidepool.bench.ycsb;

import java.nio.ByteBuffer;

/**
 * A clerk of a store that has its records in the order of their keys. Each of the two operations is a transaction of
 * its own, as those of {@link Clerk}: a scan sees the records of one moment. Used by one thread.
 */
public interface RangeClerk extends Clerk {
    /** Takes the records of a scan, one after the other. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes a record.
         *
         * @param value the whole record, between position and limit; not valid afterwards
         */
        void record(long key, ByteBuffer value);
    }

    /** Inserts a record whose key is new. The caller may change the array afterwards. */
    void insert(long key, byte[] value);

    /** Reads records in the order of their keys, from one key on, which are never more than {@code limit}. */
    void scan(long from, int limit, Visitor visitor);
}
