package tidepool.schema;

import static tidepool.base.Words.U32;
import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.Checks;
import tidepool.base.Checksum64;
import tidepool.base.LayoutTable;
import tidepool.base.Words;
import tidepool.schema.AttributeType.Kind;

/**
 * The shape of a table: its name, its key ({@link KeySchema}), and the attributes of its value in a fixed order. The
 * key lies next to the value, not in it.
 *
 * <p>{@link #of(Class)} reads a Java record, {@link #builder} is for code without one, and {@link #parse} reads the
 * text form that the catalog keeps: {@code account(balance:long, owner:string[16])}, or, if the key is not one {@code
 * long}, {@code line[order:string[12], number:int](amount:long)}.
 *
 * <pre>{@code
 * Schema schema = Schema.of("account", Account.class); // account(balance:long, owner:string[16])
 * Schema same = Schema.builder("account")
 *         .attribute("balance", AttributeType.LONG)
 *         .attribute("owner", AttributeType.string(16))
 *         .build();
 * Schema parsed = Schema.parse("account(balance:long, owner:string[16])");
 * }</pre>
 *
 * <h2>Where the attributes lie</h2>
 *
 * An attribute has its number from the declaration and its offset from its size. Attributes with the largest alignment
 * come first, equals in the order of their numbers. Each is then aligned to its own size without a hole between any
 * two, and only the last word can end in padding. The padding is always zero, so that equal values are equal bytes.
 * {@code point(tag:byte, x:long, y:int)}:
 *
 * <pre>
 *    0                     8          12   13        16
 *    +---------------------+----------+----+---------+
 *    |  1: x               |  2: y    |0:t | zero    |
 *    +---------------------+----------+----+---------+
 * </pre>
 *
 * An attribute that is added or dropped moves others. {@link SchemaChange} makes the schema of the table after that,
 * and its rows move to a table of that layout. An attribute may have a default, {@code level:int='3'}.
 *
 * <p>Indexes ({@link IndexSchema}) follow the attributes in the text, and take no part in the layout.
 *
 * <h2>What never changes</h2>
 *
 * Placement, the text form and the fingerprint are the format of stored pools. A change to any of them is a new
 * {@link #FORMAT_VERSION}.
 */
public final class Schema {
    /** The version of the rules by which values are laid out and fingerprints are made. Stored with every schema. */
    public static final int FORMAT_VERSION = 1;

    /** The longest value, in bytes. */
    public static final int MAX_BYTES = 4096;

    /** The maximum number of attributes of a value: a set of them is one word. */
    public static final int MAX_ATTRIBUTES = 64;

    private final String name;
    private final KeySchema key;
    private final List<Attribute> attributes; // by number
    private final int length;
    private final String text;
    private final String shape; // the text without defaults
    private final Map<String, String> defaults; // by name, also of dropped attributes
    private final List<Attribute> dropped; // attributes that the table had once, with defaults
    private final boolean isOfClass; // a hint: rows are mapped by names
    private final long fingerprint;
    private final long[] inWord; // the attributes of which a word has a part, a bit for each number
    private final UpdateProfile updates; // null if not given; a hint, and no part of the schema
    private final int versions; // 0 if not given; a hint, too
    private final Schema former; // what earlier programs made of the same class; null if the same; a hint, too
    private final List<ContentField> contents; // of attributes with parts
    private final List<IndexSchema> indexes;
    private final boolean isIndexed;

    private Schema(
            String name,
            KeySchema key,
            List<Attribute> attributes,
            int length,
            Map<String, String> defaults,
            List<Attribute> dropped,
            List<IndexSchema> indexes) {
        this.name = name;
        this.key = key;
        this.attributes = attributes;
        this.length = length;
        this.defaults = defaults;
        this.dropped = dropped;
        this.isOfClass = false;
        this.shape = SchemaText.print(name, key, attributes);
        String values = defaults.isEmpty() ? shape : SchemaText.print(name, key, attributes, defaults, dropped);
        this.text = SchemaText.withIndexes(values, indexes);
        this.fingerprint = fingerprint(text);
        this.inWord = inWord(attributes, length);
        this.updates = null;
        this.versions = 0;
        this.former = null;
        this.contents = attributes.stream()
                .filter(each -> each.type().hasParts())
                .map(ContentField::new)
                .toList();
        this.indexes = indexes;
        this.isIndexed = !indexes.isEmpty();
    }

    private Schema(Schema same, UpdateProfile updates, int versions, Schema former, boolean isOfClass) {
        this.name = same.name;
        this.key = same.key;
        this.attributes = same.attributes;
        this.length = same.length;
        this.text = same.text;
        this.shape = same.shape;
        this.defaults = same.defaults;
        this.dropped = same.dropped;
        this.isOfClass = isOfClass;
        this.fingerprint = same.fingerprint;
        this.inWord = same.inWord;
        this.updates = updates;
        this.versions = versions;
        this.former = former;
        this.contents = same.contents;
        this.indexes = same.indexes;
        this.isIndexed = same.isIndexed;
    }

    // ---- sources of schemas ----

    /** Returns the schema of a record class, named like the class with a small first letter. */
    public static Schema of(Class<? extends Record> type) {
        return RecordShape.of(type).schema();
    }

    /** Returns the schema of a record class, for a table of the given name. */
    public static Schema of(String name, Class<? extends Record> type) {
        return RecordShape.of(type).schema(name);
    }

    /** Begins a schema whose attributes are then declared one by one. */
    public static Builder builder(String name) {
        return new Builder(SchemaText.checkName("table", name));
    }

    /** Begins the schema of a table that may be a hidden one, whose name has two parts with a dot between them. */
    static Builder hiddenBuilder(String name) {
        return new Builder(name);
    }

    /** Reads the text form. Blanks between the words do not matter. Any other error is reported in a sentence. */
    public static Schema parse(String text) {
        return SchemaText.parse(text);
    }

    /**
     * Returns the schema that a catalog kept, checked: the format must be known, and the text must be the one that was
     * stored.
     */
    public static Schema restore(int formatVersion, long fingerprint, String text) {
        if (formatVersion != FORMAT_VERSION)
            throw new IllegalArgumentException("the table is stored in format " + formatVersion
                    + ", this program knows format " + FORMAT_VERSION + " only: " + SchemaText.quote(text));
        Schema schema = parse(text);
        if (schema.fingerprint != fingerprint)
            throw new IllegalArgumentException("the stored schema does not match its fingerprint: stored="
                    + Long.toHexString(fingerprint) + " computed=" + Long.toHexString(schema.fingerprint) + " schema="
                    + schema);
        return schema;
    }

    /** A builder that declares attributes; their numbers follow the order of the calls. */
    public static final class Builder {
        private final String name;
        private final Map<String, AttributeType> types = new TreeMap<>();
        private final List<String> names = new ArrayList<>();
        private final List<Attribute> keyParts = new ArrayList<>();
        private final Map<String, String> defaults = new TreeMap<>();
        private final List<Attribute> dropped = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
        }

        /**
         * Adds a part of the key. A schema without any has a {@code long} as its key, and so has one with a single part
         * of type {@code long} or {@code int}.
         */
        public Builder key(String part, AttributeType type) {
            SchemaText.checkName("attribute", part);
            Checks.argument(type != null, "part '" + part + "' of the key of table '" + name + "' needs a type");
            for (Attribute each : keyParts)
                Checks.argument(
                        !each.name().equals(part),
                        "part '" + part + "' of the key of table '" + name + "' is declared twice");
            keyParts.add(new Attribute(keyParts.size(), part, type, 0));
            return this;
        }

        /** Adds an attribute. */
        public Builder attribute(String attribute, AttributeType type) {
            SchemaText.checkPath(attribute);
            Checks.argument(type != null, "attribute '" + attribute + "' of table '" + name + "' needs a type");
            Checks.argument(
                    type.kind() != Kind.RECORD,
                    "attribute '" + attribute + "' of table '" + name + "' is a record; a nested record is attributes"
                            + " with dots, '" + attribute + ".part'");
            Checks.argument(
                    types.put(attribute, type) == null,
                    "attribute '" + attribute + "' of table '" + name + "' is declared twice");
            names.add(attribute);
            return this;
        }

        /**
         * Adds an attribute with a default, as text: of rows that were made before the table had the attribute, and of
         * records of a class without it.
         */
        public Builder attribute(String attribute, AttributeType type, String value) {
            attribute(attribute, type);
            DefaultText.check(new Attribute(0, attribute, type, 0), value);
            defaults.put(attribute, value);
            return this;
        }

        /** Adds an attribute that the table does not have any more, with the default that record classes see. */
        Builder dropped(String attribute, AttributeType type, String value) {
            SchemaText.checkPath(attribute);
            Attribute gone = new Attribute(dropped.size(), attribute, type, 0);
            DefaultText.check(gone, value);
            Checks.argument(
                    !types.containsKey(attribute) && defaults.put(attribute, value) == null,
                    "attribute '" + attribute + "' of table '" + name + "' is declared twice");
            dropped.add(gone);
            return this;
        }

        /** Returns the schema. Refuses one that has no attributes, too many of them, or too long a value. */
        public Schema build() {
            Checks.argument(!names.isEmpty(), "table '" + name + "' has no attributes besides its key");
            if (names.size() > MAX_ATTRIBUTES)
                throw new IllegalArgumentException("table '" + name + "' has " + names.size() + " attributes; at most "
                        + MAX_ATTRIBUTES + " are possible");
            int bytes = names.stream().mapToInt(each -> types.get(each).bytes()).sum();
            if (bytes > MAX_BYTES)
                throw new IllegalArgumentException("a value of table '" + name + "' would take " + bytes
                        + " bytes; at most " + MAX_BYTES + " are possible");
            return place();
        }

        private Schema place() {
            int[] offsets = new int[names.size()];
            int end = 0;
            for (int alignment = Words.BYTES; alignment > 0; alignment /= 2) {
                for (int number = 0; number < offsets.length; number++) {
                    AttributeType type = types.get(names.get(number));
                    if (type.alignment() != alignment) continue;
                    offsets[number] = end;
                    end += type.bytes();
                }
            }
            List<Attribute> placed = new ArrayList<>();
            for (int number = 0; number < offsets.length; number++) {
                String attribute = names.get(number);
                placed.add(new Attribute(number, attribute, types.get(attribute), offsets[number]));
            }
            KeySchema key = keyParts.isEmpty() ? KeySchema.LONG : KeySchema.of(name, keyParts);
            for (Attribute part : keyParts)
                Checks.argument(
                        !types.containsKey(part.name()),
                        "table '" + name + "' has '" + part.name() + "' as a part of its key and as an attribute");
            int length = (end + Words.BYTES - 1) / Words.BYTES * Words.BYTES;
            return new Schema(
                    name, key, List.copyOf(placed), length, new TreeMap<>(defaults), List.copyOf(dropped), List.of());
        }
    }

    private static long[] inWord(List<Attribute> attributes, int length) {
        long[] sets = new long[length / Words.BYTES];
        for (Attribute each : attributes)
            for (int at = each.offset() / Words.BYTES; at * Words.BYTES < each.offset() + each.bytes(); at++)
                sets[at] |= 1L << each.number();
        return sets;
    }

    private static long fingerprint(String text) {
        // The text is ASCII and complete. Names cannot contain the marks between them.
        long h = Checksum64.mix(Checksum64.start(FORMAT_VERSION), text.length());
        for (int at = 0; at < text.length(); at++) h = Checksum64.mix(h, text.charAt(at));
        return Checksum64.finish(h);
    }

    // ---- hints ----

    /**
     * Returns this schema with a declaration of what transactions change in its rows, and how often:
     * {@code 9 balance, 1 balance+owner}.
     */
    public Schema withUpdates(String updatesText) {
        return withUpdates(UpdateProfile.parse(this, updatesText));
    }

    /** Returns this schema with what transactions change in its rows, and how often. */
    public Schema withUpdates(UpdateProfile known) {
        return new Schema(this, known, versions, former, isOfClass);
    }

    /** Returns what transactions change, and how often; null if not given. */
    public UpdateProfile updates() {
        return updates;
    }

    /**
     * Returns this schema with the number of versions of a row that its transactions need, for protocols that keep
     * several.
     */
    public Schema withVersions(int wanted) {
        Checks.argument(wanted >= 1, "a row has at least one version, not " + wanted);
        return new Schema(this, updates, wanted, former, isOfClass);
    }

    /** Returns how many versions of a row are needed; 0 if not given. */
    public int versions() {
        return versions;
    }

    /** Returns this schema with the one that programs without long attributes made of the same record class. */
    Schema withFormer(Schema other) {
        return new Schema(this, updates, versions, other, isOfClass);
    }

    /** Returns this schema as that of a record class, which is mapped to tables by the names of its attributes. */
    Schema ofClass() {
        return new Schema(this, updates, versions, former, true);
    }

    // ---- indexes

    /** Returns this schema with these indexes and no others. Refuses indexes that the table cannot have. */
    public Schema withIndexes(List<IndexSchema> all) {
        IndexKeys.requireSound(this, all);
        Schema schema = new Schema(name, key, attributes, length, defaults, dropped, List.copyOf(all));
        return new Schema(schema, updates, versions, former, isOfClass);
    }

    /**
     * Returns this schema with the indexes of a table whose attributes have the same types and perhaps other names: an
     * index has the attributes with the same numbers.
     */
    public Schema withIndexesOf(Schema stored) {
        List<IndexSchema> all = new ArrayList<>();
        for (IndexSchema each : stored.indexes()) {
            List<String> columns = new ArrayList<>();
            for (String column : each.columns()) columns.add(stored.renamed(column, this));
            all.add(new IndexSchema(each.name(), each.number(), each.isUnique(), each.state(), columns));
        }
        return withIndexes(all);
    }

    private String renamed(String column, Schema to) {
        for (Attribute each : attributes)
            if (each.name().equals(column)) return to.attribute(each.number()).name();
        return column; // a part of the key
    }

    /** Returns the indexes, in the order of their declaration. */
    public List<IndexSchema> indexes() {
        return indexes;
    }

    /** Returns whether it has indexes. Asked for every access. */
    public boolean isIndexed() {
        return isIndexed;
    }

    /** Returns whether it has an index of this name. */
    public boolean hasIndex(String index) {
        return indexes.stream().anyMatch(each -> each.name().equals(index));
    }

    /** Returns the index with this name. */
    public IndexSchema index(String index) {
        for (IndexSchema each : indexes) if (each.name().equals(index)) return each;
        throw new IllegalArgumentException("table '" + name + "' has no index '" + index + "'; "
                + (indexes.isEmpty()
                        ? "it has no indexes"
                        : "its indexes are "
                                + String.join(
                                        ", ",
                                        indexes.stream().map(IndexSchema::name).toList())));
    }

    /** Returns an index that this schema has and the stored one lacks; null if there is none. */
    private IndexSchema missingIn(Schema stored) {
        for (IndexSchema each : indexes) if (stored.indexes.stream().noneMatch(each::isSameIndex)) return each;
        return null;
    }

    // ---- defaults

    /** Returns the default of an attribute as text; null if it has none. */
    public String defaultOf(String attribute) {
        attribute(attribute);
        return defaults.get(attribute);
    }

    /** Returns the attributes that the table had once, and that record classes may still have. */
    public List<Attribute> dropped() {
        return dropped;
    }

    /** Returns whether it has defaults, which programs that know no format version 12 cannot read. */
    public boolean hasDefaults() {
        return !defaults.isEmpty();
    }

    String droppedDefault(String attribute) {
        return defaults.get(attribute);
    }

    /** Returns whether a row can be made without a value of the attribute. */
    boolean hasDefault(Attribute each) {
        if (defaults.containsKey(each.name())
                || each.type().isNullable()
                || each.type().kind() == Kind.PRESENT) return true;
        for (Attribute mark : attributes)
            if (mark.type().kind() == Kind.PRESENT && each.name().startsWith(mark.name() + ".")) return true;
        return false;
    }

    /** Returns the value of a row in which every attribute has its default, or zeros. */
    byte[] defaultRow() {
        byte[] row = new byte[length];
        for (Attribute each : attributes) {
            String value = defaults.get(each.name());
            if (value != null) DefaultText.write(each, value, MemorySegment.ofArray(row), 0);
        }
        return row;
    }

    /** Returns the schema that programs without long attributes made of the same class; null if it is the same. */
    Schema former() {
        return former;
    }

    /** Returns this schema for a table of another name. */
    public Schema named(String table) {
        return new Schema(parse(table + text.substring(name.length())), updates, versions, null, isOfClass);
    }

    // ---- accessors ----

    /** Returns the name of the table. */
    public String name() {
        return name;
    }

    /** Returns whether it is the schema of a table that belongs to another one: its name has a dot. */
    public boolean isHidden() {
        return name.indexOf('.') >= 0;
    }

    /** Returns the handles of the attributes whose content may lie in parts, in their order. */
    public List<ContentField> contents() {
        return contents;
    }

    /**
     * Returns whether programs of this record class can use a table that is stored with that schema. The table needs
     * all indexes of the class, and may have others.
     */
    public boolean accepts(Schema stored) {
        return hasValuesOf(stored) && missingIn(stored) == null;
    }

    private boolean hasValuesOf(Schema stored) {
        return hasShapeOf(stored) || isFormer(stored) || isOfClass && RowMapping.refusal(this, stored) == null;
    }

    /** Returns whether values of the two have the same bytes and attributes; their defaults may differ. */
    boolean hasShapeOf(Schema stored) {
        return shape.equals(stored.shape);
    }

    /** Returns whether programs without long attributes made the table, of the same record class. */
    boolean isFormer(Schema stored) {
        return former != null && former.hasShapeOf(stored);
    }

    /**
     * Returns whether the key is one {@code long}, all attributes are primitives, strings and bytes, and there are no
     * indexes. Programs that know no other types can read such a schema.
     */
    public boolean isBasic() {
        return key.isLong()
                && indexes.isEmpty()
                && attributes.stream().allMatch(each -> each.type().isPlain());
    }

    /** Returns the shape of the key. */
    public KeySchema key() {
        return key;
    }

    /** Returns all attributes, by number. */
    public List<Attribute> attributes() {
        return attributes;
    }

    /** Returns the attribute with this number. */
    public Attribute attribute(int number) {
        if (number < 0 || number >= attributes.size())
            throw new IllegalArgumentException("table '" + name + "' has no attribute " + number
                    + "; its attributes have the numbers 0 to " + (attributes.size() - 1));
        return attributes.get(number);
    }

    /** Returns the attributes of which a word of the value has a part: a bit for each number. */
    public long attributesIn(int word) {
        return inWord[word];
    }

    /** Returns the attribute with this name. */
    public Attribute attribute(String attribute) {
        for (Attribute each : attributes) if (each.name().equals(attribute)) return each;
        throw new IllegalArgumentException("table '" + name + "' has no attribute '" + attribute + "': " + text);
    }

    /** Returns the bytes of a value: a multiple of eight. */
    public int length() {
        return length;
    }

    /** Returns the format of the value's bytes: always {@link #FORMAT_VERSION}, since no older one exists yet. */
    public int formatVersion() {
        return FORMAT_VERSION;
    }

    /**
     * Returns a number for the whole schema: table name, key, names, types and order of the attributes, and indexes. A
     * program that finds another fingerprint than its own does not touch the table.
     */
    public long fingerprint() {
        return fingerprint;
    }

    /** Refuses a table that is stored with another schema than this one; the message says where they differ. */
    public void requireSame(Schema stored) {
        if (accepts(stored)) return;
        if (hasValuesOf(stored)) throw lacks(missingIn(stored));
        throw new IllegalArgumentException("the table is stored with another schema: " + difference(stored)
                + "; stored=" + stored + " here=" + this);
    }

    private IllegalArgumentException lacks(IndexSchema missing) {
        String add = missing.columns().isEmpty() ? "addOrder" : missing.isUnique() ? "addUnique" : "addIndex";
        String names = missing.columns().isEmpty()
                ? ""
                : "\"" + missing.name() + "\", \"" + String.join("\", \"", missing.columns()) + "\"";
        return new IllegalArgumentException("table '" + name + "' is stored without " + missing.declaration()
                + "; pool.alter(\"" + name + "\", new SchemaChange()." + add + "(" + names
                + ")) or './tidepool table alter' builds it");
    }

    private String difference(Schema stored) {
        if (!name.equals(stored.name)) return "its name is '" + stored.name + "', not '" + name + "'";
        if (!key.equals(stored.key)) return "its key is " + stored.key + ", not " + key;
        int common = Math.min(attributes.size(), stored.attributes.size());
        for (int number = 0; number < common; number++) {
            String here = attribute(number).text();
            String there = stored.attribute(number).text();
            if (!here.equals(there)) return "attribute " + number + " is " + there + ", not " + here;
        }
        return "it has " + stored.attributes.size() + " attributes, not " + attributes.size();
    }

    /** Returns the value as a struct, attributes in the order of their offsets. */
    public StructLayout layout() {
        List<MemoryLayout> members = new ArrayList<>();
        int end = 0;
        for (Attribute each : byOffset()) {
            members.add(member(each.type()).withName(each.name()));
            end = each.offset() + each.bytes();
        }
        if (end < length) members.add(MemoryLayout.paddingLayout(length - end));
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)).withName(name);
    }

    private static MemoryLayout member(AttributeType type) {
        if (!type.isPlain()) return MemoryLayout.sequenceLayout(type.bytes(), ValueLayout.JAVA_BYTE);
        return switch (type.kind()) {
            case BYTE -> ValueLayout.JAVA_BYTE;
            case BOOLEAN -> ValueLayout.JAVA_BOOLEAN;
            case SHORT -> Fields.I16;
            case CHAR -> Fields.UTF16;
            case INT -> U32;
            case FLOAT -> Fields.F32;
            case LONG -> U64;
            case DOUBLE -> Fields.F64;
            default -> MemoryLayout.sequenceLayout(type.bytes(), ValueLayout.JAVA_BYTE);
        };
    }

    /** Returns the byte table of the value, for people: offset, size, attribute, number and type. */
    public String table() {
        Map<String, String> meanings = new TreeMap<>();
        for (Attribute each : attributes) meanings.put(each.name(), each.number() + ": " + each.type());
        return LayoutTable.of(layout(), meanings);
    }

    private List<Attribute> byOffset() {
        return attributes.stream()
                .sorted(Comparator.comparingInt(Attribute::offset))
                .toList();
    }

    /** Makes every byte of a value zero, the padding too: numbers 0, strings empty. */
    public void clear(MemorySegment memory, long offset) {
        for (long at = offset; at < offset + length; at += Words.BYTES) Words.plain(memory, at, 0);
    }

    // ---- handles to single attributes ----

    /** Returns the handle to an attribute of any type. */
    public Field field(String attribute) {
        return Field.of(attribute(attribute));
    }

    /** Returns the handle to a {@code byte} attribute; refuses another type. */
    public Fields.ByteField byteField(String attribute) {
        return new Fields.ByteField(required(attribute, Kind.BYTE));
    }

    /** Returns the handle to a {@code short} attribute; refuses another type. */
    public Fields.ShortField shortField(String attribute) {
        return new Fields.ShortField(required(attribute, Kind.SHORT));
    }

    /** Returns the handle to an {@code int} attribute; refuses another type. */
    public Fields.IntField intField(String attribute) {
        return new Fields.IntField(required(attribute, Kind.INT));
    }

    /** Returns the handle to a {@code long} attribute; refuses another type. */
    public Fields.LongField longField(String attribute) {
        return new Fields.LongField(required(attribute, Kind.LONG));
    }

    /** Returns the handle to a {@code float} attribute; refuses another type. */
    public Fields.FloatField floatField(String attribute) {
        return new Fields.FloatField(required(attribute, Kind.FLOAT));
    }

    /** Returns the handle to a {@code double} attribute; refuses another type. */
    public Fields.DoubleField doubleField(String attribute) {
        return new Fields.DoubleField(required(attribute, Kind.DOUBLE));
    }

    /** Returns the handle to a {@code boolean} attribute; refuses another type. */
    public Fields.BooleanField booleanField(String attribute) {
        return new Fields.BooleanField(required(attribute, Kind.BOOLEAN));
    }

    /** Returns the handle to a {@code char} attribute; refuses another type. */
    public Fields.CharField charField(String attribute) {
        return new Fields.CharField(required(attribute, Kind.CHAR));
    }

    /** Returns the handle to a {@code bytes[n]} attribute; refuses another type. */
    public Fields.BytesField bytesField(String attribute) {
        return new Fields.BytesField(required(attribute, Kind.BYTES));
    }

    /** Returns the handle to a {@code string[n]} attribute; refuses another type. */
    public Fields.StringField stringField(String attribute) {
        return new Fields.StringField(required(attribute, Kind.STRING));
    }

    /** Returns the handle to a number, {@code char} or {@code boolean} that may be null; refuses another type. */
    public ValueFields.NullableField nullableField(String attribute) {
        return new ValueFields.NullableField(attribute(attribute));
    }

    /** Returns the handle to an {@code instant} attribute; refuses another type. */
    public ValueFields.InstantField instantField(String attribute) {
        return new ValueFields.InstantField(required(attribute, Kind.INSTANT));
    }

    /** Returns the handle to a {@code duration} attribute; refuses another type. */
    public ValueFields.DurationField durationField(String attribute) {
        return new ValueFields.DurationField(required(attribute, Kind.DURATION));
    }

    /** Returns the handle to a {@code date} attribute; refuses another type. */
    public ValueFields.DateField dateField(String attribute) {
        return new ValueFields.DateField(required(attribute, Kind.DATE));
    }

    /** Returns the handle to a {@code uuid} attribute; refuses another type. */
    public ValueFields.UuidField uuidField(String attribute) {
        return new ValueFields.UuidField(required(attribute, Kind.UUID));
    }

    /** Returns the handle to a {@code decimal[n]} attribute; refuses another type. */
    public ValueFields.DecimalField decimalField(String attribute) {
        return new ValueFields.DecimalField(required(attribute, Kind.DECIMAL));
    }

    /** Returns the handle to an {@code enum<…>} attribute; refuses another type. */
    public ValueFields.EnumField enumField(String attribute) {
        return new ValueFields.EnumField(required(attribute, Kind.ENUM));
    }

    /** Returns the handle to a {@code varstring[n]} attribute; refuses another type. */
    public ValueFields.VarStringField varstringField(String attribute) {
        return new ValueFields.VarStringField(required(attribute, Kind.VARSTRING));
    }

    /** Returns the handle to a {@code varbytes[n]} attribute; refuses another type. */
    public ValueFields.VarBytesField varbytesField(String attribute) {
        return new ValueFields.VarBytesField(required(attribute, Kind.VARBYTES));
    }

    /** Returns the handle to a {@code present} attribute; refuses another type. */
    public ValueFields.PresentField presentField(String attribute) {
        return new ValueFields.PresentField(required(attribute, Kind.PRESENT));
    }

    /** Returns the handle to a {@code list<…>[n]} attribute; refuses another type. */
    public ValueFields.ListField listField(String attribute) {
        return new ValueFields.ListField(required(attribute, Kind.LIST));
    }

    /** Returns the handle to an attribute whose content may be long; refuses another type. */
    public ContentField contentField(String attribute) {
        return new ContentField(attribute(attribute));
    }

    /** Returns the handle to the bytes of a {@code codec<…>[n]} attribute; refuses another type. */
    public ValueFields.VarBytesField codecField(String attribute) {
        return new ValueFields.VarBytesField(required(attribute, Kind.CODEC));
    }

    /** Returns the attribute. Refuses another kind, with the name of the table. */
    private Attribute required(String attribute, Kind kind) {
        Attribute found = attribute(attribute);
        boolean isNullable = found.type().isNullable() && kind.isPrimitive();
        if (found.type().kind() == kind && !isNullable) return found;
        String actual = isNullable ? "nullable" : found.type().kind().text();
        throw new IllegalArgumentException("attribute '" + attribute + "' of table '" + name + "' is " + found.type()
                + ", not " + kind.text() + ": use " + actual + "Field");
    }

    // ---- equality: by the text form ----

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && schema.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the text form, which {@link #parse} reads. */
    @Override
    public String toString() {
        return text;
    }
}
