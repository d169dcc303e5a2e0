package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidepool.base.Words;
import tidepool.schema.AttributeType.Kind;

/**
 * A key of a table, with a value for each of its parts. It is filled by part and used for any number of accesses:
 *
 * <pre>{@code
 * RowKey key = lines.schema().key().newKey();
 * key.setString(0, "alice");
 * key.setLong(1, 7);
 * int other = txn.read(lines, key);
 * }</pre>
 *
 * An access copies the key, so the object can be filled again at once. {@link KeySchema} has the layout of the bytes.
 * Belongs to one thread.
 */
public final class RowKey {
    private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final KeySchema schema;
    private final byte[] bytes; // whole words, the parts from the front
    private boolean[] isSet;
    private long word;
    private boolean isHashed;

    RowKey(KeySchema schema) {
        this.schema = schema;
        this.bytes = new byte[schema.isWide() ? schema.areaBytes() : Words.BYTES];
        this.isSet = new boolean[schema.parts()];
    }

    /** Returns the shape of the key. */
    public KeySchema schema() {
        return schema;
    }

    /** Returns a copy, which later changes of this key leave as it is. */
    public RowKey copy() {
        RowKey copy = new RowKey(schema);
        System.arraycopy(bytes, 0, copy.bytes, 0, bytes.length);
        copy.isSet = isSet.clone();
        return copy;
    }

    // ---- setters

    /** Sets all parts, in their order. Refuses another number of values, and values of another type. */
    public RowKey set(Object... values) {
        if (values == null || values.length != schema.parts())
            throw new IllegalArgumentException("a key has " + schema.parts() + " parts, not "
                    + (values == null ? 0 : values.length) + ": " + schema);
        for (int part = 0; part < values.length; part++) set(part, values[part]);
        return this;
    }

    /** Sets a part. Integers of any type are possible where the part can hold their value. */
    public RowKey set(int part, Object value) {
        if (value == null) throw new IllegalArgumentException("part '" + schema.name(part) + "' of a key is null");
        return switch (schema.type(part).kind()) {
            case STRING -> value instanceof String text ? setString(part, text) : refuse(part, value);
            case BYTES -> value instanceof byte[] content ? setBytes(part, content) : refuse(part, value);
            case BOOLEAN -> value instanceof Boolean is ? setLong(part, is ? 1 : 0) : refuse(part, value);
            case CHAR -> value instanceof Character c ? setLong(part, c) : refuse(part, value);
            case ENUM ->
                value instanceof Enum<?> constant
                        ? setEnum(part, constant.name())
                        : value instanceof String name ? setEnum(part, name) : refuse(part, value);
            case INSTANT ->
                value instanceof Instant at ? setInstant(part, at.getEpochSecond(), at.getNano()) : refuse(part, value);
            case DATE -> value instanceof LocalDate date ? setLong(part, date.toEpochDay()) : refuse(part, value);
            case UUID ->
                value instanceof UUID id
                        ? setUuid(part, id.getMostSignificantBits(), id.getLeastSignificantBits())
                        : refuse(part, value);
            default ->
                value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte
                        ? setLong(part, ((Number) value).longValue())
                        : refuse(part, value);
        };
    }

    private RowKey refuse(int part, Object value) {
        throw new IllegalArgumentException("part '" + schema.name(part) + "' of a key is " + schema.type(part)
                + ", not a " + value.getClass().getSimpleName() + ": " + schema);
    }

    /**
     * Sets a part that is an integer, a {@code char} by its number, a {@code boolean} by 0 or 1, or a date by the days
     * since 1970-01-01.
     */
    public RowKey setLong(int part, long value) {
        if (schema.isLong()) {
            requirePart(part);
            Numbers.put(bytes, 0, Words.BYTES, value);
        } else {
            KeySchema.Part it = schema.part(part);
            Numbers.require(it, value);
            Numbers.put(
                    bytes,
                    it.offset(),
                    it.bytes(),
                    it.kind() == Kind.CHAR || it.kind() == Kind.BOOLEAN ? value : value ^ Numbers.sign(it.bytes()));
        }
        return changed(part);
    }

    /** Sets a part that is a string. Refuses one that is too long, with U+0000, or with half a surrogate pair. */
    public RowKey setString(int part, String value) {
        KeySchema.Part it = required(part, Kind.STRING);
        int length = Utf8.length(value, it.attribute());
        if (length > it.bytes()) throw tooLong(it, length, " of UTF-8");
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(text, 0, bytes, it.offset(), length);
        Arrays.fill(bytes, it.offset() + length, it.offset() + it.bytes(), (byte) 0);
        return changed(part);
    }

    /** Sets a part that is bytes. Refuses more bytes than it has room for. */
    public RowKey setBytes(int part, byte[] value) {
        KeySchema.Part it = required(part, Kind.BYTES);
        int room = it.bytes() - 1;
        if (value.length > room) throw tooLong(it, value.length, "");
        System.arraycopy(value, 0, bytes, it.offset(), value.length);
        Arrays.fill(bytes, it.offset() + value.length, it.offset() + room, (byte) 0);
        bytes[it.offset() + room] = (byte) value.length;
        return changed(part);
    }

    /** Sets a part that is an enum, by the name of a constant. */
    public RowKey setEnum(int part, String name) {
        KeySchema.Part it = required(part, Kind.ENUM);
        int code = it.attribute().type().constants().indexOf(name);
        if (code < 0)
            throw new IllegalArgumentException(
                    "part '" + it.name() + "' of a key is " + it.attribute().type() + ", without " + name);
        Numbers.put(bytes, it.offset(), it.bytes(), code);
        return changed(part);
    }

    /** Sets a part that is an instant, by its seconds since 1970 and its nanoseconds. */
    public RowKey setInstant(int part, long seconds, int nanos) {
        KeySchema.Part it = required(part, Kind.INSTANT);
        if (nanos < 0 || nanos > 999_999_999)
            throw new IllegalArgumentException("nanoseconds are 0 to 999999999, not " + nanos);
        Numbers.put(bytes, it.offset(), Words.BYTES, seconds ^ Long.MIN_VALUE);
        Numbers.put(bytes, it.offset() + Words.BYTES, Integer.BYTES, nanos);
        return changed(part);
    }

    /** Sets a part that is a UUID, by its halves. */
    public RowKey setUuid(int part, long upper, long lower) {
        KeySchema.Part it = required(part, Kind.UUID);
        Numbers.put(bytes, it.offset(), Words.BYTES, upper);
        Numbers.put(bytes, it.offset() + Words.BYTES, Words.BYTES, lower);
        return changed(part);
    }

    private static IllegalArgumentException tooLong(KeySchema.Part part, int length, String unit) {
        return new IllegalArgumentException("part '" + part.name() + "' of a key holds at most "
                + part.attribute().bytes() + " bytes" + unit + ", not " + length);
    }

    private RowKey changed(int part) {
        isSet[part] = true;
        isHashed = false;
        return this;
    }

    private void requirePart(int part) {
        if (part != 0) throw new IllegalArgumentException("a key has no part " + part + ": " + schema);
    }

    private KeySchema.Part required(int part, Kind kind) {
        if (schema.isLong()) throw new IllegalArgumentException("the key is a long, not a " + kind.text());
        KeySchema.Part found = schema.part(part);
        if (found.kind() == kind) return found;
        throw new IllegalArgumentException("part '" + found.name() + "' of a key is " + schema.type(part) + ", not "
                + kind.text() + ": " + schema);
    }

    // ---- getters

    /** Returns a part as an object of the type that a record has for it; an enum as the name of its constant. */
    public Object get(int part) {
        return switch (schema.type(part).kind()) {
            case STRING -> getString(part);
            case BYTES -> getBytes(part);
            case BOOLEAN -> getLong(part) != 0;
            case CHAR -> (char) getLong(part);
            case BYTE -> (byte) getLong(part);
            case SHORT -> (short) getLong(part);
            case INT -> (int) getLong(part);
            case DATE -> LocalDate.ofEpochDay(getLong(part));
            case ENUM, INSTANT, UUID -> getObject(schema.part(part));
            default -> getLong(part);
        };
    }

    private Object getObject(KeySchema.Part it) {
        if (it.kind() == Kind.ENUM)
            return it.attribute().type().constants().get((int) Numbers.get(bytes, it.offset(), it.bytes()));
        long first = Numbers.get(bytes, it.offset(), Words.BYTES);
        int second = it.offset() + Words.BYTES;
        return it.kind() == Kind.UUID
                ? new UUID(first, Numbers.get(bytes, second, Words.BYTES))
                : Instant.ofEpochSecond(first ^ Long.MIN_VALUE, Numbers.get(bytes, second, Integer.BYTES));
    }

    /** Returns a part that {@link #setLong} can set. */
    public long getLong(int part) {
        if (schema.isLong()) return Numbers.get(bytes, 0, Words.BYTES);
        KeySchema.Part it = schema.part(part);
        long number = Numbers.get(bytes, it.offset(), it.bytes());
        if (it.kind() == Kind.CHAR || it.kind() == Kind.BOOLEAN) return number;
        int unused = Long.SIZE - it.bytes() * Byte.SIZE;
        return (number ^ Numbers.sign(it.bytes())) << unused >> unused;
    }

    /** Returns a part that is a string. */
    public String getString(int part) {
        KeySchema.Part it = required(part, Kind.STRING);
        int length = 0;
        while (length < it.bytes() && bytes[it.offset() + length] != 0) length++;
        return new String(bytes, it.offset(), length, StandardCharsets.UTF_8);
    }

    /** Returns a part that is bytes, in a new array. */
    public byte[] getBytes(int part) {
        KeySchema.Part it = required(part, Kind.BYTES);
        int length = Math.min(bytes[it.offset() + it.bytes() - 1] & 0xff, it.bytes() - 1);
        return Arrays.copyOfRange(bytes, it.offset(), it.offset() + length);
    }

    // ---- for accesses

    /** Returns the word of the key: the key itself if it is narrow, otherwise a hash. All parts must be set. */
    public long word() {
        if (isHashed) return word;
        for (int part = 0; part < isSet.length; part++)
            if (!isSet[part])
                throw new IllegalArgumentException("part '" + schema.name(part) + "' of a key is not set: " + schema);
        word = schema.isWide() ? KeySchema.hash(bytes) : Numbers.get(bytes, 0, schema.encoded());
        isHashed = true;
        return word;
    }

    /** Copies the bytes of a wide key to memory, beginning at an offset that is a multiple of eight. */
    public void copyTo(MemorySegment memory, long offset) {
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, schema.areaBytes());
    }

    /** Returns whether memory has the bytes of this wide key, beginning at an offset that is a multiple of eight. */
    public boolean isAt(MemorySegment memory, long offset) {
        for (int at = 0; at < schema.areaBytes(); at += Words.BYTES)
            if (Words.plain(memory, offset + at) != word(bytes, at)) return false;
        return true;
    }

    /** Takes all parts of another key of the same shape. */
    public RowKey setFrom(RowKey other) {
        if (!other.schema.equals(schema))
            throw new IllegalArgumentException("a key is " + schema + ", not " + other.schema);
        System.arraycopy(other.bytes, 0, bytes, 0, bytes.length);
        System.arraycopy(other.isSet, 0, isSet, 0, isSet.length);
        isHashed = false;
        return this;
    }

    /** Takes a narrow key from its word. */
    public RowKey setWord(long narrow) {
        if (schema.isWide()) throw new IllegalStateException("a wide key has more than its word: " + schema);
        Numbers.put(bytes, 0, schema.encoded(), narrow);
        Arrays.fill(isSet, true);
        isHashed = false;
        return this;
    }

    /** Takes a key from a row: from its bytes if it is wide, otherwise from its word. */
    public RowKey setFrom(MemorySegment memory, long offset, long rowWord) {
        if (!schema.isWide()) return setWord(rowWord);
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, schema.areaBytes());
        Arrays.fill(isSet, true);
        isHashed = false;
        return this;
    }

    /** Returns the bytes of all parts, one after the other; a key that is one long has its sign bit as it is. */
    byte[] bytes() {
        return bytes;
    }

    /** Takes bytes that were written into {@link #bytes}. */
    RowKey filled() {
        Arrays.fill(isSet, true);
        isHashed = false;
        return this;
    }

    static long word(byte[] bytes, int at) {
        return (long) LITTLE.get(bytes, at);
    }

    // ---- equality: by the parts

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey key && Arrays.equals(key.bytes, bytes) && key.schema.equals(schema);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the parts for people: {@code 17}, {@code 'alice'}, {@code ('alice', 7)}. */
    @Override
    public String toString() {
        if (schema.parts() == 1) return text(0);
        return IntStream.range(0, schema.parts()).mapToObj(this::text).collect(Collectors.joining(", ", "(", ")"));
    }

    private String text(int part) {
        Object value = get(part);
        if (value instanceof byte[] content) return "x'" + HexFormat.of().formatHex(content) + "'";
        return value instanceof String || value instanceof Character ? "'" + value + "'" : value.toString();
    }

    /** Integers of one to eight bytes, big-endian. */
    private static final class Numbers {
        static void put(byte[] bytes, int at, int length, long value) {
            for (int i = 0; i < length; i++) bytes[at + i] = (byte) (value >>> (length - 1 - i) * Byte.SIZE);
        }

        static long get(byte[] bytes, int at, int length) {
            long value = 0;
            for (int i = 0; i < length; i++) value = value << Byte.SIZE | bytes[at + i] & 0xff;
            return value;
        }

        static long sign(int bytes) {
            return 1L << bytes * Byte.SIZE - 1;
        }

        static void require(KeySchema.Part part, long value) {
            boolean fits =
                    switch (part.kind()) {
                        case BOOLEAN -> value == 0 || value == 1;
                        case CHAR -> value == (char) value;
                        case BYTE -> value == (byte) value;
                        case SHORT -> value == (short) value;
                        case INT -> value == (int) value;
                        case LONG, DATE -> true;
                        default ->
                            throw new IllegalArgumentException("part '" + part.name() + "' of a key is "
                                    + part.attribute().type() + ", not a number");
                    };
            if (!fits)
                throw new IllegalArgumentException("part '" + part.name() + "' of a key is "
                        + part.attribute().type() + "; it cannot hold " + value);
        }
    }
}
