package tidepool.workload;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import tidepool.base.Words;
import tidepool.schema.Key;
import tidepool.schema.Length;

/**
 * A row of {@link RowsWorkload}: the id of the transaction that wrote it, and words computed from that id and the key,
 * over more than one cache line. A row that mixes two writers, or lies under another key, is detected.
 *
 * <pre>
 *     0         8                              136
 *     +---------+------------------------------+
 *     | version | 16 words of version and key  |
 *     +---------+------------------------------+
 * </pre>
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RecordedRow(
        @Key long id, @Length(RecordedRow.BYTES) byte[] bytes) {
    static final int BYTES = 136;

    /** The version of a row that no writer left in this state. No transaction has this id. */
    static final long TORN = -1;

    /** Returns the row that a transaction writes under a key. */
    static RecordedRow of(long key, long version) {
        MemorySegment words = MemorySegment.ofArray(new long[BYTES / Words.BYTES]);
        write(words, 0, key, version);
        return new RecordedRow(key, words.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns the writer of this row; {@link #TORN} if it is not as that transaction wrote it. */
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

    /** Returns the writer of the row at this place; {@link #TORN} if it is not as that transaction wrote it. */
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
