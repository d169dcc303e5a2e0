package tidepool.clusters;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.Tidepool;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;

/**
 * Rows with two indexes: by their names, which are in the order of their numbers, and by a place to which transactions
 * move them. Names are declared so long that a leaf of either index has few entries: leaves are split and merged all
 * the time. The rest of a row is {@link Content}.
 */
final class OrderedRows implements JudgedRows {
    static final String TABLE = "ordered";

    /** The index of the places; the other one is that of the keys. */
    static final String BY_PLACE = "by_place";

    /** The number of that index in histories. */
    static final long PLACES = 1;

    private final Schema schema = Schema.of(TABLE, Row.class);
    private final LongField place = schema.longField("place");
    private final long content = schema.attribute("bytes").offset();

    /** The record of the table. The filling is empty and makes entries long. */
    @Ordered
    @Index(
            name = BY_PLACE,
            on = {"place", "filling"})
    @SuppressWarnings("ArrayRecordComponent")
    public record Row(
            @Key @Length(60) String name,
            long place,
            @Length(40) String filling,
            @Length(Content.BYTES) byte[] bytes) {}

    static String name(long number) {
        return "row %05d".formatted(number);
    }

    /** Returns the number of a row by its key. */
    static long number(RowKey key) {
        return Long.parseLong(key.getString(0).substring(4));
    }

    RowKey key(long number) {
        return schema.key().newKey().setString(0, name(number));
    }

    long placeOf(MemorySegment memory, long value) {
        return place.get(memory, value);
    }

    /** Turns a value into that of the next writer, at a place. */
    void append(MemorySegment memory, long value, long writer, long newPlace) {
        Content.append(memory, value + content, writer);
        place.set(memory, value, newPlace);
    }

    /** Returns the hidden table with the nodes of the indexes. */
    static List<TableLayout> otherTables(Tidepool pool) {
        List<TableLayout> all = PoolAccess.layoutsWithParts(pool, pool.table(TABLE));
        return all.subList(1, all.size());
    }

    // ---- rows in memory

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long placeOf(RowKey key) {
        return VersionedPlace.ofKey(number(key));
    }

    @Override
    public long wordOf(long ofKey) {
        return key(ofKey).word();
    }

    @Override
    public long writer(MemorySegment memory, long value) {
        return Content.writer(memory, value + content);
    }

    @Override
    public Long sum(MemorySegment memory, long value) {
        return 31 * Content.sum(memory, value + content) + placeOf(memory, value);
    }
}
