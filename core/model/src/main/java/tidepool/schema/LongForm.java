package tidepool.schema;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The form of an object whose content may be long: a text, bytes, a list, or what a codec writes. The slot of the
 * attribute has the content or says where it lies ({@link ContentField}). {@link RecordCodec} fills the slot: only it
 * knows what to do with a content that is longer than the slot.
 */
final class LongForm extends Form {
    /** The bytes of an empty list. A row on fields may have none: then its list is empty, too. */
    private static final MemorySegment NO_ELEMENTS = MemorySegment.ofArray(new byte[Integer.BYTES]);

    private final Form elements; // of a list; null for other types
    private final Codec<Object> codec; // null for other types
    private final AtomicReference<MemorySegment> scratch = new AtomicReference<>(); // of the codec

    LongForm(String name, AttributeType type) {
        this(name, type, null, null);
    }

    /** @param elements the form of the list, without slots: see {@link #pack} */
    LongForm(String name, AttributeType type, Form elements) {
        this(name, type, elements, null);
    }

    @SuppressWarnings("unchecked") // the type of the component was compared with that of the codec
    LongForm(String name, Codec<?> codec) {
        this(name, AttributeType.longcodec(codec.name() + "/" + codec.version(), codec.maxBytes()), null, (Codec<
                        Object>)
                codec);
    }

    private LongForm(String name, AttributeType type, Form elements, Codec<Object> codec) {
        super(name, type);
        this.elements = elements;
        this.codec = codec;
    }

    @Override
    void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {
        if (elements != null) elements.bind(lookup);
    }

    /** Only refuses null: the slot is filled afterwards. */
    @Override
    void write(Object value, MemorySegment memory, long at) {
        required(value);
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int length = ContentField.length(memory, at, type, name);
        return object(memory, ContentField.place(memory, at, length, name), length);
    }

    /** Returns the bytes of an object; refuses one that is too long. */
    byte[] content(Object value) {
        return switch (type.kind()) {
            case LONGSTRING -> {
                String text = (String) value;
                fits(Utf8.length(text, name, true), " of UTF-8");
                yield text.getBytes(StandardCharsets.UTF_8);
            }
            case LONGBYTES -> {
                fits(((byte[]) value).length, "");
                yield (byte[]) value;
            }
            case LONGCODEC -> encoded(value);
            default -> {
                PackedBytes packed = new PackedBytes();
                elements.pack(value, packed);
                fits(packed.length(), " in all, packed");
                yield packed.toArray();
            }
        };
    }

    private void fits(int length, String what) {
        if (length > type.contentBytes())
            throw new IllegalArgumentException("attribute '" + name + "' holds at most " + type.contentBytes()
                    + " bytes" + what + ", not " + length);
    }

    /** Encodes into memory that is kept for the next object: the codec may need less than its maximum. */
    private byte[] encoded(Object value) {
        MemorySegment own = scratch.getAndSet(null);
        if (own == null) own = Arena.ofAuto().allocate(type.length(), Long.BYTES);
        try {
            int length = codec.encode(value, own, 0);
            CodecForm.requireSound(length, type, name);
            return LeafForm.bytes(own, 0, length);
        } finally {
            scratch.set(own);
        }
    }

    /** Returns the object of a content. */
    private Object object(MemorySegment memory, long at, int length) {
        return switch (type.kind()) {
            case LONGSTRING -> LeafForm.text(memory, at, length, true, name);
            case LONGBYTES -> LeafForm.bytes(memory, at, length);
            case LONGCODEC -> CodecForm.decoded(codec, type, memory, at, length, name);
            default -> {
                PackedReader packed = length == 0
                        ? new PackedReader(NO_ELEMENTS, 0, Integer.BYTES, name)
                        : new PackedReader(memory, at, length, name);
                Object list = elements.unpack(packed);
                packed.requireEnd();
                yield list;
            }
        };
    }

    // ---- as an element of a list: no slot, the content itself

    @Override
    void pack(Object value, PackedBytes to) {
        if (elements != null) {
            elements.pack(required(value), to);
            return;
        }
        byte[] content = content(required(value));
        to.putInt(content.length);
        to.put(content, content.length);
    }

    @Override
    Object unpack(PackedReader from) {
        if (elements != null) return elements.unpack(from);
        int length = from.count(type.contentBytes());
        return object(from.memory(), from.skip(length), length);
    }
}
