package tidepool.schema;

import java.lang.foreign.MemorySegment;

/** The form of objects that a {@link Codec} of the application encodes: a count of bytes, then the codec's bytes. */
final class CodecForm extends Form {
    private final Codec<Object> codec;

    @SuppressWarnings("unchecked") // the type of the component was compared with that of the codec
    CodecForm(String name, Codec<?> codec) {
        super(name, AttributeType.codec(codec.name() + "/" + codec.version(), codec.maxBytes()));
        this.codec = (Codec<Object>) codec;
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        // The codec sees its own bytes only. Otherwise one that writes too many would change other attributes.
        MemorySegment own = memory.asSlice(at + AttributeType.COUNT_BYTES, type.length());
        int length = codec.encode(required(value), own, 0);
        requireSound(length, type, name);
        Utf8.fill(own, length, type.length());
        Unaligned.putCount(memory, at, length);
    }

    @Override
    Object read(MemorySegment memory, long at) {
        int length = sound(Unaligned.getCount(memory, at), type.length(), name);
        return decoded(codec, type, memory, at + AttributeType.COUNT_BYTES, length, name);
    }

    @Override
    void pack(Object value, PackedBytes to) {
        long at = to.reserve(type.bytes());
        write(value, to.memory(), at);
        to.giveBack(type.length() - Unaligned.getCount(to.memory(), at));
    }

    @Override
    Object unpack(PackedReader from) {
        int length =
                sound(Unaligned.getCount(from.memory(), from.skip(AttributeType.COUNT_BYTES)), type.length(), name);
        return decoded(codec, type, from.memory(), from.skip(length), length, name);
    }

    static void requireSound(int length, AttributeType type, String name) {
        if (length < 0 || length > type.length())
            throw new IllegalArgumentException("codec " + type.codec() + " of attribute '" + name + "' wrote " + length
                    + " bytes; possible are 0 to " + type.length());
    }

    static Object decoded(
            Codec<Object> codec, AttributeType type, MemorySegment memory, long at, int length, String name) {
        Object value = codec.decode(memory, at, length);
        if (value == null)
            throw new IllegalStateException(
                    "codec " + type.codec() + " of attribute '" + name + "' made null of " + length + " bytes");
        return value;
    }
}
