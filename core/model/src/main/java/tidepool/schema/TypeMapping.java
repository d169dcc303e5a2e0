package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
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
            case STRING, VARSTRING, VARBYTES, LONGSTRING, LONGBYTES, DECIMAL ->
                wide.kind() == narrow.kind() && wide.length() >= narrow.length();
            case CODEC, LONGCODEC ->
                wide.kind() == narrow.kind() && wide.codec().equals(narrow.codec()) && wide.length() >= narrow.length();
            case LIST, LONGLIST ->
                wide.kind() == narrow.kind()
                        && wide.element().equals(narrow.element())
                        && wide.length() >= narrow.length();
            case ENUM -> wide.kind() == Kind.ENUM && wide.constants().containsAll(narrow.constants());
            case PRESENT, RECORD -> false;
            default -> wide.required().equals(narrow.required());
        };
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
