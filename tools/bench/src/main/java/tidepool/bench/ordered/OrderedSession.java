package tidepool.bench.ordered;

import java.nio.ByteBuffer;

/**
 * The transactions of one thread, one at a time. A transaction that has met a conflict throws {@link SessionConflict}
 * and has to be rolled back.
 */
public interface OrderedSession {
    /** A conflict with another transaction; it has no stack trace. */
    final class SessionConflict extends RuntimeException {
        private static final long serialVersionUID = 1;

        public SessionConflict(String message) {
            super(message, null, false, false);
        }
    }

    /** Takes the pairs of a scan. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes a pair, whose bytes are not valid afterwards.
         *
         * @param value between position and limit
         */
        void pair(byte[] key, ByteBuffer value);
    }

    /**
     * Begins a transaction.
     *
     * @param isReadOnly whether it will only read: all of it is then of one moment
     */
    void begin(boolean isReadOnly);

    /**
     * Reads the value of a key, which stays as it is until the transaction ends. Returns false if there is none.
     *
     * @param isWritten whether the key may be written later
     * @param into gets the value from {@code at} on
     */
    boolean get(byte[] key, boolean isWritten, ByteBuffer into, int at);

    /** Writes the value of a key that was read for writing, or that no other transaction can write. */
    void put(byte[] key, ByteBuffer from, int at, int length);

    /** Removes a key. */
    void delete(byte[] key);

    /**
     * Reads at most {@code limit} pairs in the order of their keys, or in the opposite one.
     *
     * @param low the least key
     * @param high above the greatest key
     */
    void scan(byte[] low, byte[] high, boolean isReversed, int limit, Visitor visitor);

    void commit();

    void rollback();
}
