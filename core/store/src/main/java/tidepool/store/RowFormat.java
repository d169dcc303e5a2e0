package tidepool.store;

import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.schema.Schema;
import tidepool.store.motor.TupleLayout;

/**
 * The content of a slot for one row, and of the memory outside the slot that belongs to it. Every slot is an object
 * ({@link ObjectLayout}) that is locked and found in one way, whatever its content. Behind the buckets of a table, each
 * slot may have a block of memory of its own, at a place that follows from that of the slot.
 *
 * @param kind "plain" for a value in the slot itself; otherwise the name of the structure that keeps versions
 * @param versions how many versions of a row are kept; 1 for plain
 * @param contentBytes content of the object in the slot, the bytes of a wide key included, with which it ends
 * @param sideBytes bytes of the block that belongs to each slot; 0 if there is none
 * @param why the reason for the size of the block, as text; empty if there was no choice
 */
public record RowFormat(String kind, int versions, long contentBytes, long sideBytes, String why) {
    /** The factory of the row format of a new table. */
    @FunctionalInterface
    public interface Maker {
        RowFormat of(Schema schema);
    }

    public static final String PLAIN = "plain";

    private static final long HALF_LINE = 32;

    public RowFormat {
        Checks.argument(
                kind.matches("[a-z0-9-]+") && versions >= 1 && contentBytes > 0 && sideBytes >= 0,
                "a format has a name, versions and bytes");
        Checks.argument(Words.isAligned(contentBytes) && Words.isAligned(sideBytes), "a format has whole words");
        Checks.argument(why.matches("[a-z0-9:+]*"), "a reason is small letters, digits, : and +");
    }

    public RowFormat(String kind, int versions, long contentBytes, long sideBytes) {
        this(kind, versions, contentBytes, sideBytes, "");
    }

    /** Returns the format in which the slot holds one version of the value. */
    public static RowFormat plain(Schema schema) {
        return new RowFormat(PLAIN, 1, schema.length() + schema.key().areaBytes(), 0);
    }

    /**
     * Returns the distance from one block to the next. Blocks of tuples begin at half a cache line. A package of up to
     * 32 bytes then lies in one line, and most longer packages lie in as few lines as possible.
     */
    public long sideStride() {
        return kind.equals(TupleLayout.KIND) ? sideBytes + HALF_LINE - 1 & -HALF_LINE : sideBytes;
    }

    public boolean isPlain() {
        return kind.equals(PLAIN);
    }

    /** Returns the text that the catalog keeps after the number of slots; empty for plain. */
    String text() {
        return isPlain()
                ? ""
                : "/" + kind + "/" + versions + "/" + contentBytes + "/" + sideBytes + (why.isEmpty() ? "" : "/" + why);
    }

    /** Reads the text that {@link #text} wrote after the number of slots. */
    static RowFormat parse(String[] parts, Schema schema) {
        if (parts.length == 1) return plain(schema);
        return new RowFormat(
                parts[1],
                Integer.parseInt(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                parts.length > 5 ? parts[5] : "");
    }
}
