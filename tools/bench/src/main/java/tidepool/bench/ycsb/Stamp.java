package tidepool.bench.ycsb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import tidepool.schema.EightByteKeys;

/**
 * The contents of a record: its key, a number that its writer chose, and words computed from both. So a record that
 * mixes two updates, or belongs to another key, is detected.
 *
 * <pre>
 *    0          8          16                     24
 *    +----------+----------+----------------------+--
 *    |   key    |  stamp   |  hash(key, stamp)    | … and so on, each the hash of the one before
 *    +----------+----------+----------------------+--
 * </pre>
 */
public final class Stamp {
    static final int MIN_BYTES = 3 * Long.BYTES;

    private Stamp() {}

    /** Fills an array with the record of a key and a stamp. */
    public static void write(byte[] value, long key, long stamp) {
        ByteBuffer words = words(value);
        words.putLong(0, key);
        words.putLong(Long.BYTES, stamp);
        long word = first(key, stamp);
        for (int at = 2 * Long.BYTES; at < value.length; at += Long.BYTES) {
            words.putLong(at, word);
            word = EightByteKeys.hash(word);
        }
    }

    /** Returns the stamp of a key's record. Refuses a record of another key or one that is not whole. */
    public static long read(byte[] value, long key) {
        ByteBuffer words = words(value);
        long stamp = words.getLong(Long.BYTES);
        long word = first(key, stamp);
        boolean whole = words.getLong(0) == key;
        for (int at = 2 * Long.BYTES; at < value.length; at += Long.BYTES) {
            whole &= words.getLong(at) == word;
            word = EightByteKeys.hash(word);
        }
        if (!whole) throw new IllegalStateException("the record of key " + key + " is not whole");
        return stamp;
    }

    /** Returns whether a record, from the position of a buffer on, begins as that of a key does. */
    static boolean isOf(ByteBuffer record, long key) {
        ByteBuffer words = record.order(ByteOrder.LITTLE_ENDIAN);
        int at = words.position();
        long stamp = words.getLong(at + Long.BYTES);
        return words.getLong(at) == key && words.getLong(at + 2 * Long.BYTES) == first(key, stamp);
    }

    private static ByteBuffer words(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long first(long key, long stamp) {
        return EightByteKeys.hash(EightByteKeys.hash(key) + stamp);
    }
}
