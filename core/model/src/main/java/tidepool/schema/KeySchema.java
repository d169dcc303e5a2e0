package tidepool.schema;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.Words;
import tidepool.schema.AttributeType.Kind;

/**
 * The shape of the keys of a table: one {@code long}, or parts of several types in a fixed order.
 *
 * <p>Every key has one word, which says where its row lies and which the row has in its header. There are two forms:
 *
 * <pre>
 *   narrow   a long, or parts of at most 8 bytes: the word is the key
 *   wide     longer parts: the word is a hash, and the row has the bytes of the key at the end of its content
 *
 *            +-----------------------+----------------+-----------+
 *            |  content of the row   | key, n words   | checksum  |
 *            +-----------------------+----------------+-----------+
 * </pre>
 *
 * Two wide keys of one hash are two rows: an access compares the bytes wherever it compares the word.
 *
 * <pre>{@code
 * KeySchema shape = lines.schema().key(); // [order:string[12], number:int]
 * RowKey third = shape.keyOf("A-1009", 3);
 * }</pre>
 *
 * <p>The bytes of a key are sorted as its parts are, compared one after the other. Integers are big-endian with their
 * sign bit flipped, and so are the seconds of an instant, followed by its nanoseconds, and the days of a date. A string
 * is filled up with zeros and contains none. Bytes are filled up too, and their number follows them. An enum is the
 * place of its name among all names, sorted. A UUID has the order of its text.
 */
public final class KeySchema {
    /** The maximum number of bytes that the parts of a key have in all, as declared. */
    public static final int MAX_BYTES = 64;

    /** The maximum number of parts of a key. */
    public static final int MAX_PARTS = 16;

    /** The key of most tables: one {@code long}, or an {@code int}. It has no text in the schema. */
    public static final KeySchema LONG = new KeySchema(List.of());

    private final List<Part> parts; // empty for one long
    private final int encoded; // bytes
    private final int areaBytes; // 0 if narrow

    /** One part of a key. Its offset is where its bytes begin. */
    record Part(int number, Attribute attribute, int offset) {
        String name() {
            return attribute.name();
        }

        Kind kind() {
            return attribute.type().kind();
        }

        int bytes() {
            return encodedBytes(attribute.type());
        }
    }

    private KeySchema(List<Part> parts) {
        this.parts = parts;
        Part last = parts.isEmpty() ? null : parts.getLast();
        this.encoded = last == null ? Words.BYTES : last.offset + last.bytes();
        this.areaBytes = encoded <= Words.BYTES ? 0 : (encoded + Words.BYTES - 1) / Words.BYTES * Words.BYTES;
    }

    /** Returns the key of these parts. Refuses types that keys cannot have, and keys that are too long. */
    static KeySchema of(String table, List<Attribute> declared) {
        Checks.argument(!declared.isEmpty(), "the key of table '" + table + "' has no parts");
        if (declared.size() > MAX_PARTS)
            throw new IllegalArgumentException("the key of table '" + table + "' has " + declared.size()
                    + " parts; at most " + MAX_PARTS + " are possible");
        // One integer is a key of the older form, whatever its name.
        if (declared.size() == 1
                && (declared.getFirst().type().equals(AttributeType.LONG)
                        || declared.getFirst().type().equals(AttributeType.INT))) return LONG;
        List<Part> parts = new ArrayList<>();
        int declaredBytes = 0;
        int at = 0;
        for (Attribute each : declared) {
            if (!mayBeKey(each.type()))
                throw new IllegalArgumentException("part '" + each.name() + "' of the key of table '" + table + "' is "
                        + each.type() + "; a key holds " + POSSIBLE);
            parts.add(new Part(parts.size(), each, at));
            declaredBytes += each.bytes();
            at += encodedBytes(each.type());
        }
        if (declaredBytes > MAX_BYTES)
            throw new IllegalArgumentException("a key of table '" + table + "' would take " + declaredBytes
                    + " bytes; at most " + MAX_BYTES + " are possible");
        return new KeySchema(List.copyOf(parts));
    }

    /** The types that a key can have, for messages. */
    static final String POSSIBLE = "byte, short, int, long, boolean, char, enums, Instant, LocalDate, UUID, and String"
            + " and byte[] with @Length";

    private static final Set<Kind> KINDS = EnumSet.of(
            Kind.BYTE,
            Kind.SHORT,
            Kind.INT,
            Kind.LONG,
            Kind.BOOLEAN,
            Kind.CHAR,
            Kind.STRING,
            Kind.BYTES,
            Kind.ENUM,
            Kind.INSTANT,
            Kind.DATE,
            Kind.UUID);

    /** Returns whether keys can have parts of this type. Numbers with a fraction have two zeros and many NaNs. */
    static boolean mayBeKey(AttributeType type) {
        return KINDS.contains(type.kind()) && !type.isNullable();
    }

    /** Returns the bytes of a part: bytes of varying number are followed by their number. */
    private static int encodedBytes(AttributeType type) {
        return type.kind() == Kind.BYTES ? type.bytes() + 1 : type.bytes();
    }

    // ---- accessors

    /** Returns whether the key is one {@code long}, or an {@code int}, and so has no text in the schema. */
    public boolean isLong() {
        return parts.isEmpty();
    }

    /** Returns whether rows have the bytes of their key, because a word cannot hold them. */
    public boolean isWide() {
        return areaBytes > 0;
    }

    /** Returns the bytes that a row has for its key: a multiple of eight, 0 if the key is narrow. */
    public int areaBytes() {
        return areaBytes;
    }

    /** Returns how many parts a key has. */
    public int parts() {
        return isLong() ? 1 : parts.size();
    }

    /** Returns the name of a part; "key" for a key that is one {@code long}. */
    public String name(int part) {
        return isLong() ? "key" : parts.get(part).name();
    }

    /** Returns the type of a part. */
    public AttributeType type(int part) {
        return isLong() ? AttributeType.LONG : parts.get(part).attribute().type();
    }

    Part part(int part) {
        if (part < 0 || part >= parts.size())
            throw new IllegalArgumentException("a key has no part " + part + ": " + this);
        return parts.get(part);
    }

    int encoded() {
        return encoded;
    }

    /** Returns the place of a part; -1 if the key has none of this name. */
    int find(String part) {
        for (int each = 0; each < parts(); each++) if (name(each).equals(part)) return each;
        return -1;
    }

    /** Returns an empty key, to be filled and used for any number of accesses. */
    public RowKey newKey() {
        return new RowKey(this);
    }

    /** Returns a key of these parts. */
    public RowKey keyOf(Object... values) {
        return newKey().set(values);
    }

    /**
     * Returns the word of a wide key. Part of the format of stored pools: it decides where rows lie.
     *
     * @param bytes the bytes of the key, filled up with zeros to whole words
     */
    static long hash(byte[] bytes) {
        long h = Checksum64.start(bytes.length);
        for (int at = 0; at < bytes.length; at += Words.BYTES) h = Checksum64.mix(h, RowKey.word(bytes, at));
        return Checksum64.finish(h);
    }

    // ---- text

    /** Returns the text form: {@code [customer:string[20], number:int]}; empty for a key that is one {@code long}. */
    String text() {
        return isLong()
                ? ""
                : parts.stream().map(each -> each.attribute().text()).collect(Collectors.joining(", ", "[", "]"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeySchema key && key.text().equals(text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /** Returns the text form; {@code long} for a key that is one {@code long}. */
    @Override
    public String toString() {
        return isLong() ? "long" : text();
    }
}
