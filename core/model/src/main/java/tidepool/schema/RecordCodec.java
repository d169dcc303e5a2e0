package tidepool.schema;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * A codec between a Java record and the bytes of a value.
 *
 * <pre>{@code
 * RecordCodec<Account> codec = RecordCodec.of(Account.class);
 * MemorySegment value = Arena.ofAuto().allocate(codec.schema().length(), 8);
 * codec.encode(new Account(17, 100, "Ann Lee"), value, 0);
 * Account account = codec.decode(17, value, 0);
 * }</pre>
 *
 * <p>It inspects the class once, and composes two method handles:
 *
 * <pre>
 *   encode   call every accessor  ->  check every value  ->  write every attribute
 *   decode   read every attribute ->  call the canonical constructor
 * </pre>
 *
 * So a record that is refused leaves the bytes unchanged, no value is boxed, and encoding allocates nothing except in
 * the record's own accessors. Decoding allocates the record and its strings and arrays. A record with other components
 * than primitives, strings and bytes of a fixed length is encoded into memory of the codec and then copied.
 *
 * <p>The memory must be native and the offset of the value a multiple of eight. Threads may share a codec.
 */
public final class RecordCodec<T extends Record> {
    private static final MethodHandles.Lookup OWN = MethodHandles.lookup();
    private static final MethodType ROUGH =
            MethodType.methodType(void.class, MemorySegment.class, long.class, Record.class);

    private final Class<T> type;
    private final Schema schema;
    private final MethodHandle key; // (Record) long; null if the key is not one long
    private final MethodHandle[] keyParts; // (Record) Object, of each part of the key; empty if the key is one long
    private final MethodHandle encode; // (Record, MemorySegment, long offset) void, or as ROUGH
    private final MethodHandle decode; // (long or RowKey, MemorySegment, long offset) Record

    private final AtomicReference<MemorySegment> rough; // memory for one value; null if all components are plain
    private final List<LongPart> longs; // in the order of schema.contents()
    private final MappedRows<T> mapped; // null if the class has the schema of the table

    /** The codec of a class that has another schema than its table. */
    private RecordCodec(RecordCodec<T> own, Schema schema) {
        this.type = own.type;
        this.schema = schema;
        this.key = own.key;
        this.keyParts = own.keyParts;
        this.encode = own.encode;
        this.decode = own.decode;
        this.rough = own.rough;
        this.longs = own.longs;
        this.mapped = new MappedRows<>(own, schema);
    }

    private RecordCodec(Class<T> type, RecordShape shape, Schema schema, boolean former, MethodHandles.Lookup lookup) {
        this.type = type;
        this.schema = schema;
        this.mapped = null;
        try {
            MethodHandle[] accessors = RecordHandles.accessors(shape, lookup);
            boolean isLong = shape.hasLongKey();
            this.key = isLong ? accessors[shape.keys().getFirst()].asType(RecordHandles.KEY) : null;
            this.keyParts = new MethodHandle[isLong ? 0 : shape.keys().size()];
            for (int i = 0; i < keyParts.length; i++)
                keyParts[i] = accessors[shape.keys().get(i)].asType(RecordHandles.PART);
            MethodType decoded = isLong ? RecordHandles.DECODE : RecordHandles.DECODE_PARTS;
            if (isPlain(shape, schema)) {
                MethodHandle constructor = RecordHandles.constructor(shape, lookup);
                this.encode = RecordHandles.encoder(shape, schema, accessors).asType(RecordHandles.ENCODE);
                this.decode = RecordHandles.decoder(shape, schema, constructor).asType(decoded);
                this.rough = null;
                this.longs = List.of();
            } else {
                RecordParts all = shape.parts(former);
                all.place(path -> schema.attribute(path).offset());
                this.encode = all.writer(lookup).asType(ROUGH);
                this.decode = all.reader(RecordHandles.readKeys(shape), decoded.parameterType(0), lookup)
                        .asType(decoded);
                this.rough = new AtomicReference<>();
                this.longs = LongPart.of(all, schema, lookup);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(outOfReach(type, lookup), e);
        }
    }

    /** Returns the codec of a record class, with the schema from {@link Schema#of(Class)}. */
    public static <T extends Record> RecordCodec<T> of(Class<T> type) {
        return of(type, Schema.of(type));
    }

    /**
     * Returns the codec of a record class for a table. The schema of the table must be that of the class except for its
     * name, or that of another version of the class: then attributes are mapped by their names.
     */
    public static <T extends Record> RecordCodec<T> of(Class<T> type, Schema schema) {
        return of(type, schema, reach(type));
    }

    /**
     * Returns the codec of a record class for a table, with the caller's {@code MethodHandles.lookup()}, for a class in
     * a module that is not open to this one.
     */
    public static <T extends Record> RecordCodec<T> of(Class<T> type, Schema schema, MethodHandles.Lookup lookup) {
        Checks.argument(schema != null && lookup != null, "a codec needs a schema and a lookup");
        RecordShape shape = RecordShape.of(type);
        Schema own = shape.schema(schema.name());
        own.requireSame(schema);
        if (own.hasShapeOf(schema)) return new RecordCodec<>(type, shape, schema, false, lookup);
        if (own.isFormer(schema)) return new RecordCodec<>(type, shape, schema, true, lookup);
        return new RecordCodec<>(new RecordCodec<>(type, shape, own, false, lookup), schema);
    }

    /** Returns the record class. */
    public Class<T> type() {
        return type;
    }

    /** Returns the schema of the table. */
    public Schema schema() {
        return schema;
    }

    /** Returns whether the table has another schema than the class. */
    public boolean isMapped() {
        return mapped != null;
    }

    List<LongPart> longs() {
        return longs;
    }

    /** Returns the key of a record, for a table whose key is one {@code long}. */
    public long key(T record) {
        requireRecord(record);
        if (key == null) throw new IllegalStateException("the key of table '" + schema.name() + "' is " + schema.key());
        try {
            return (long) key.invokeExact((Record) record);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /**
     * Returns the key of a record, whatever its parts, in a new object. Refuses a part that is null or too long, with
     * its name.
     */
    public RowKey rowKey(T record) {
        requireRecord(record);
        RowKey all = schema.key().newKey();
        if (key != null) return all.setLong(0, key(record));
        for (int part = 0; part < keyParts.length; part++) {
            try {
                all.set(part, (Object) keyParts[part].invokeExact((Record) record));
            } catch (Throwable e) {
                throw unchecked(e);
            }
        }
        return all;
    }

    /**
     * Writes all attributes of a record, and zeros after them up to the end of the last word. The key is not among
     * them. A record that does not fit (a null, a string too long) is refused with the name of the attribute; then no
     * byte has changed. A record with content that lies in parts is refused, too: {@link #image} is for those.
     */
    public void encode(T record, MemorySegment memory, long offset) {
        requireRecord(record);
        if (mapped != null) {
            RowImage image = mapped.image(record);
            for (int i = 0; i < schema.contents().size(); i++) requireInSlot(image, i);
            mapped.requireWhole();
            image.copyTo(memory, offset);
            return;
        }
        if (!longs.isEmpty()) {
            RowImage image = image(record);
            for (int i = 0; i < longs.size(); i++) requireInSlot(image, i);
            image.copyTo(memory, offset);
            return;
        }
        if (rough != null) {
            encodeRough(record, memory, offset);
            return;
        }
        try {
            encode.invokeExact((Record) record, memory, offset);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private void requireInSlot(RowImage image, int i) {
        if (image.content(i) == null) return;
        throw new IllegalArgumentException(
                "attribute '" + schema.contents().get(i).attribute().name() + "' has " + image.content(i).length
                        + " bytes, which lie in parts: write the record with its Table");
    }

    /**
     * Encodes a record of a table with long attributes, or of a table with another schema: the row, and the contents
     * that do not fit their slots. A record that does not fit is refused with the name of the attribute.
     */
    public RowImage image(T record) {
        requireRecord(record);
        if (mapped != null) return mapped.image(record);
        if (longs.isEmpty()) throw new IllegalStateException("table '" + schema.name() + "' has no long attributes");
        byte[][] contents = new byte[longs.size()][];
        byte[] row = new byte[schema.length()];
        MemorySegment own = takeRough();
        try {
            encode.invokeExact(own, 0L, (Record) record);
            for (int i = 0; i < contents.length; i++) {
                byte[] content = longs.get(i).content(record);
                if (content == null) continue;
                if (longs.get(i).field().begin(own, content)) contents[i] = content;
            }
            MemorySegment.copy(own, ValueLayout.JAVA_BYTE, 0, row, 0, row.length);
        } catch (Throwable e) {
            throw unchecked(e);
        } finally {
            rough.set(own);
        }
        return new RowImage(schema, row, contents);
    }

    private MemorySegment takeRough() {
        MemorySegment own = rough.getAndSet(null);
        if (own == null) own = Arena.ofAuto().allocate(schema.length(), Words.BYTES);
        own.fill((byte) 0);
        return own;
    }

    /**
     * Encodes into memory of its own first, so that a record that is refused half-way has changed nothing, and bytes
     * that hold nothing are zeros. One piece of memory is kept for the next record.
     */
    private void encodeRough(T record, MemorySegment memory, long offset) {
        MemorySegment own = takeRough();
        try {
            encode.invokeExact(own, 0L, (Record) record);
            MemorySegment.copy(own, Words.U64, 0, memory, Words.U64, offset, schema.length() / Words.BYTES);
        } catch (Throwable e) {
            throw unchecked(e);
        } finally {
            rough.set(own);
        }
    }

    /**
     * Refuses a record class from which no new row can be made: it lacks an attribute that has no default, and that is
     * named.
     */
    public void requireWhole() {
        if (mapped != null) mapped.requireWhole();
    }

    /** Returns a new record from its key and the bytes of its value. Exceptions of its constructor are passed on. */
    public T decode(long key, MemorySegment memory, long offset) {
        if (mapped != null) return mapped.decode(key, memory, offset);
        try {
            return type.cast((Record) decode.invokeExact(key, memory, offset));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** Returns a new record from a key of any parts and the bytes of its value. */
    public T decode(RowKey of, MemorySegment memory, long offset) {
        if (key != null) return decode(of.word(), memory, offset);
        if (mapped != null) return mapped.decode(of, memory, offset);
        try {
            return type.cast((Record) decode.invokeExact(of, memory, offset));
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    private void requireRecord(T record) {
        if (record == null)
            throw new IllegalArgumentException("null instead of a record of table '" + schema.name() + "'");
    }

    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof RuntimeException e) return e;
        if (thrown instanceof Error e) throw e;
        return new IllegalStateException("a record's accessor or constructor threw a checked exception", thrown);
    }

    /** Returns whether every component is an attribute of a type that lies and is checked as in format 1. */
    private static boolean isPlain(RecordShape shape, Schema schema) {
        return schema.attributes().size()
                        == shape.components().size() - shape.keys().size()
                && schema.attributes().stream()
                        .allMatch(each -> each.type().isPlain() && each.name().indexOf('.') < 0);
    }

    // ---- access to the class ----

    static MethodHandles.Lookup reach(Class<?> type) {
        Checks.argument(type != null, "the codec of null: a record class is needed");
        RecordCodec.class.getModule().addReads(type.getModule());
        try {
            return MethodHandles.privateLookupIn(type, OWN);
        } catch (IllegalAccessException e) {
            return OWN; // enough for a public record in an exported package
        }
    }

    private static String outOfReach(Class<?> type, MethodHandles.Lookup lookup) {
        if (lookup.lookupClass() != RecordCodec.class)
            return "the lookup of " + lookup.lookupClass().getName()
                    + " does not reach the accessors or the constructor"
                    + " of record " + type.getName() + ": pass MethodHandles.lookup() from inside a class that may"
                    + " call them";
        Module own = RecordCodec.class.getModule();
        return "cannot reach the accessors and the constructor of record " + type.getName() + ": write 'opens "
                + type.getPackageName() + (own.isNamed() ? " to " + own.getName() : "")
                + ";' into the module-info of " + type.getModule().getName()
                + ", or pass MethodHandles.lookup() of a class that may call them";
    }
}
