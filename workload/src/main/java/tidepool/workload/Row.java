package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;
import tidepool.store.schema.Key;
import tidepool.store.schema.Length;

/**
 * A row of {@link Rows}: the id of the transaction that wrote it, and words that follow from it and from the key, over
 * more than one cache line. What is put together from two writers, or lies under another key, shows.
 *
 * <pre>
 *     0         8                              136
 *     +---------+------------------------------+
 *     | version | 16 words of version and key  |
 *     +---------+------------------------------+
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record Row(@Key long id, @Length(Row.BYTES) byte[] bytes) {
    static final int BYTES = 136;

    /** What is read from a row that no writer has left so: nobody's id. */
    static final long TORN = -1;

    /** The row that a transaction leaves under a key. */
    static Row of(long key, long version) {
        MemorySegment words = MemorySegment.ofArray(new long[BYTES / Words.BYTES]);
        write(words, 0, key, version);
        return new Row(key, words.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Who wrote this row; {@link #TORN} if it is not as that one wrote it. */
    long version() {
        MemorySegment words = MemorySegment.ofArray(new long[BYTES / Words.BYTES]);
        words.copyFrom(MemorySegment.ofArray(bytes));
        return version(words, 0, id);
    }

    /** Writes a row in place. */
    static void write(MemorySegment memory, long at, long key, long version) {
        Words.plain(memory, at, version);
        for (int i = Words.BYTES; i < BYTES; i += Words.BYTES) Words.plain(memory, at + i, word(key, version, i));
    }

    /** Who wrote the row that lies there; {@link #TORN} if it is not as that one wrote it. */
    static long version(MemorySegment memory, long at, long key) {
        long version = Words.plain(memory, at);
        for (int i = Words.BYTES; i < BYTES; i += Words.BYTES)
            if (Words.plain(memory, at + i) != word(key, version, i)) return TORN;
        return version;
    }

    private static long word(long key, long version, int i) {
        return (version * 31 + key + i) * 0x9e3779b97f4a7c15L;
    }
}
