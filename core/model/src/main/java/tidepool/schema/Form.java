package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/**
 * The way in which objects of one Java type lie in bytes. Content is written into zeros, so a form writes no zeros
 * itself: where it ends early, and for null, the bytes are zero already.
 */
abstract class Form {
    final String name; // of the attribute, for messages
    final AttributeType type;

    Form(String name, AttributeType type) {
        this.name = name;
        this.type = type;
    }

    /** Writes an object; refuses one that does not fit. Then some bytes may be written, which the caller discards. */
    abstract void write(Object value, MemorySegment memory, long at);

    /** Returns a new object from its bytes. */
    abstract Object read(MemorySegment memory, long at);

    /**
     * Writes an object as an element of a long list, with the bytes that it needs. Most objects need those of their
     * type.
     */
    void pack(Object value, PackedBytes to) {
        long at = to.reserve(type.bytes());
        write(value, to.memory(), at);
    }

    /** Returns a new object from what {@link #pack} wrote. */
    Object unpack(PackedReader from) {
        return read(from.memory(), from.skip(type.bytes()));
    }

    /** Obtains access to the classes of the application; called once, before the first record. */
    void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {}

    /** Returns the form of the long content, around which there may be forms for null; null if there is none. */
    LongForm whereLong() {
        return this instanceof LongForm form ? form : null;
    }

    final Object required(Object value) {
        if (value == null) throw isNull(name);
        return value;
    }

    static IllegalArgumentException isNull(String name) {
        return new IllegalArgumentException("attribute '" + name
                + "' is null; a value has nulls only in boxed types, and where a component is @Nullable");
    }

    /** Refuses a count that this class cannot have written. */
    static int sound(int count, int most, String name) {
        if (count <= most) return count;
        throw new IllegalStateException("attribute '" + name + "' holds a count of " + count + ", above its maximum of "
                + most + ": the value is damaged");
    }

    /** A form whose objects may be null: a byte in front says whether there is an object. */
    static final class OrNull extends Form {
        private final Form content;

        OrNull(Form content) {
            super(content.name, content.type.orNull());
            this.content = content;
        }

        @Override
        void write(Object value, MemorySegment memory, long at) {
            if (value == null) return;
            Unaligned.putByte(memory, at, 1);
            content.write(value, memory, at + 1);
        }

        @Override
        Object read(MemorySegment memory, long at) {
            return Unaligned.getByte(memory, at) == 0 ? null : content.read(memory, at + 1);
        }

        @Override
        void pack(Object value, PackedBytes to) {
            to.putByte(value == null ? 0 : 1);
            if (value != null) content.pack(value, to);
        }

        @Override
        Object unpack(PackedReader from) {
            return from.nextByte() == 0 ? null : content.unpack(from);
        }

        @Override
        LongForm whereLong() {
            return content.whereLong();
        }

        @Override
        void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {
            content.bind(lookup);
        }
    }

    /** A form of an {@code Optional}, with the bytes of {@link OrNull}. */
    static final class Maybe extends Form {
        private final Form content;

        Maybe(Form content) {
            super(content.name, content.type.orNull());
            this.content = new OrNull(content);
        }

        @Override
        void write(Object value, MemorySegment memory, long at) {
            content.write(orNull(name, value), memory, at);
        }

        static Object orNull(String name, Object value) {
            if (value == null)
                throw new IllegalArgumentException(
                        "attribute '" + name + "' is null instead of an Optional; Optional.empty() is meant");
            return ((java.util.Optional<?>) value).orElse(null);
        }

        @Override
        Object read(MemorySegment memory, long at) {
            return java.util.Optional.ofNullable(content.read(memory, at));
        }

        @Override
        void pack(Object value, PackedBytes to) {
            content.pack(orNull(name, value), to);
        }

        @Override
        Object unpack(PackedReader from) {
            return java.util.Optional.ofNullable(content.unpack(from));
        }

        @Override
        LongForm whereLong() {
            return content.whereLong();
        }

        @Override
        void bind(MethodHandles.Lookup lookup) throws IllegalAccessException {
            content.bind(lookup);
        }
    }
}
