package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;

/**
 * A value of several cache lines: its writer, the writer it replaced, a list to which every writer has appended itself,
 * and words that follow from the writer, so that a mixture of two writers' values is detected.
 *
 * <pre>
 *     0        8          16       24                      152                200
 *     +--------+----------+--------+-----------------------+------------------+
 *     | writer | replaced | count  | the last 16 writers   | 6 words of noise |
 *     +--------+----------+--------+-----------------------+------------------+
 * </pre>
 */
public final class Content {
    public static final int BYTES = 200;
    private static final int COUNT = 16;
    private static final int LIST = 24;
    private static final int LISTED = 16;
    private static final int NOISE = LIST + LISTED * Words.BYTES;

    /** The record of the table. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Row(@Key long key, @Length(BYTES) byte[] bytes) {}

    /** The rows of a table of such values, under keys that are numbers. */
    static final JudgedRows ROWS = new JudgedRows() {
        @Override
        public Schema schema() {
            return Schema.of("rows", Row.class);
        }

        @Override
        public long placeOf(RowKey key) {
            return VersionedPlace.ofKey((Long) key.get(0));
        }

        @Override
        public long wordOf(long place) {
            return place;
        }

        @Override
        public long writer(MemorySegment memory, long value) {
            return Content.writer(memory, value);
        }

        @Override
        public Long sum(MemorySegment memory, long value) {
            return Content.sum(memory, value);
        }
    };

    private Content() {}

    public static long writer(MemorySegment memory, long at) {
        return Words.plain(memory, at);
    }

    /** Turns the value at this place, zeros for a new one, into the next. */
    public static void append(MemorySegment memory, long at, long writer) {
        long count = Words.plain(memory, at + COUNT);
        Words.plain(memory, at + Words.BYTES, writer(memory, at));
        Words.plain(memory, at, writer);
        Words.plain(memory, at + COUNT, count + 1);
        Words.plain(memory, at + LIST + count % LISTED * Words.BYTES, writer);
        for (int i = NOISE; i < BYTES; i += Words.BYTES) Words.plain(memory, at + i, noise(writer, i));
    }

    /** Returns a checksum of the whole value. */
    public static long sum(MemorySegment memory, long at) {
        return Checksum64.of(memory, at, BYTES, 17);
    }

    private static long noise(long writer, int i) {
        return (writer + i) * 0x9e3779b97f4a7c15L;
    }
}
