package tidepool.schema;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.UUID;
import tidepool.base.Checks;

/**
 * The type of an attribute, and its size in bytes. Numbers are little-endian. A string is UTF-8, filled up with zero
 * bytes; it may be shorter than its attribute and may not contain U+0000. Bytes have exactly the given length.
 *
 * <pre>{@code
 * AttributeType number = AttributeType.LONG; // long
 * AttributeType text = AttributeType.string(16).orNull(); // string[16]?
 * AttributeType ids = AttributeType.list(AttributeType.UUID, 4); // list<uuid>[4]
 * AttributeType state = AttributeType.parse("enum<NEW, PAID>?");
 * }</pre>
 *
 * <p>A type that may be null has a byte in front of its content: 1, or 0 and then zeros only. So equal values are equal
 * bytes. The types with a content of varying length begin with two bytes that count bytes or elements, and end with
 * zeros. Bytes of every type: {@code docs/guide/types.md}.
 */
public final class AttributeType {
    public static final AttributeType BYTE = of(Kind.BYTE);
    public static final AttributeType SHORT = of(Kind.SHORT);
    public static final AttributeType INT = of(Kind.INT);
    public static final AttributeType LONG = of(Kind.LONG);
    public static final AttributeType FLOAT = of(Kind.FLOAT);
    public static final AttributeType DOUBLE = of(Kind.DOUBLE);
    public static final AttributeType BOOLEAN = of(Kind.BOOLEAN);
    public static final AttributeType CHAR = of(Kind.CHAR);
    public static final AttributeType INSTANT = of(Kind.INSTANT);
    public static final AttributeType DURATION = of(Kind.DURATION);
    public static final AttributeType DATE = of(Kind.DATE);
    public static final AttributeType UUID = of(Kind.UUID);
    public static final AttributeType PRESENT = of(Kind.PRESENT);

    /** The most decimal digits of a {@link Kind#DECIMAL}. */
    public static final int MAX_DIGITS = 1000;

    /** The most bytes of a long text, of long bytes, of what a codec writes, and of a long list when it is packed. */
    public static final int MAX_CONTENT = 1 << 20;

    static final int COUNT_BYTES = 2;

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
        STRING(String.class, 0),
        /** Seconds since 1970 in eight bytes, nanoseconds in four. */
        INSTANT(Instant.class, 12),
        /** Seconds in eight bytes, nanoseconds in four. */
        DURATION(Duration.class, 12),
        /** Days since 1970-01-01, eight bytes. */
        DATE(LocalDate.class, 8),
        /** The upper eight bytes as a number, then the lower eight. */
        UUID(UUID.class, 16),
        /** The scale in four bytes, then the unscaled number in as many bytes as the declared digits need, signed. */
        DECIMAL(BigDecimal.class, 0),
        /** The place of a name in the list of all names, in one byte, or in two for more than 256 names. */
        ENUM(Enum.class, 0),
        /** A count of bytes, then UTF-8, in which U+0000 may occur. */
        VARSTRING(String.class, 0),
        /** A count of bytes, then as many bytes. */
        VARBYTES(byte[].class, 0),
        /** One byte, 0 or 1: whether a nested record is there, whose attributes follow. */
        PRESENT(boolean.class, 1),
        /** A count of elements, then the elements without holes. */
        LIST(List.class, 0),
        /** The attributes of a record without holes, in their order; only as the element of a list. */
        RECORD(Record.class, 0),
        /** A count of bytes, then bytes from a {@link Codec}. */
        CODEC(Object.class, 0),
        /** UTF-8 of any length up to the maximum, in a slot or in parts: {@link ContentField}. */
        LONGSTRING(String.class, 0),
        /** Bytes of any length up to the maximum, in a slot or in parts. */
        LONGBYTES(byte[].class, 0),
        /** A list whose elements are packed, in a slot or in parts. */
        LONGLIST(List.class, 0),
        /** What a {@link Codec} writes, in a slot or in parts. */
        LONGCODEC(Object.class, 0);

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

        /** Returns true for bytes and strings of the type's own length, whose length belongs to the type. */
        public boolean hasLength() {
            return this == BYTES || this == STRING;
        }

        /** Returns its word in the text form of a schema. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isPrimitive() {
            return javaType.isPrimitive() && this != PRESENT;
        }
    }

    private final Kind kind;
    private final int length; // the number in brackets; 0 for a kind without one
    private final boolean nullable;
    private final List<String> constants; // of ENUM, sorted
    private final AttributeType element; // of LIST
    private final List<Attribute> members; // of RECORD
    private final String codec; // of CODEC
    private final int bytes;
    private final String text;

    private AttributeType(
            Kind kind,
            int length,
            boolean nullable,
            List<String> constants,
            AttributeType element,
            List<Attribute> members,
            String codec) {
        this.kind = kind;
        this.length = length;
        this.nullable = nullable;
        this.constants = constants;
        this.element = element;
        this.members = members;
        this.codec = codec;
        this.text = SchemaText.print(this);
        long needed = (nullable ? 1 : 0) + content();
        if (needed > Schema.MAX_BYTES && !kind.hasLength())
            throw new IllegalArgumentException(SchemaText.quote(text) + " would take " + needed + " bytes; at most "
                    + Schema.MAX_BYTES + " are possible");
        this.bytes = (int) needed;
    }

    /** Makes the type of a kind that needs no more than its bytes; refuses a length that the kind cannot have. */
    public AttributeType(Kind kind, int bytes) {
        this(checked(kind, bytes), kind.hasLength() ? bytes : 0, false, List.of(), null, List.of(), null);
    }

    private static Kind checked(Kind kind, int bytes) {
        Checks.argument(kind != null, "a type needs a kind");
        if (kind.hasLength() && (bytes < 1 || bytes > Schema.MAX_BYTES))
            throw new IllegalArgumentException(
                    kind.text() + " takes a length from 1 to " + Schema.MAX_BYTES + " bytes, not " + bytes);
        if (!kind.hasLength() && kind.bytes == 0)
            throw new IllegalArgumentException(
                    kind.text() + " is more than a kind and a number of bytes: use the" + " method with this name");
        if (!kind.hasLength() && bytes != kind.bytes)
            throw new IllegalArgumentException(kind.text() + " always takes " + kind.bytes + " bytes, not " + bytes);
        return kind;
    }

    private long content() {
        return switch (kind) {
            case BYTES, STRING -> length;
            case VARSTRING, VARBYTES, CODEC -> (long) COUNT_BYTES + length;
            case DECIMAL -> DecimalBytes.bytes(length);
            case ENUM -> constants.size() <= 256 ? 1 : 2;
            case LIST -> COUNT_BYTES + (long) length * element.bytes;
            case RECORD -> members.stream().mapToLong(Attribute::bytes).sum();
            case LONGSTRING, LONGBYTES, LONGLIST, LONGCODEC -> ContentField.SLOT_BYTES;
            default -> kind.bytes;
        };
    }

    // ---- types

    /** Returns the type of exactly {@code length} bytes. */
    public static AttributeType bytes(int length) {
        return new AttributeType(Kind.BYTES, length);
    }

    /** Returns the type of a string of at most {@code length} bytes of UTF-8. */
    public static AttributeType string(int length) {
        return new AttributeType(Kind.STRING, length);
    }

    /** Returns the type of a string of at most {@code length} bytes of UTF-8, in which U+0000 may occur. */
    public static AttributeType varstring(int length) {
        return sized(Kind.VARSTRING, length, Schema.MAX_BYTES - COUNT_BYTES, "bytes", null, null);
    }

    /** Returns the type of at most {@code length} bytes. */
    public static AttributeType varbytes(int length) {
        return sized(Kind.VARBYTES, length, Schema.MAX_BYTES - COUNT_BYTES, "bytes", null, null);
    }

    /** Returns the type of a string of at most {@code length} bytes of UTF-8; a row has those that are used. */
    public static AttributeType longstring(int length) {
        return sized(Kind.LONGSTRING, length, MAX_CONTENT, "bytes", null, null);
    }

    /** Returns the type of at most {@code length} bytes; a row has those that are used. */
    public static AttributeType longbytes(int length) {
        return sized(Kind.LONGBYTES, length, MAX_CONTENT, "bytes", null, null);
    }

    /** Returns the type of a list of at most {@code most} elements, of which a row has the bytes that are used. */
    public static AttributeType longlist(AttributeType element, int most) {
        requireElement(element);
        return sized(Kind.LONGLIST, most, MAX_CONTENT, "elements", element, null);
    }

    /** Returns the type of what a {@link Codec} writes, of which a row has the bytes that are used. */
    public static AttributeType longcodec(String codec, int most) {
        return sized(Kind.LONGCODEC, most, MAX_CONTENT, "bytes", null, SchemaText.checkCodec(codec));
    }

    /** Returns the type of a decimal number of at most {@code digits} digits. */
    public static AttributeType decimal(int digits) {
        return sized(Kind.DECIMAL, digits, MAX_DIGITS, "digits", null, null);
    }

    /** Returns the type of a list of at most {@code most} elements. */
    public static AttributeType list(AttributeType element, int most) {
        requireElement(element);
        if (element.isLongInside())
            throw new IllegalArgumentException("a list of " + SchemaText.quote(element.text) + " is a longlist");
        return sized(Kind.LIST, most, Schema.MAX_BYTES - COUNT_BYTES, "elements", element, null);
    }

    private static void requireElement(AttributeType element) {
        Checks.argument(element != null, "a list needs the type of its elements");
        Checks.argument(
                element.kind != Kind.LIST && element.kind != Kind.LONGLIST,
                "a list of lists needs a record between them, which holds the inner list");
        Checks.argument(element.kind != Kind.PRESENT, "an element of a list that may be null is written with '?'");
    }

    /** Returns the type of what a {@link Codec} writes, at most {@code most} bytes; a codec is {@code name/version}. */
    public static AttributeType codec(String codec, int most) {
        return sized(Kind.CODEC, most, Schema.MAX_BYTES - COUNT_BYTES, "bytes", null, SchemaText.checkCodec(codec));
    }

    private static AttributeType sized(
            Kind kind, int length, int most, String what, AttributeType element, String codec) {
        if (length < 1 || length > most)
            throw new IllegalArgumentException(
                    kind.text() + " takes a length from 1 to " + most + " " + what + ", not " + length);
        return new AttributeType(kind, length, false, List.of(), element, List.of(), codec);
    }

    /**
     * Returns the type that holds one of these names. The names are sorted, so that the order in which a program
     * declares them does not matter.
     */
    public static AttributeType enumOf(Collection<String> names) {
        for (String each : names) SchemaText.checkName("constant", each);
        List<String> sorted = List.copyOf(new TreeSet<>(names));
        Checks.argument(!sorted.isEmpty(), "an enum needs at least one constant");
        Checks.argument(sorted.size() == names.size(), "an enum has a constant twice: " + names);
        return new AttributeType(Kind.ENUM, 0, false, sorted, null, List.of(), null);
    }

    /** Returns the type of records with these attributes, for elements of lists. */
    static AttributeType record(List<String> names, List<AttributeType> types) {
        Checks.argument(!names.isEmpty(), "a record in a list needs at least one attribute");
        if (names.size() > Schema.MAX_ATTRIBUTES)
            throw new IllegalArgumentException("a record in a list has " + names.size() + " attributes; at most "
                    + Schema.MAX_ATTRIBUTES + " are possible");
        List<Attribute> members = new ArrayList<>();
        int end = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Checks.argument(names.indexOf(name) == i, "attribute '" + name + "' of a record is declared twice");
            members.add(new Attribute(i, name, types.get(i), end));
            end += types.get(i).bytes;
        }
        return new AttributeType(Kind.RECORD, 0, false, List.of(), null, List.copyOf(members), null);
    }

    /** Reads the text of a type: {@code long?}, {@code list<string[8]>[4]}. */
    public static AttributeType parse(String text) {
        return SchemaText.parseType(text);
    }

    /** Returns the type of a kind that has no length of its own. */
    static AttributeType of(Kind kind) {
        return new AttributeType(kind, kind.bytes);
    }

    /** Returns this type with null as one more value. */
    public AttributeType orNull() {
        Checks.argument(kind != Kind.PRESENT, "a mark of presence is not null itself");
        return nullable ? this : new AttributeType(kind, length, true, constants, element, members, codec);
    }

    /** Returns this type without null. */
    public AttributeType required() {
        return nullable ? new AttributeType(kind, length, false, constants, element, members, codec) : this;
    }

    // ---- accessors

    public Kind kind() {
        return kind;
    }

    /** Returns the bytes that it takes in a value. */
    public int bytes() {
        return bytes;
    }

    /** Returns whether null is one of its values. */
    public boolean isNullable() {
        return nullable;
    }

    /** Returns the number in its brackets: most bytes, digits or elements; 0 if it has none. */
    public int length() {
        return length;
    }

    /** Returns the names of an enum in the order of their codes; empty for another kind. */
    public List<String> constants() {
        return constants;
    }

    /** Returns the type of the elements of a list; null for another kind. */
    public AttributeType element() {
        return element;
    }

    /** Returns the attributes of a record in a list, with their places in an element; empty for another kind. */
    public List<Attribute> members() {
        return members;
    }

    /** Returns name and version of a codec, {@code money/1}; null for another kind. */
    public String codec() {
        return codec;
    }

    /** Returns whether its content may lie in parts: {@link ContentField}. */
    public boolean hasParts() {
        return switch (kind) {
            case LONGSTRING, LONGBYTES, LONGLIST, LONGCODEC -> true;
            default -> false;
        };
    }

    /** Returns whether it, or an attribute of it, has a content of any length. */
    boolean isLongInside() {
        return hasParts() || members.stream().anyMatch(each -> each.type().isLongInside());
    }

    /** Returns the most bytes of a content that may lie in parts. */
    int contentBytes() {
        return kind == Kind.LONGLIST ? MAX_CONTENT : length;
    }

    /** Returns whether programs before this version knew the type. */
    boolean isPlain() {
        return !nullable && (kind.isPrimitive() || kind.hasLength());
    }

    /** Returns the number of bytes in front of the content: 1 if it may be null. */
    int head() {
        return nullable ? 1 : 0;
    }

    /** Returns the number of which the offset of such an attribute is a multiple; most types lie anywhere. */
    public int alignment() {
        if (nullable) return 1;
        return switch (kind) {
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BOOLEAN, CHAR -> bytes;
            case DATE, UUID -> 8;
            case INSTANT, DURATION -> 4;
            case ENUM -> bytes;
            default -> 1;
        };
    }

    /** Returns its text in the text form of a schema: {@code long}, {@code string[16]}. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AttributeType type && type.text.equals(text);
    }

    /** The hash of the text: the hash of an enum constant differs between runs. */
    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
