package tidepool.schema;

import java.lang.foreign.MemorySegment;

/** A writer of one column of an entry from an object, for bounds of ranges. */
final class IndexBound {
    private IndexBound() {}

    static void write(String name, AttributeType type, Object value, byte[] out, int at) {
        if (value == null && !type.isNullable())
            throw new IllegalArgumentException("column '" + name + "' is " + type + ", which is never null");
        // The bytes of the column as they lie in a value, in zeros.
        MemorySegment cell = MemorySegment.ofArray(new byte[type.bytes()]);
        if (value != null) {
            if (type.isNullable()) Unaligned.putByte(cell, 0, 1);
            content(name, type, value, cell, type.head());
        }
        IndexKeys.encode(type, cell, out, at);
    }

    private static void content(String name, AttributeType type, Object value, MemorySegment cell, long at) {
        Object it =
                switch (type.kind()) {
                    case BYTE -> (byte) integer(name, type, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
                    case SHORT -> (short) integer(name, type, value, Short.MIN_VALUE, Short.MAX_VALUE);
                    case INT -> (int) integer(name, type, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case LONG -> integer(name, type, value, Long.MIN_VALUE, Long.MAX_VALUE);
                    case ENUM -> code(name, type, value);
                    default -> value;
                };
        if (type.kind() == AttributeType.Kind.ENUM) {
            EnumForm.putCode(type, cell, at, (int) it);
            return;
        }
        Class<?> held = boxed(type);
        if (!held.isInstance(it)) throw refused(name, type, value);
        new LeafForm(name, type.required()).write(it, cell, at);
    }

    private static Class<?> boxed(AttributeType type) {
        return switch (type.kind()) {
            case BYTE -> Byte.class;
            case SHORT -> Short.class;
            case INT -> Integer.class;
            case LONG -> Long.class;
            case FLOAT -> Float.class;
            case DOUBLE -> Double.class;
            case BOOLEAN -> Boolean.class;
            case CHAR -> Character.class;
            default -> type.kind().javaType();
        };
    }

    private static long integer(String name, AttributeType type, Object value, long least, long most) {
        if (!(value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte))
            throw refused(name, type, value);
        long number = ((Number) value).longValue();
        if (number < least || number > most)
            throw new IllegalArgumentException("column '" + name + "' is " + type + "; it cannot hold " + number);
        return number;
    }

    private static int code(String name, AttributeType type, Object value) {
        String constant = value instanceof Enum<?> it ? it.name() : value instanceof String text ? text : null;
        if (constant == null) throw refused(name, type, value);
        int code = type.constants().indexOf(constant);
        if (code < 0) throw new IllegalArgumentException("column '" + name + "' is " + type + ", without " + constant);
        return code;
    }

    private static IllegalArgumentException refused(String name, AttributeType type, Object value) {
        return new IllegalArgumentException("column '" + name + "' is " + type + ", not a "
                + value.getClass().getSimpleName());
    }
}
