package tidepool.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import tidepool.schema.ContentField;
import tidepool.schema.Schema;

/**
 * The parts of a long content: rows of two hidden tables, which belong to a table with long attributes.
 *
 * <pre>
 *    content of 5000 bytes
 *    +-----------------------------------+-----+-----+-----+
 *    |  3582                             | 510 | 510 | 398 |      parts 7, 8, 9, 10 of transaction 3.41
 *    +-----------------------------------+-----+-----+-----+
 *     NAME.parts[3.41, 7]                 NAME.smallparts[3.41, 8] …
 * </pre>
 *
 * The key of a part is the id of the transaction that wrote it, and a number that counts the parts of this transaction.
 * So no part is ever changed, and no key is used again. Sizes and places follow from the length of the content. The
 * rest after the last whole large part becomes small parts, or one more large part if it is longer than half of one.
 */
public final class ContentParts {
    /** The bytes of content in a large part: its slot takes 57 cache lines. */
    public static final int LARGE_BYTES = 3582;

    /** The bytes of content in a small part: its slot takes 9 cache lines. */
    public static final int SMALL_BYTES = 510;

    private static final int MAX_IN_SMALL = LARGE_BYTES / 2;
    private static final String LARGE = ".parts";
    private static final String SMALL = ".smallparts";
    private static final String KEY = "[id:long, number:int]";
    private static final int COUNT_BYTES = 2;
    private static final ValueLayout.OfShort COUNT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ContentParts() {}

    // ---- the hidden tables

    /** Returns the schemas of the hidden tables of a table; none if no attribute of it can have parts. */
    static List<Schema> tablesOf(Schema schema) {
        List<Schema> tables = new ArrayList<>();
        for (String name : namesOf(schema)) {
            int bytes = name.endsWith(SMALL) ? SMALL_BYTES : LARGE_BYTES;
            tables.add(Schema.parse(name + KEY + "(content:varbytes[" + bytes + "])"));
        }
        return tables;
    }

    /** Returns the names of the hidden tables of a table: that of small parts, then that of large parts if needed. */
    public static List<String> namesOf(Schema schema) {
        int max = 0;
        for (ContentField each : schema.contents()) max = Math.max(max, each.maxBytes());
        if (max <= ContentField.MAX_IN_SLOT) return List.of();
        List<String> all = allNamesOf(schema);
        return max <= MAX_IN_SMALL ? all.subList(0, 1) : all;
    }

    /** Returns the names of the hidden tables that a table with this schema may have had in earlier versions. */
    static List<String> allNamesOf(Schema schema) {
        String owner = owner(schema);
        return List.of(owner + SMALL, owner + LARGE);
    }

    /** Returns the name of a table without that of its version: versions share their hidden tables. */
    static String owner(Schema schema) {
        String name = schema.name();
        return TableLayout.isVersion(name) ? name.substring(0, name.indexOf('.')) : name;
    }

    /** Returns whether a table has parts. */
    static boolean isOfParts(TableLayout table) {
        return table.name().endsWith(SMALL) || table.name().endsWith(LARGE);
    }

    // ---- the parts of a content

    /** Returns how many parts a content has. */
    public static int count(int length) {
        return large(length) + small(length);
    }

    /** Returns whether the i-th part of a content is a large one: these come first. */
    public static boolean isLarge(int length, int i) {
        return i < large(length);
    }

    /** Returns the name of the hidden table that has the i-th part of a content. */
    public static String nameOf(Schema schema, int length, int i) {
        return owner(schema) + (isLarge(length, i) ? LARGE : SMALL);
    }

    /** Returns where in a content its i-th part begins. */
    public static int from(int length, int i) {
        int large = large(length);
        return i <= large ? i * LARGE_BYTES : large * LARGE_BYTES + (i - large) * SMALL_BYTES;
    }

    /** Returns the bytes of the i-th part of a content. */
    public static int bytes(int length, int i) {
        return Math.min(isLarge(length, i) ? LARGE_BYTES : SMALL_BYTES, length - from(length, i));
    }

    private static int large(int length) {
        return length / LARGE_BYTES + (length % LARGE_BYTES > MAX_IN_SMALL ? 1 : 0);
    }

    private static int small(int length) {
        int rest = Math.max(0, length - large(length) * LARGE_BYTES);
        return (rest + SMALL_BYTES - 1) / SMALL_BYTES;
    }

    // ---- the value of a part

    /** Writes the value of a part, which is zeros before. */
    public static void put(byte[] content, int from, int bytes, MemorySegment memory, long value) {
        put(MemorySegment.ofArray(content), from, bytes, memory, value);
    }

    /** Writes the value of a part from content in memory. The value is zeros before. */
    public static void put(MemorySegment content, long from, int bytes, MemorySegment memory, long value) {
        memory.set(COUNT, value, (short) bytes);
        MemorySegment.copy(content, from, memory, value + COUNT_BYTES, bytes);
    }

    /** Returns how many bytes of content the value of a part has. */
    public static int length(MemorySegment memory, long value) {
        return memory.get(COUNT, value) & 0xffff;
    }

    /** Copies the content of a part. */
    public static void copy(MemorySegment memory, long value, int bytes, MemorySegment target, long at) {
        MemorySegment.copy(memory, value + COUNT_BYTES, target, at, bytes);
    }

    /** Returns whether the value of a part has these bytes. */
    public static boolean holds(MemorySegment memory, long value, byte[] content, int from, int bytes) {
        long begin = value + COUNT_BYTES;
        return length(memory, value) == bytes
                && MemorySegment.mismatch(
                                memory, begin, begin + bytes, MemorySegment.ofArray(content), from, from + bytes)
                        < 0;
    }
}
