package tidepool.schema;

import java.util.Locale;
import tidepool.base.Checks;

/**
 * The type of an attribute, and its size in bytes. Numbers are little-endian. A string is UTF-8, filled up with zero
 * bytes; it may be shorter than its attribute and may not contain U+0000. Bytes have exactly the given length.
 */
public record AttributeType(Kind kind, int bytes) {
    public static final AttributeType BYTE = of(Kind.BYTE);
    public static final AttributeType SHORT = of(Kind.SHORT);
    public static final AttributeType INT = of(Kind.INT);
    public static final AttributeType LONG = of(Kind.LONG);
    public static final AttributeType FLOAT = of(Kind.FLOAT);
    public static final AttributeType DOUBLE = of(Kind.DOUBLE);
    public static final AttributeType BOOLEAN = of(Kind.BOOLEAN);
    public static final AttributeType CHAR = of(Kind.CHAR);

    /** The kinds, with the Java type of each; a size of zero means that the attribute declares its length. */
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
        /** Exactly as many bytes as the type says. */
        BYTES(byte[].class, 0),
        /** UTF-8, at most as many bytes as the type says. */
        STRING(String.class, 0);

        private final Class<?> javaType;
        private final int bytes;

        Kind(Class<?> javaType, int bytes) {
            this.javaType = javaType;
            this.bytes = bytes;
        }

        /** Returns the type of a record component of this kind. */
        public Class<?> javaType() {
            return javaType;
        }

        /** Returns true for bytes and strings, whose length belongs to the type. */
        public boolean hasLength() {
            return bytes == 0;
        }

        /** Returns its word in the text form of a schema. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Refuses a length that the kind cannot have. */
    public AttributeType {
        Checks.argument(kind != null, "a type needs a kind");
        if (kind.hasLength() && (bytes < 1 || bytes > Schema.MAX_BYTES))
            throw new IllegalArgumentException(
                    kind.text() + " takes a length from 1 to " + Schema.MAX_BYTES + " bytes, not " + bytes);
        if (!kind.hasLength() && bytes != kind.bytes)
            throw new IllegalArgumentException(kind.text() + " always takes " + kind.bytes + " bytes, not " + bytes);
    }

    /** Returns the type of exactly {@code length} bytes. */
    public static AttributeType bytes(int length) {
        return new AttributeType(Kind.BYTES, length);
    }

    /** Returns the type of a string of at most {@code length} bytes of UTF-8. */
    public static AttributeType string(int length) {
        return new AttributeType(Kind.STRING, length);
    }

    /** Returns the type of a kind that has no length of its own. */
    static AttributeType of(Kind kind) {
        return new AttributeType(kind, kind.bytes);
    }

    /** Returns the number of which the offset of such an attribute is a multiple; bytes and strings lie anywhere. */
    public int alignment() {
        return kind.hasLength() ? 1 : bytes;
    }

    /** Returns its text in the text form of a schema: {@code long}, {@code string[16]}. */
    public String text() {
        return kind.hasLength() ? kind.text() + "[" + bytes + "]" : kind.text();
    }

    /** The hash of the text: the hash of an enum constant differs between runs. */
    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }
}
