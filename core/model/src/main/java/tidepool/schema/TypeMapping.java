package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import tidepool.schema.AttributeType.Kind;

/** The conversion of a content from one type to another one, and which conversions there are. */
final class TypeMapping {
    private TypeMapping() {}

    /** Returns whether every value of the narrow type is one of the wide one, and there is a conversion both ways. */
    static boolean isWider(AttributeType wide, AttributeType narrow) {
        if (wide.equals(narrow)) return true;
        if (narrow.isNullable() && !wide.isNullable()) return false;
        return switch (narrow.kind()) {
            case BYTE, SHORT, INT, LONG -> isInteger(wide.kind()) && wide.kind().compareTo(narrow.kind()) >= 0;
            case FLOAT -> wide.kind() == Kind.FLOAT || wide.kind() == Kind.DOUBLE;
            case STRING, VARSTRING, BYTES, VARBYTES, CODEC, LONGSTRING, LONGBYTES, LONGCODEC, DECIMAL -> {
                boolean isAlike = becomesLong(wide, narrow) || wide.kind() == narrow.kind();
                boolean isFixed = narrow.kind() == Kind.BYTES && wide.kind() == Kind.BYTES;
                yield isAlike
                        && Objects.equals(wide.codec(), narrow.codec())
                        && (isFixed ? wide.length() == narrow.length() : wide.length() >= narrow.length());
            }
            case LIST, LONGLIST ->
                wide.kind() == narrow.kind()
                        && wide.element().equals(narrow.element())
                        && wide.length() >= narrow.length();
            case ENUM -> wide.kind() == Kind.ENUM && wide.constants().containsAll(narrow.constants());
            case PRESENT, RECORD -> false;
            default -> wide.required().equals(narrow.required());
        };
    }

    /** Returns whether a content with room in the row gets a type whose contents may lie in parts. */
    static boolean becomesLong(AttributeType wide, AttributeType narrow) {
        return switch (narrow.kind()) {
            case STRING, VARSTRING -> wide.kind() == Kind.LONGSTRING;
            case BYTES, VARBYTES -> wide.kind() == Kind.LONGBYTES;
            case CODEC -> wide.kind() == Kind.LONGCODEC;
            default -> false;
        };
    }

    /** Returns the bytes of a content that {@link #becomesLong}, at an attribute that begins there; 0 for null. */
    static int lengthInRow(AttributeType type, MemorySegment memory, long at) {
        if (type.isNullable() && Unaligned.getByte(memory, at) == 0) return 0;
        return switch (type.kind()) {
            case BYTES -> type.length();
            case STRING -> LeafForm.zeroFilled(memory, at + type.head(), type.length());
            default -> Unaligned.getCount(memory, at + type.head());
        };
    }

    /**
     * Converts a content that {@link #becomesLong}. What does not fit its slot is copied to {@code place} of the memory
     * of the slot. Returns the end of what was copied there.
     */
    static long convertToLong(
            AttributeType from,
            MemorySegment source,
            long at,
            AttributeType to,
            MemorySegment into,
            long to0,
            long place) {
        Unaligned.clear(into, to0, to.bytes());
        if (from.isNullable() && Unaligned.getByte(source, at) == 0) return place;
        if (to.isNullable()) Unaligned.putByte(into, to0, 1);
        int length = lengthInRow(from, source, at);
        boolean isCounted = from.kind() != Kind.STRING && from.kind() != Kind.BYTES;
        long begin = at + from.head() + (isCounted ? AttributeType.COUNT_BYTES : 0);
        return ContentField.putAnywhere(source, begin, length, into, to0 + to.head(), place);
    }

    /** Converts a long content to one with room in the row. Refuses one that has no room there. */
    private static void fromLong(
            AttributeType from,
            MemorySegment source,
            long at,
            AttributeType to,
            MemorySegment into,
            long put,
            String name) {
        int length = ContentField.length(source, at, from, name);
        requireLength(name, length, "bytes", to);
        if (to.kind() == Kind.BYTES && length != to.length()) throw MisfitException.of(name, length + " bytes", to);
        boolean isCounted = to.kind() != Kind.STRING && to.kind() != Kind.BYTES;
        long begin = isCounted ? put + AttributeType.COUNT_BYTES : put;
        long place = ContentField.place(source, at, length, name);
        if (to.kind() == Kind.STRING)
            for (int i = 0; i < length; i++)
                if (Unaligned.getByte(source, place + i) == 0) throw MisfitException.of(name, "U+0000", to);
        if (isCounted) Unaligned.putCount(into, put, length);
        MemorySegment.copy(source, place, into, begin, length);
    }

    private static boolean isInteger(Kind kind) {
        return kind == Kind.BYTE || kind == Kind.SHORT || kind == Kind.INT || kind == Kind.LONG;
    }

    /** Converts a content. Refuses one that the second type cannot hold. */
    static void convert(
            AttributeType from,
            MemorySegment source,
            long at,
            AttributeType to,
            MemorySegment into,
            long to0,
            String name) {
        Unaligned.clear(into, to0, to.bytes());
        if (from.equals(to)) {
            MemorySegment.copy(source, at, into, to0, to.bytes());
            return;
        }
        if (from.isNullable() && Unaligned.getByte(source, at) == 0) {
            if (!to.isNullable()) throw MisfitException.of(name, "null", to);
            return;
        }
        if (to.isNullable()) Unaligned.putByte(into, to0, 1);
        content(from, source, at + from.head(), to, into, to0 + to.head(), name);
    }

    private static void content(
            AttributeType from,
            MemorySegment source,
            long at,
            AttributeType to,
            MemorySegment into,
            long put,
            String name) {
        switch (from.kind()) {
            case BYTE, SHORT, INT, LONG -> {
                long value = integer(from.kind(), source, at);
                if (!putInteger(to.kind(), into, put, value)) throw MisfitException.of(name, value, to);
            }
            case FLOAT, DOUBLE -> {
                double value =
                        from.kind() == Kind.FLOAT ? source.get(Unaligned.F32, at) : source.get(Unaligned.F64, at);
                if (to.kind() == Kind.DOUBLE) into.set(Unaligned.F64, put, value);
                else if (Double.isNaN(value) || (float) value == value) into.set(Unaligned.F32, put, (float) value);
                else throw MisfitException.of(name, value, to);
            }
            case STRING -> {
                int length = LeafForm.zeroFilled(source, at, from.length());
                requireLength(name, length, "bytes", to);
                MemorySegment.copy(source, at, into, put, length);
            }
            case VARSTRING, VARBYTES, CODEC -> {
                int length = Unaligned.getCount(source, at);
                requireLength(name, length, "bytes", to);
                MemorySegment.copy(source, at, into, put, AttributeType.COUNT_BYTES + (long) length);
            }
            case LIST -> {
                int count = Unaligned.getCount(source, at);
                requireLength(name, count, "elements", to);
                long bytes = (long) count * from.element().bytes();
                MemorySegment.copy(source, at, into, put, AttributeType.COUNT_BYTES + bytes);
            }
            case DECIMAL -> {
                BigDecimal value = DecimalBytes.read(source, at, from.bytes() - from.head());
                if (value.precision() > to.length()) throw MisfitException.of(name, value, to);
                DecimalBytes.write(value, into, put, to.bytes() - to.head());
            }
            case ENUM -> {
                List<String> constants = from.constants();
                String constant = constants.get(EnumForm.code(from, source, at, name));
                int code = to.constants().indexOf(constant);
                if (code < 0) throw MisfitException.of(name, constant, to);
                EnumForm.putCode(to, into, put, code);
            }
            case LONGSTRING, LONGBYTES, LONGLIST, LONGCODEC -> {
                if (!to.hasParts()) {
                    fromLong(from, source, at, to, into, put, name);
                    return;
                }
                int length = ContentField.length(source, at, from, name);
                if (length > to.contentBytes()) requireLength(name, length, "bytes", to);
                MemorySegment.copy(source, at, into, put, ContentField.SLOT_BYTES);
            }
            default -> MemorySegment.copy(source, at, into, put, from.bytes() - from.head());
        }
    }

    private static void requireLength(String name, int length, String unit, AttributeType to) {
        if (length > to.length()) throw MisfitException.of(name, length + " " + unit, to);
    }

    private static long integer(Kind kind, MemorySegment memory, long at) {
        return switch (kind) {
            case BYTE -> (byte) Unaligned.getByte(memory, at);
            case SHORT -> memory.get(Unaligned.I16, at);
            case INT -> Unaligned.getInt(memory, at);
            default -> Unaligned.getLong(memory, at);
        };
    }

    private static boolean putInteger(Kind kind, MemorySegment memory, long at, long value) {
        switch (kind) {
            case BYTE -> Unaligned.putByte(memory, at, (int) value);
            case SHORT -> memory.set(Unaligned.I16, at, (short) value);
            case INT -> Unaligned.putInt(memory, at, (int) value);
            default -> Unaligned.putLong(memory, at, value);
        }
        return integer(kind, memory, at) == value;
    }
}
