package tidepool.schema;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import tidepool.schema.AttributeType.Kind;

/**
 * Handles that read and write single attributes in memory that has landed, without allocation. A handle is made once,
 * and is refused then if the type is wrong:
 *
 * <pre>{@code
 * LongField balance = schema.longField("balance");
 * balance.set(value, 0, balance.get(value, 0) - 5);
 * }</pre>
 *
 * {@code offset} is always where the <em>value</em> begins in the memory, a multiple of eight; the handle knows where
 * in the value its attribute lies. The memory must be native, as for {@link tidepool.base.Words}.
 */
public final class Fields {
    static final ValueLayout.OfShort I16 = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfChar UTF16 = ValueLayout.JAVA_CHAR.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Fields() {}

    /** Reads and writes a {@code byte}. */
    public record ByteField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public ByteField {
            Field.require(attribute, Kind.BYTE);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public byte get(MemorySegment memory, long offset) {
            return memory.get(ValueLayout.JAVA_BYTE, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, byte value) {
            memory.set(ValueLayout.JAVA_BYTE, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code short}. */
    public record ShortField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public ShortField {
            Field.require(attribute, Kind.SHORT);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public short get(MemorySegment memory, long offset) {
            return memory.get(I16, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, short value) {
            memory.set(I16, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes an {@code int}. */
    public record IntField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public IntField {
            Field.require(attribute, Kind.INT);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public int get(MemorySegment memory, long offset) {
            return memory.get(U32, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, int value) {
            memory.set(U32, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code long}. */
    public record LongField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public LongField {
            Field.require(attribute, Kind.LONG);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public long get(MemorySegment memory, long offset) {
            return memory.get(U64, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, long value) {
            memory.set(U64, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code float}. */
    public record FloatField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public FloatField {
            Field.require(attribute, Kind.FLOAT);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public float get(MemorySegment memory, long offset) {
            return memory.get(F32, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, float value) {
            memory.set(F32, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code double}. */
    public record DoubleField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public DoubleField {
            Field.require(attribute, Kind.DOUBLE);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public double get(MemorySegment memory, long offset) {
            return memory.get(F64, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, double value) {
            memory.set(F64, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code char}. */
    public record CharField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public CharField {
            Field.require(attribute, Kind.CHAR);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public char get(MemorySegment memory, long offset) {
            return memory.get(UTF16, offset + attribute.offset());
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, char value) {
            memory.set(UTF16, offset + attribute.offset(), value);
        }
    }

    /** Reads and writes a {@code boolean}, one byte that is 0 or 1. */
    public record BooleanField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public BooleanField {
            Field.require(attribute, Kind.BOOLEAN);
        }

        /** Reads it from the value that begins at {@code offset}. */
        public boolean get(MemorySegment memory, long offset) {
            return memory.get(ValueLayout.JAVA_BYTE, offset + attribute.offset()) != 0;
        }

        /** Writes it into the value that begins at {@code offset}. */
        public void set(MemorySegment memory, long offset, boolean value) {
            memory.set(ValueLayout.JAVA_BYTE, offset + attribute.offset(), (byte) (value ? 1 : 0));
        }
    }

    /** Copies a fixed number of bytes out and in. */
    public record BytesField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public BytesField {
            Field.require(attribute, Kind.BYTES);
        }

        private long start(long offset) {
            return offset + attribute.offset() + attribute.type().head();
        }

        /** Copies all bytes of the attribute to {@code target}, beginning at {@code at}. */
        public void get(MemorySegment memory, long offset, byte[] target, int at) {
            MemorySegment.copy(
                    memory,
                    ValueLayout.JAVA_BYTE,
                    start(offset),
                    target,
                    at,
                    attribute.type().length());
        }

        /** Copies as many bytes as the attribute has from {@code source}, beginning at {@code from}. */
        public void set(MemorySegment memory, long offset, byte[] source, int from) {
            mark(attribute, memory, offset);
            MemorySegment.copy(
                    source,
                    from,
                    memory,
                    ValueLayout.JAVA_BYTE,
                    start(offset),
                    attribute.type().length());
        }

        /** Returns all bytes in a new array; null if they are null. */
        public byte[] get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            byte[] bytes = new byte[attribute.type().length()];
            get(memory, offset, bytes, 0);
            return bytes;
        }

        /** Writes a whole array, which must have exactly the length of the attribute. */
        public void set(MemorySegment memory, long offset, byte[] value) {
            write(memory, offset, checked(value));
        }

        byte[] checked(byte[] value) {
            requireValue(attribute, value);
            if (value.length != attribute.type().length())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' takes exactly "
                        + attribute.type().length() + " bytes, not " + value.length);
            return value;
        }

        void write(MemorySegment memory, long offset, byte[] checked) {
            set(memory, offset, checked, 0);
        }
    }

    /**
     * Reads and writes a string. Nothing is changed when one is refused: too long, U+0000 in it, half a surrogate pair,
     * or bytes that are not UTF-8.
     */
    public record StringField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public StringField {
            Field.require(attribute, Kind.STRING);
        }

        private long start(long offset) {
            return offset + attribute.offset() + attribute.type().head();
        }

        /** Returns how many bytes of UTF-8 the stored string has. */
        public int length(MemorySegment memory, long offset) {
            long from = start(offset);
            int length = 0;
            while (length < attribute.type().length() && memory.get(ValueLayout.JAVA_BYTE, from + length) != 0)
                length++;
            return length;
        }

        /** Copies the string as UTF-8 to {@code target}, beginning at {@code at}; returns how many bytes it has. */
        public int get(MemorySegment memory, long offset, byte[] target, int at) {
            int length = length(memory, offset);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, start(offset), target, at, length);
            return length;
        }

        /** Writes the string that {@code length} bytes of UTF-8 in {@code source} spell, beginning at {@code from}. */
        public void set(MemorySegment memory, long offset, byte[] source, int from, int length) {
            Objects.checkFromIndexSize(from, length, source.length);
            requireFits(length);
            if (!Utf8.isStorable(source, from, length))
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' takes UTF-8 without zero bytes; these bytes are not");
            mark(attribute, memory, offset);
            long start = start(offset);
            MemorySegment.copy(source, from, memory, ValueLayout.JAVA_BYTE, start, length);
            Utf8.fill(memory, start + length, start + attribute.type().length());
        }

        /**
         * Returns the string as a new object; null if it is null. Refuses bytes that are not UTF-8: this class did not
         * write them.
         */
        public String get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            byte[] bytes = new byte[length(memory, offset)];
            get(memory, offset, bytes, 0);
            if (!Utf8.isStorable(bytes, 0, bytes.length))
                throw new IllegalStateException(
                        "attribute '" + attribute.name() + "' holds bytes that are not UTF-8: the value is damaged");
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /** Writes a string; allocates nothing. */
        public void set(MemorySegment memory, long offset, String value) {
            write(memory, offset, checked(value));
        }

        String checked(String value) {
            requireValue(attribute, value);
            requireFits(Utf8.length(value, attribute));
            return value;
        }

        void write(MemorySegment memory, long offset, String checked) {
            mark(attribute, memory, offset);
            long start = start(offset);
            Utf8.fill(
                    memory,
                    Utf8.write(checked, memory, start),
                    start + attribute.type().length());
        }

        private void requireFits(int length) {
            if (length > attribute.type().length())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' holds at most "
                        + attribute.type().length() + " bytes of UTF-8, not " + length);
        }
    }

    static void requireValue(Attribute attribute, Object value) {
        if (value == null) throw Form.isNull(attribute.name());
    }

    /** Writes that an attribute which may be null has a content. */
    static void mark(Attribute attribute, MemorySegment memory, long offset) {
        if (attribute.type().isNullable()) Unaligned.putByte(memory, offset + attribute.offset(), 1);
    }
}
