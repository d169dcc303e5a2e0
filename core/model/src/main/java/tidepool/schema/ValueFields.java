package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.UUID;
import tidepool.schema.AttributeType.Kind;

/**
 * Handles like {@link Fields}, to attributes that are more than a number or a text of a fixed room. All of them take
 * attributes that may be null: {@link Field#isNull} tells, {@link Field#setNull} writes null, and every other write
 * ends it. What they read of a null is zero or empty, and null where they return an object. Methods without objects of
 * the JDK allocate nothing:
 *
 * <pre>{@code
 * InstantField paid = schema.instantField("paid");
 * paid.set(value, 0, now.getEpochSecond(), now.getNano());
 * }</pre>
 */
public final class ValueFields {
    private ValueFields() {}

    private static long content(Attribute attribute, long offset) {
        return offset + attribute.offset() + attribute.type().head();
    }

    /** Returns where the content lies, after the mark that it is there. */
    private static long marked(Attribute attribute, MemorySegment memory, long offset) {
        Fields.mark(attribute, memory, offset);
        return content(attribute, offset);
    }

    private static int contentBytes(Attribute attribute) {
        return attribute.bytes() - attribute.type().head();
    }

    /** Reads and writes a number, character or truth value that may be null. */
    public record NullableField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public NullableField {
            if (!attribute.type().isNullable() || !attribute.type().kind().isPrimitive())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' is " + attribute.type()
                        + ", not a number, char or boolean that may be null");
        }

        /** Returns a whole number or character; 0 for null. */
        public long getLong(MemorySegment memory, long offset) {
            long at = content(attribute, offset);
            return switch (attribute.type().kind()) {
                case BYTE -> memory.get(ValueLayout.JAVA_BYTE, at);
                case SHORT -> memory.get(Unaligned.I16, at);
                case INT -> memory.get(Unaligned.I32, at);
                case LONG -> memory.get(Unaligned.I64, at);
                case CHAR -> memory.get(Unaligned.UTF16, at);
                default -> throw other("a whole number");
            };
        }

        /** Writes a whole number or character; refuses one that does not fit. */
        public void setLong(MemorySegment memory, long offset, long value) {
            Kind kind = attribute.type().kind();
            long cut =
                    switch (kind) {
                        case BYTE -> (byte) value;
                        case SHORT -> (short) value;
                        case INT -> (int) value;
                        case LONG -> value;
                        case CHAR -> (char) value;
                        default -> throw other("a whole number");
                    };
            if (cut != value)
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' is " + attribute.type() + " and cannot hold " + value);
            long at = marked(attribute, memory, offset);
            switch (kind) {
                case BYTE -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
                case SHORT -> memory.set(Unaligned.I16, at, (short) value);
                case INT -> memory.set(Unaligned.I32, at, (int) value);
                case LONG -> memory.set(Unaligned.I64, at, value);
                default -> memory.set(Unaligned.UTF16, at, (char) value);
            }
        }

        /** Returns a float or double; 0 for null. */
        public double getDouble(MemorySegment memory, long offset) {
            long at = content(attribute, offset);
            return switch (attribute.type().kind()) {
                case FLOAT -> memory.get(Unaligned.F32, at);
                case DOUBLE -> memory.get(Unaligned.F64, at);
                default -> throw other("a float or double");
            };
        }

        /** Writes a float or double; a float is rounded. */
        public void setDouble(MemorySegment memory, long offset, double value) {
            switch (attribute.type().kind()) {
                case FLOAT -> memory.set(Unaligned.F32, marked(attribute, memory, offset), (float) value);
                case DOUBLE -> memory.set(Unaligned.F64, marked(attribute, memory, offset), value);
                default -> throw other("a float or double");
            }
        }

        /** Returns a truth value; false for null. */
        public boolean getBoolean(MemorySegment memory, long offset) {
            if (attribute.type().kind() != Kind.BOOLEAN) throw other("a boolean");
            return Unaligned.getByte(memory, content(attribute, offset)) != 0;
        }

        /** Writes a truth value. */
        public void setBoolean(MemorySegment memory, long offset, boolean value) {
            if (attribute.type().kind() != Kind.BOOLEAN) throw other("a boolean");
            Unaligned.putByte(memory, marked(attribute, memory, offset), value ? 1 : 0);
        }

        private IllegalArgumentException other(String what) {
            return new IllegalArgumentException(
                    "attribute '" + attribute.name() + "' is " + attribute.type() + ", not " + what);
        }
    }

    /** Reads and writes an {@code Instant}. */
    public record InstantField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public InstantField {
            Field.require(attribute, Kind.INSTANT);
        }

        /** Returns the seconds since 1970. */
        public long seconds(MemorySegment memory, long offset) {
            return Unaligned.getLong(memory, content(attribute, offset));
        }

        /** Returns the nanoseconds of the second. */
        public int nanos(MemorySegment memory, long offset) {
            return Unaligned.getInt(memory, content(attribute, offset) + Long.BYTES);
        }

        /** Writes seconds since 1970 and nanoseconds; refuses what is no instant. */
        public void set(MemorySegment memory, long offset, long seconds, int nanos) {
            if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond())
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' is an instant, which " + seconds + " s are not");
            time(attribute, memory, offset, seconds, nanos);
        }

        /** Returns the instant as a new object. */
        public Instant get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            return LeafForm.instant(memory, content(attribute, offset), attribute.name());
        }

        /** Writes an instant. */
        public void set(MemorySegment memory, long offset, Instant value) {
            Fields.requireValue(attribute, value);
            time(attribute, memory, offset, value.getEpochSecond(), value.getNano());
        }
    }

    private static void time(Attribute attribute, MemorySegment memory, long offset, long seconds, int nanos) {
        if (nanos < 0 || nanos > 999_999_999)
            throw new IllegalArgumentException(
                    "attribute '" + attribute.name() + "' takes 0 to 999999999 nanoseconds, not " + nanos);
        long at = marked(attribute, memory, offset);
        Unaligned.putLong(memory, at, seconds);
        Unaligned.putInt(memory, at + Long.BYTES, nanos);
    }

    /** Reads and writes a {@code Duration}. */
    public record DurationField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public DurationField {
            Field.require(attribute, Kind.DURATION);
        }

        /** Returns the seconds. */
        public long seconds(MemorySegment memory, long offset) {
            return Unaligned.getLong(memory, content(attribute, offset));
        }

        /** Returns the nanoseconds, which are never negative. */
        public int nanos(MemorySegment memory, long offset) {
            return Unaligned.getInt(memory, content(attribute, offset) + Long.BYTES);
        }

        /** Writes seconds and nanoseconds. */
        public void set(MemorySegment memory, long offset, long seconds, int nanos) {
            time(attribute, memory, offset, seconds, nanos);
        }

        /** Returns the duration as a new object. */
        public Duration get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            return LeafForm.duration(memory, content(attribute, offset), attribute.name());
        }

        /** Writes a duration. */
        public void set(MemorySegment memory, long offset, Duration value) {
            Fields.requireValue(attribute, value);
            time(attribute, memory, offset, value.toSeconds(), value.toNanosPart());
        }
    }

    /** Reads and writes a {@code LocalDate}. */
    public record DateField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public DateField {
            Field.require(attribute, Kind.DATE);
        }

        /** Returns the days since 1970-01-01. */
        public long day(MemorySegment memory, long offset) {
            return Unaligned.getLong(memory, content(attribute, offset));
        }

        /** Writes the days since 1970-01-01; refuses what is no date. */
        public void set(MemorySegment memory, long offset, long day) {
            if (day < LocalDate.MIN.toEpochDay() || day > LocalDate.MAX.toEpochDay())
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' is a date, which day " + day + " is not");
            Unaligned.putLong(memory, marked(attribute, memory, offset), day);
        }

        /** Returns the date as a new object. */
        public LocalDate get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            return LeafForm.date(memory, content(attribute, offset), attribute.name());
        }

        /** Writes a date. */
        public void set(MemorySegment memory, long offset, LocalDate value) {
            Fields.requireValue(attribute, value);
            set(memory, offset, value.toEpochDay());
        }
    }

    /** Reads and writes a {@code UUID}. */
    public record UuidField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public UuidField {
            Field.require(attribute, Kind.UUID);
        }

        /** Returns the upper eight bytes. */
        public long upper(MemorySegment memory, long offset) {
            return Unaligned.getLong(memory, content(attribute, offset));
        }

        /** Returns the lower eight bytes. */
        public long lower(MemorySegment memory, long offset) {
            return Unaligned.getLong(memory, content(attribute, offset) + Long.BYTES);
        }

        /** Writes both halves. */
        public void set(MemorySegment memory, long offset, long upper, long lower) {
            long at = marked(attribute, memory, offset);
            Unaligned.putLong(memory, at, upper);
            Unaligned.putLong(memory, at + Long.BYTES, lower);
        }

        /** Returns the UUID as a new object. */
        public UUID get(MemorySegment memory, long offset) {
            return isNull(memory, offset) ? null : new UUID(upper(memory, offset), lower(memory, offset));
        }

        /** Writes a UUID. */
        public void set(MemorySegment memory, long offset, UUID value) {
            Fields.requireValue(attribute, value);
            set(memory, offset, value.getMostSignificantBits(), value.getLeastSignificantBits());
        }
    }

    /** Reads and writes a {@code BigDecimal}; {@code 1.50} and {@code 1.5} remain different. */
    public record DecimalField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public DecimalField {
            Field.require(attribute, Kind.DECIMAL);
        }

        /** Returns the number of digits after the point; a negative one stands for zeros before it. */
        public int scale(MemorySegment memory, long offset) {
            return DecimalBytes.scale(memory, content(attribute, offset));
        }

        /** Returns the number without its point; refuses one beyond a long. */
        public long unscaled(MemorySegment memory, long offset) {
            long at = content(attribute, offset);
            if (!DecimalBytes.isLong(memory, at, contentBytes(attribute)))
                throw new ArithmeticException("attribute '" + attribute.name() + "' holds more than a long");
            return DecimalBytes.unscaledLong(memory, at, contentBytes(attribute));
        }

        /** Writes {@code unscaled} with {@code scale} digits after the point; refuses too large a number. */
        public void set(MemorySegment memory, long offset, long unscaled, int scale) {
            if (digits(unscaled) > attribute.type().length())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' holds at most "
                        + attribute.type().length() + " digits, not " + unscaled);
            long at = marked(attribute, memory, offset);
            DecimalBytes.write(unscaled, scale, memory, at, contentBytes(attribute));
        }

        private static int digits(long number) {
            int digits = 1;
            for (long left = number / 10; left != 0; left /= 10) digits++;
            return digits;
        }

        /** Returns the number as a new object. */
        public BigDecimal get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            return DecimalBytes.read(memory, content(attribute, offset), contentBytes(attribute));
        }

        /** Writes a number; refuses one with more digits than its maximum. */
        public void set(MemorySegment memory, long offset, BigDecimal value) {
            Fields.requireValue(attribute, value);
            DecimalBytes.checked(value, attribute.type().length(), attribute.name());
            long at = marked(attribute, memory, offset);
            DecimalBytes.write(value, memory, at, contentBytes(attribute));
        }
    }

    /** Reads and writes a constant of an enum, by its name or by its code. */
    public record EnumField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public EnumField {
            Field.require(attribute, Kind.ENUM);
        }

        /** Returns the code of a name, to be kept and used with {@link #set}. Refuses an unknown name. */
        public int codeOf(String constant) {
            int code = attribute.type().constants().indexOf(constant);
            if (code >= 0) return code;
            throw new IllegalArgumentException("attribute '" + attribute.name() + "' is "
                    + attribute.type().required() + ", without " + SchemaText.quote(constant));
        }

        /** Returns the code: the place of the name among all names, sorted. */
        public int code(MemorySegment memory, long offset) {
            return EnumForm.code(attribute.type(), memory, content(attribute, offset), attribute.name());
        }

        /** Writes the constant of a code. */
        public void set(MemorySegment memory, long offset, int code) {
            Objects.checkIndex(code, attribute.type().constants().size());
            EnumForm.putCode(attribute.type(), memory, marked(attribute, memory, offset), code);
        }

        /** Returns the name of the constant. */
        public String get(MemorySegment memory, long offset) {
            return isNull(memory, offset) ? null : attribute.type().constants().get(code(memory, offset));
        }

        /** Writes a constant by its name; refuses an unknown one. */
        public void set(MemorySegment memory, long offset, String constant) {
            Fields.requireValue(attribute, constant);
            set(memory, offset, codeOf(constant));
        }
    }

    /** Reads and writes a string with a count of its bytes, in which U+0000 may occur. */
    public record VarStringField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public VarStringField {
            Field.require(attribute, Kind.VARSTRING);
        }

        /** Returns how many bytes of UTF-8 the string has. */
        public int length(MemorySegment memory, long offset) {
            return counted(attribute, memory, offset);
        }

        /** Copies the UTF-8 to {@code target}, beginning at {@code at}; returns how many bytes it has. */
        public int get(MemorySegment memory, long offset, byte[] target, int at) {
            return copyOut(attribute, memory, offset, target, at);
        }

        /** Writes the string that {@code length} bytes of UTF-8 in {@code source} spell, beginning at {@code from}. */
        public void set(MemorySegment memory, long offset, byte[] source, int from, int length) {
            Objects.checkFromIndexSize(from, length, source.length);
            requireFits(length);
            if (!Utf8.isStorable(source, from, length, true))
                throw new IllegalArgumentException(
                        "attribute '" + attribute.name() + "' takes UTF-8; these bytes are not");
            copyIn(attribute, memory, offset, source, from, length);
        }

        /** Returns the string as a new object. */
        public String get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            long at = content(attribute, offset) + AttributeType.COUNT_BYTES;
            return LeafForm.text(memory, at, length(memory, offset), true, attribute.name());
        }

        /** Writes a string; allocates nothing. */
        public void set(MemorySegment memory, long offset, String value) {
            Fields.requireValue(attribute, value);
            int length = Utf8.length(value, attribute.name(), true);
            requireFits(length);
            long at = marked(attribute, memory, offset);
            Unaligned.putCount(memory, at, length);
            Utf8.write(value, memory, at + AttributeType.COUNT_BYTES);
            clearAfter(attribute, memory, at, length);
        }

        private void requireFits(int length) {
            if (length > attribute.type().length())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' holds at most "
                        + attribute.type().length() + " bytes of UTF-8, not " + length);
        }
    }

    /** Reads and writes bytes with a count: those of a {@code varbytes[n]}, and those of a codec. */
    public record VarBytesField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public VarBytesField {
            if (attribute.type().kind() != Kind.CODEC) Field.require(attribute, Kind.VARBYTES);
        }

        /** Returns how many bytes there are. */
        public int length(MemorySegment memory, long offset) {
            return counted(attribute, memory, offset);
        }

        /** Copies the bytes to {@code target}, beginning at {@code at}; returns how many they are. */
        public int get(MemorySegment memory, long offset, byte[] target, int at) {
            return copyOut(attribute, memory, offset, target, at);
        }

        /** Writes {@code length} bytes of {@code source}, beginning at {@code from}. */
        public void set(MemorySegment memory, long offset, byte[] source, int from, int length) {
            Objects.checkFromIndexSize(from, length, source.length);
            if (length > attribute.type().length())
                throw new IllegalArgumentException("attribute '" + attribute.name() + "' holds at most "
                        + attribute.type().length() + " bytes, not " + length);
            copyIn(attribute, memory, offset, source, from, length);
        }

        /** Returns all bytes in a new array. */
        public byte[] get(MemorySegment memory, long offset) {
            if (isNull(memory, offset)) return null;
            long at = content(attribute, offset) + AttributeType.COUNT_BYTES;
            return LeafForm.bytes(memory, at, length(memory, offset));
        }

        /** Writes a whole array. */
        public void set(MemorySegment memory, long offset, byte[] value) {
            Fields.requireValue(attribute, value);
            set(memory, offset, value, 0, value.length);
        }
    }

    private static int counted(Attribute attribute, MemorySegment memory, long offset) {
        int count = Unaligned.getCount(memory, content(attribute, offset));
        return Form.sound(count, attribute.type().length(), attribute.name());
    }

    private static int copyOut(Attribute attribute, MemorySegment memory, long offset, byte[] target, int at) {
        int length = counted(attribute, memory, offset);
        long from = content(attribute, offset) + AttributeType.COUNT_BYTES;
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, target, at, length);
        return length;
    }

    private static void copyIn(
            Attribute attribute, MemorySegment memory, long offset, byte[] source, int from, int length) {
        long at = marked(attribute, memory, offset);
        Unaligned.putCount(memory, at, length);
        MemorySegment.copy(source, from, memory, ValueLayout.JAVA_BYTE, at + AttributeType.COUNT_BYTES, length);
        clearAfter(attribute, memory, at, length);
    }

    /** Writes zeros from the end of a content of {@code length} bytes to the end of the attribute. */
    private static void clearAfter(Attribute attribute, MemorySegment memory, long at, long length) {
        Utf8.fill(memory, at + AttributeType.COUNT_BYTES + length, at + contentBytes(attribute));
    }

    /** Reads and writes whether a nested record is there; its attributes have handles of their own. */
    public record PresentField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public PresentField {
            Field.require(attribute, Kind.PRESENT);
        }

        /** Returns whether the record is there. */
        public boolean get(MemorySegment memory, long offset) {
            return Unaligned.getByte(memory, offset + attribute.offset()) != 0;
        }

        /** Writes whether the record is there; leaves its attributes as they are. */
        public void set(MemorySegment memory, long offset, boolean isPresent) {
            Unaligned.putByte(memory, offset + attribute.offset(), isPresent ? 1 : 0);
        }
    }

    /**
     * Tells where the elements of a list lie. They follow each other without holes, so numbers in them are read with
     * layouts that are not aligned.
     */
    public record ListField(Attribute attribute) implements Field {
        /** Refuses an attribute of another type. */
        public ListField {
            Field.require(attribute, Kind.LIST);
        }

        /** Returns the number of elements. */
        public int count(MemorySegment memory, long offset) {
            return counted(attribute, memory, offset);
        }

        /** Returns where an element begins in the memory of the value that begins at {@code offset}. */
        public long at(long offset, int index) {
            Objects.checkIndex(index, attribute.type().length());
            return content(attribute, offset)
                    + AttributeType.COUNT_BYTES
                    + (long) index * attribute.type().element().bytes();
        }

        /** Writes the number of elements; clears all bytes after them. */
        public void setCount(MemorySegment memory, long offset, int count) {
            ListForm.requireFits(count, attribute.type().length(), attribute.name());
            long at = marked(attribute, memory, offset);
            Unaligned.putCount(memory, at, count);
            clearAfter(
                    attribute,
                    memory,
                    at,
                    (long) count * attribute.type().element().bytes());
        }
    }
}
