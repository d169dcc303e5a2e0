package tidepool.store.schema;

import java.util.Locale;
import tidepool.base.Checks;

/**
 * What an attribute holds, and in how many bytes. Numbers are little-endian. A string is UTF-8, filled up with zero
 * bytes; it may be shorter than its attribute and may not contain U+0000. Bytes have exactly the given length.
 */
public record Type(Kind kind, int bytes) {
    public static final Type BYTE = of(Kind.BYTE);
    public static final Type SHORT = of(Kind.SHORT);
    public static final Type INT = of(Kind.INT);
    public static final Type LONG = of(Kind.LONG);
    public static final Type FLOAT = of(Kind.FLOAT);
    public static final Type DOUBLE = of(Kind.DOUBLE);
    public static final Type BOOLEAN = of(Kind.BOOLEAN);
    public static final Type CHAR = of(Kind.CHAR);

    /** The kinds, with the Java type of each; a size of zero means that the attribute says how long it is. */
    public enum Kind {
        /** Signed, one byte. */
        BYTE(byte.class, 1),
        /** Signed, two bytes. */
        SHORT(short.class, 2),
        /** Signed, four bytes. */
        INT(int.class, 4),
        /** Signed, eight bytes. */
        LONG(long.class, 8),
        /** IEEE 754, four bytes, NaN bits kept. */
        FLOAT(float.class, 4),
        /** IEEE 754, eight bytes, NaN bits kept. */
        DOUBLE(double.class, 8),
        /** One byte, 0 or 1. */
        BOOLEAN(boolean.class, 1),
        /** One UTF-16 unit, as in Java. */
        CHAR(char.class, 2),
        /** Exactly so many bytes as the type says. */
        BYTES(byte[].class, 0),
        /** UTF-8, at most so many bytes as the type says. */
        STRING(String.class, 0);

        private final Class<?> javaType;
        private final int bytes;

        Kind(Class<?> javaType, int bytes) {
            this.javaType = javaType;
            this.bytes = bytes;
        }

        /** The type of a record component that holds it. */
        public Class<?> javaType() {
            return javaType;
        }

        /** True for bytes and strings, whose length belongs to the type. */
        public boolean hasLength() {
            return bytes == 0;
        }

        /** The word for it in the text form of a schema. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Refuses a length that the kind cannot have. */
    public Type {
        Checks.argument(kind != null, "a type needs a kind");
        if (kind.hasLength() && (bytes < 1 || bytes > Schema.MOST_BYTES))
            throw new IllegalArgumentException(
                    kind.text() + " takes a length from 1 to " + Schema.MOST_BYTES + " bytes, not " + bytes);
        if (!kind.hasLength() && bytes != kind.bytes)
            throw new IllegalArgumentException(kind.text() + " always takes " + kind.bytes + " bytes, not " + bytes);
    }

    /** Exactly so many bytes. */
    public static Type bytes(int length) {
        return new Type(Kind.BYTES, length);
    }

    /** A string of at most so many bytes of UTF-8. */
    public static Type string(int length) {
        return new Type(Kind.STRING, length);
    }

    /** The type of a kind that has no length of its own. */
    static Type of(Kind kind) {
        return new Type(kind, kind.bytes);
    }

    /** The offset of such an attribute is a multiple of this; bytes and strings lie anywhere. */
    public int alignment() {
        return kind.hasLength() ? 1 : bytes;
    }

    /** As in the text form of a schema: {@code long}, {@code string[16]}. */
    public String text() {
        return kind.hasLength() ? kind.text() + "[" + bytes + "]" : kind.text();
    }

    /** Of the text: an enum's own hash differs between runs. */
    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
