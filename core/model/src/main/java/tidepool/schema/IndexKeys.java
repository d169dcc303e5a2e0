package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tidepool.base.Words;
import tidepool.schema.AttributeType.Kind;

/**
 * The encoder of the entries of one index. The bytes of two entries, compared as unsigned numbers, have the order of
 * their columns, and then that of their keys.
 *
 * <pre>
 *   +----------+----------+-------+--------------------------------+--------------+
 *   | column 0 | column 1 |  ...  | parts of the key that are not  | zeros up to  |
 *   |          |          |       | among the columns              | whole words  |
 *   +----------+----------+-------+--------------------------------+--------------+
 *   |&lt;------ prefixWidth -------&gt;|                                               |
 *   |&lt;-------------------------------- width -----------------------------------&gt;|
 * </pre>
 *
 * Every column has a fixed number of bytes:
 *
 * <pre>
 *   byte, short, int, long, date     big-endian, the sign bit flipped
 *   char, boolean, enum              big-endian; an enum is the place of its name among all names, sorted
 *   float, double                    in the order of Double.compare: the bits, big-endian, the sign bit flipped; all
 *                                    bits of a negative number; every NaN is the same
 *   instant, duration                seconds as a long, then four bytes of nanoseconds
 *   uuid                             16 bytes, in the order of its text
 *   string[n], bytes[n]              n bytes; a string is filled up with zeros
 *   varstring[n], varbytes[n]        n bytes, filled up with zeros, then their number in two bytes
 *   may be null                      a byte in front, 0 for null, which is followed by zeros, or 1
 *   a part of the key                as in {@link KeySchema}; a key that is one long as a long
 * </pre>
 *
 * <pre>{@code
 * IndexKeys keys = IndexKeys.of(orders, orders.index("by_customer"));
 * byte[] from = new byte[keys.width()];
 * int given = keys.bound(from, 0, 7, 42); // all entries of customer 42 of warehouse 7
 * byte[] end = from.clone();
 * boolean isBounded = IndexKeys.next(end, 0, given, keys.width());
 * }</pre>
 *
 * Immutable; any number of threads may use one encoder. Encoding allocates nothing.
 */
public final class IndexKeys {
    /** The maximum number of bytes of an entry. */
    public static final int MAX_WIDTH = 128;

    private static final VarHandle I64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong UPPER_FIRST =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /**
     * A column of the entries.
     *
     * @param type the type of its attribute or of its part of the key
     * @param from where it lies in the value, or in the bytes of the key
     * @param at where it lies in an entry
     * @param bytes how many bytes it has there
     * @param part the part of the key that it is; -1 for an attribute
     */
    private record Column(String name, AttributeType type, int from, int at, int bytes, int part) {
        boolean isKey() {
            return part >= 0;
        }
    }

    private final Schema schema;
    private final IndexSchema index;
    private final KeySchema key;
    private final Column[] columns;
    private final Column[] parts; // of the key, in its order
    private final int prefixWidth;
    private final int end; // after the last column
    private final int width;
    private final boolean needsValue;

    private IndexKeys(Schema schema, IndexSchema index) {
        this.schema = schema;
        this.index = index;
        this.key = schema.key();
        this.parts = new Column[key.parts()];
        List<Column> all = new ArrayList<>();
        int at = 0;
        for (String each : index.columns()) {
            Column column = column(each, at);
            all.add(column);
            at += column.bytes;
            if (column.isKey()) parts[column.part] = column;
        }
        this.prefixWidth = at;
        this.needsValue = all.stream().anyMatch(each -> !each.isKey());
        for (int part = 0; part < parts.length; part++) {
            if (parts[part] != null) continue;
            parts[part] = keyColumn(part, at);
            all.add(parts[part]);
            at += parts[part].bytes;
        }
        this.columns = all.toArray(Column[]::new);
        this.end = at;
        this.width = (at + Words.BYTES - 1) / Words.BYTES * Words.BYTES;
        if (width > MAX_WIDTH)
            throw new IllegalArgumentException("an entry of index '" + index.name() + "' of table '" + schema.name()
                    + "' would take " + width + " bytes with the key; at most " + MAX_WIDTH + " are possible");
    }

    /** Returns the encoder of an index. Refuses columns that the table lacks, that have no order, or are too long. */
    public static IndexKeys of(Schema schema, IndexSchema index) {
        return new IndexKeys(schema, index);
    }

    /** Refuses indexes that a table cannot have. */
    static void requireSound(Schema schema, List<IndexSchema> all) {
        if (all.size() > IndexSchema.MAX_INDEXES)
            throw new IllegalArgumentException("table '" + schema.name() + "' has " + all.size() + " indexes; at most "
                    + IndexSchema.MAX_INDEXES + " are possible");
        Set<String> names = new HashSet<>();
        Set<Integer> numbers = new HashSet<>();
        for (IndexSchema each : all) {
            if (!names.add(each.name()))
                throw new IllegalArgumentException(
                        "table '" + schema.name() + "' has two indexes named '" + each.name() + "'");
            if (!numbers.add(each.number()))
                throw new IllegalArgumentException(
                        "table '" + schema.name() + "' has two indexes with number " + each.number());
            of(schema, each);
        }
    }

    private Column column(String name, int at) {
        for (Attribute each : schema.attributes()) {
            if (!each.name().equals(name)) continue;
            requireOrder(each);
            return new Column(name, each.type(), each.offset(), at, each.bytes(), -1);
        }
        int part = key.find(name);
        if (part >= 0) return keyColumn(part, at);
        throw new IllegalArgumentException("index '" + index.name() + "' of table '" + schema.name()
                + "' has a column '" + name + "', which is neither an attribute nor a part of the key: "
                + key.text() + schema.attributes().stream().map(Attribute::text).toList());
    }

    private Column keyColumn(int part, int at) {
        if (key.isLong()) return new Column(key.name(0), AttributeType.LONG, 0, at, Words.BYTES, 0);
        KeySchema.Part it = key.part(part);
        return new Column(it.name(), key.type(part), it.offset(), at, it.bytes(), part);
    }

    private void requireOrder(Attribute attribute) {
        String help =
                switch (attribute.type().kind()) {
                    case DECIMAL -> "an attribute with the number in its smallest unit, a long, has an order";
                    case LIST, LONGLIST, RECORD -> "a table of its own with a row for each element can have an index";
                    case CODEC, LONGCODEC -> "an attribute of a type of its own next to it can be a column";
                    case LONGSTRING, LONGBYTES ->
                        "a text or bytes with @Length of up to 256 bytes can be a column, or"
                                + " an attribute with the first bytes";
                    case PRESENT -> "an attribute of the nested record can be a column if the record is never null";
                    default -> null;
                };
        if (help != null)
            throw new IllegalArgumentException("index '" + index.name() + "' of table '" + schema.name()
                    + "' has column '" + attribute.name() + "', and " + attribute.type()
                    + " has no order of bytes; " + help);
        for (Attribute each : schema.attributes())
            if (each.type().kind() == Kind.PRESENT && attribute.name().startsWith(each.name() + "."))
                throw new IllegalArgumentException("index '" + index.name() + "' of table '" + schema.name()
                        + "' has column '" + attribute.name() + "', which is absent if '" + each.name()
                        + "' is null; a component of the record itself, which may be null, can be a column");
    }

    // ---- accessors

    /** Returns the bytes of an entry: a multiple of eight, at most {@value #MAX_WIDTH}. */
    public int width() {
        return width;
    }

    /** Returns the bytes of the declared columns. */
    public int prefixWidth() {
        return prefixWidth;
    }

    /** Returns whether an entry depends on the value of a row, and not on its key alone. */
    public boolean needsValue() {
        return needsValue;
    }

    /** Returns the index. */
    public IndexSchema index() {
        return index;
    }

    /** Returns the schema of the table. */
    public Schema schema() {
        return schema;
    }

    // ---- entries of rows

    /**
     * Writes the entry of a row.
     *
     * @param row memory with the value, which begins at {@code value}; not read if no column {@link #needsValue}
     * @param keyWord the key if it is narrow or one long
     * @param keyBytes memory with the bytes of the key, which begin at {@code keyAt}; not read unless the key is wide
     * @param out gets {@link #width} bytes, beginning at {@code at}
     */
    public void encode(
            MemorySegment row, long value, long keyWord, MemorySegment keyBytes, long keyAt, byte[] out, int at) {
        for (Column each : columns) {
            int to = at + each.at;
            if (!each.isKey()) encode(each.type, row, value + each.from, out, to, each.bytes);
            else if (key.isLong()) I64.set(out, to, keyWord ^ Long.MIN_VALUE);
            else if (key.isWide())
                MemorySegment.copy(keyBytes, ValueLayout.JAVA_BYTE, keyAt + each.from, out, to, each.bytes);
            else put(out, to, each.bytes, keyWord >>> (key.encoded() - each.from - each.bytes) * Byte.SIZE);
        }
        pad(out, at);
    }

    /** Writes the entry of a row, with a key that has all parts. */
    public void encode(MemorySegment row, long value, RowKey rowKey, byte[] out, int at) {
        for (Column each : columns) {
            if (each.isKey()) copyPart(each, rowKey, out, at + each.at);
            else encode(each.type, row, value + each.from, out, at + each.at, each.bytes);
        }
        pad(out, at);
    }

    private void copyPart(Column part, RowKey from, byte[] out, int to) {
        System.arraycopy(from.bytes(), part.from, out, to, part.bytes);
        if (key.isLong()) out[to] ^= (byte) 0x80;
    }

    private void pad(byte[] out, int at) {
        for (int i = end; i < width; i++) out[at + i] = 0;
    }

    private static void encode(AttributeType type, MemorySegment row, long from, byte[] out, int to, int bytes) {
        if (!type.isNullable()) {
            content(type, row, from, out, to, bytes);
        } else if (Unaligned.getByte(row, from) == 0) {
            Arrays.fill(out, to, to + bytes, (byte) 0);
        } else {
            out[to] = 1;
            content(type, row, from + 1, out, to + 1, bytes - 1);
        }
    }

    private static void content(AttributeType type, MemorySegment row, long from, byte[] out, int to, int bytes) {
        switch (type.kind()) {
            case BYTE -> out[to] = (byte) (Unaligned.getByte(row, from) ^ 0x80);
            case BOOLEAN -> out[to] = (byte) (Unaligned.getByte(row, from) == 0 ? 0 : 1);
            case SHORT -> put(out, to, Short.BYTES, row.get(Unaligned.I16, from) ^ 0x8000);
            case CHAR -> put(out, to, Character.BYTES, row.get(Unaligned.UTF16, from));
            case INT -> put(out, to, Integer.BYTES, Unaligned.getInt(row, from) ^ Integer.MIN_VALUE);
            case LONG, DATE -> I64.set(out, to, Unaligned.getLong(row, from) ^ Long.MIN_VALUE);
            case FLOAT -> put(out, to, Float.BYTES, ordered(row.get(Unaligned.F32, from)));
            case DOUBLE -> I64.set(out, to, ordered(row.get(Unaligned.F64, from)));
            case ENUM -> put(out, to, bytes, bytes == 1 ? Unaligned.getByte(row, from) : Unaligned.getCount(row, from));
            case INSTANT, DURATION -> time(out, to, Unaligned.getLong(row, from), Unaligned.getInt(row, from + 8));
            case UUID -> {
                I64.set(out, to, Unaligned.getLong(row, from));
                I64.set(out, to + Words.BYTES, Unaligned.getLong(row, from + Words.BYTES));
            }
            case STRING, BYTES -> MemorySegment.copy(row, ValueLayout.JAVA_BYTE, from, out, to, bytes);
            case VARSTRING, VARBYTES -> {
                int room = type.length();
                int length = Math.min(Unaligned.getCount(row, from), room);
                MemorySegment.copy(row, ValueLayout.JAVA_BYTE, from + AttributeType.COUNT_BYTES, out, to, length);
                Arrays.fill(out, to + length, to + room, (byte) 0);
                put(out, to + room, AttributeType.COUNT_BYTES, length);
            }
            default -> throw new AssertionError(type);
        }
    }

    private static void time(byte[] out, int to, long seconds, int nanos) {
        I64.set(out, to, seconds ^ Long.MIN_VALUE);
        put(out, to + Words.BYTES, Integer.BYTES, nanos);
    }

    private static int ordered(float number) {
        int bits = Float.floatToIntBits(number);
        return bits ^ (bits >> Integer.SIZE - 1 | Integer.MIN_VALUE);
    }

    private static long ordered(double number) {
        long bits = Double.doubleToLongBits(number);
        return bits ^ (bits >> Long.SIZE - 1 | Long.MIN_VALUE);
    }

    private static void put(byte[] out, int to, int bytes, long number) {
        for (int i = 0; i < bytes; i++) out[to + i] = (byte) (number >>> (bytes - 1 - i) * Byte.SIZE);
    }

    // ---- keys of entries

    /** Takes the key of a row from its entry; returns {@code into}. */
    public RowKey key(byte[] entry, int at, RowKey into) {
        if (!into.schema().equals(key))
            throw new IllegalArgumentException("a key is " + key + ", not " + into.schema());
        byte[] bytes = into.bytes();
        for (Column each : parts) System.arraycopy(entry, at + each.at, bytes, each.from, each.bytes);
        if (key.isLong()) bytes[0] ^= (byte) 0x80;
        return into.filled();
    }

    /** Returns the word of a key that is narrow or one long, from an entry. */
    public long keyWord(byte[] entry, int at) {
        if (key.isWide()) throw new IllegalStateException("a wide key has more than its word: " + key);
        if (key.isLong()) return (long) I64.get(entry, at + parts[0].at) ^ Long.MIN_VALUE;
        long word = 0;
        for (Column each : parts)
            for (int i = 0; i < each.bytes; i++) word = word << Byte.SIZE | entry[at + each.at + i] & 0xff;
        return word;
    }

    /** Returns whether a column is null. A unique index may have any number of entries with such a column. */
    public boolean hasNull(byte[] entry, int at) {
        for (Column each : columns)
            if (!each.isKey() && each.type.isNullable() && entry[at + each.at] == 0) return true;
        return false;
    }

    // ---- bounds of ranges

    /**
     * Writes the first columns of an entry, and then parts of the key that are no columns, from objects of the types
     * that a record has for them; an enum may be the name of a constant. The rest of the entry is zero, so no entry
     * with these columns is below it.
     *
     * @return the number of bytes that the values take
     */
    public int bound(byte[] out, int at, Object... values) {
        if (values.length > columns.length)
            throw new IllegalArgumentException("an entry of index '" + index.name() + "' has " + columns.length
                    + " columns with the key, not " + values.length + ": "
                    + Arrays.stream(columns).map(Column::name).toList());
        Arrays.fill(out, at, at + width, (byte) 0);
        RowKey parts = null;
        int given = 0;
        for (int i = 0; i < values.length; i++) {
            Column column = columns[i];
            if (column.isKey()) {
                if (parts == null) parts = key.newKey();
                copyPart(column, parts.set(column.part, values[i]), out, at + column.at);
            } else {
                IndexBound.write(column.name, column.type, values[i], out, at + column.at);
            }
            given = column.at + column.bytes;
        }
        return given;
    }

    /**
     * Turns a prefix of an entry into the smallest one above all entries with that prefix.
     *
     * @return false if there is none, because all bytes of the prefix are 0xff; then the bytes stay as they are
     */
    public static boolean next(byte[] entry, int at, int prefixBytes, int width) {
        int last = prefixBytes - 1;
        while (last >= 0 && entry[at + last] == -1) last--;
        if (last < 0) return false;
        entry[at + last]++;
        Arrays.fill(entry, at + last + 1, at + width, (byte) 0);
        return true;
    }

    /** Compares bytes of two entries. */
    public static int compare(byte[] one, int oneAt, byte[] other, int otherAt, int bytes) {
        return Arrays.compareUnsigned(one, oneAt, oneAt + bytes, other, otherAt, otherAt + bytes);
    }

    /** Compares bytes of an entry in memory with those of one in an array. */
    public static int compare(MemorySegment memory, long oneAt, byte[] other, int otherAt, int bytes) {
        int i = 0;
        for (; i + Words.BYTES <= bytes; i += Words.BYTES) {
            long one = memory.get(UPPER_FIRST, oneAt + i);
            long two = (long) I64.get(other, otherAt + i);
            if (one != two) return Long.compareUnsigned(one, two);
        }
        for (; i < bytes; i++) {
            int one = memory.get(ValueLayout.JAVA_BYTE, oneAt + i) & 0xff;
            int two = other[otherAt + i] & 0xff;
            if (one != two) return one - two;
        }
        return 0;
    }

    /** Writes a column from an attribute that lies at the beginning of memory as it does in a value. */
    static void encode(AttributeType type, MemorySegment attribute, byte[] out, int to) {
        encode(type, attribute, 0, out, to, type.bytes());
    }

    @Override
    public String toString() {
        return schema.name() + " " + index;
    }
}
