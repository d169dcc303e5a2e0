package tidepool.schema;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tidepool.base.Checks;

/**
 * A packer of named parts of a few bits each into one key, the first part uppermost:
 *
 * <pre>{@code
 * static final KeyPacker ORDER = EightByteKeys.packer().bits("warehouse", 16).bits("district", 8).bits("order", 40);
 * static final KeyPacker.Part DISTRICT = ORDER.part("district");
 *
 * long key = ORDER.pack(warehouse, 8, order);
 * long district = DISTRICT.of(key);
 * }</pre>
 *
 * Parts are unsigned and checked; a value that does not fit is refused and never cut. Bits that no part takes are the
 * uppermost ones and zero. Sorted as unsigned numbers, keys come in the order of their first parts, then of the second,
 * and so on. Immutable; {@link #bits} returns another packer.
 */
public final class KeyPacker {
    static final KeyPacker EMPTY = new KeyPacker(new Part[0]);

    private final Part[] parts;

    private KeyPacker(Part[] parts) {
        this.parts = parts;
    }

    /**
     * One part of a key.
     *
     * @param name for messages
     * @param bits its width, from 1 to 64
     * @param shift how many bits of the key lie below it
     */
    public record Part(String name, int bits, int shift) {
        /** Refuses what does not fit into a key. */
        public Part {
            Checks.argument(name != null && !name.isEmpty(), "a part of a key needs a name");
            if (bits < 1 || shift < 0 || bits + shift > Long.SIZE)
                throw new IllegalArgumentException("part '" + name + "' of a key takes " + bits + " bits above " + shift
                        + " others; a key has " + Long.SIZE + " bits");
        }

        /** Returns the part's value in a key. */
        public long of(long key) {
            return key >>> shift & largest();
        }

        /** Returns the key with another value of this part. */
        public long with(long key, long value) {
            return key & ~(largest() << shift) | placed(value);
        }

        /** Returns the largest value of the part, unsigned: -1 for 64 bits. */
        public long largest() {
            return -1L >>> Long.SIZE - bits;
        }

        long placed(long value) {
            if ((value & ~largest()) != 0)
                throw new IllegalArgumentException("part '" + name + "' of a key takes 0 to "
                        + Long.toUnsignedString(largest()) + ", not " + value);
            return value << shift;
        }
    }

    /** Returns a packer with one more part, below the present parts, which move up. */
    public KeyPacker bits(String name, int bits) {
        Part added = new Part(name, bits, 0);
        Part[] more = Arrays.copyOf(parts, parts.length + 1);
        for (int i = 0; i < parts.length; i++) {
            Checks.argument(!parts[i].name().equals(name), "part '" + name + "' of a key is declared twice");
            more[i] = new Part(parts[i].name(), parts[i].bits(), parts[i].shift() + bits);
        }
        more[parts.length] = added;
        return new KeyPacker(more);
    }

    /** Returns the part with this name. */
    public Part part(String name) {
        for (Part part : parts) if (part.name().equals(name)) return part;
        throw new IllegalArgumentException("no part '" + name + "' in " + this);
    }

    /** Returns a key of one part. */
    public long pack(long first) {
        requireParts(1);
        return parts[0].placed(first);
    }

    /** Returns a key of two parts. */
    public long pack(long first, long second) {
        requireParts(2);
        return parts[0].placed(first) | parts[1].placed(second);
    }

    /** Returns a key of three parts. */
    public long pack(long first, long second, long third) {
        requireParts(3);
        return parts[0].placed(first) | parts[1].placed(second) | parts[2].placed(third);
    }

    /** Returns a key of four parts. */
    public long pack(long first, long second, long third, long fourth) {
        requireParts(4);
        return parts[0].placed(first) | parts[1].placed(second) | parts[2].placed(third) | parts[3].placed(fourth);
    }

    /** Returns a key of any number of parts. The overloads with up to four do not need the array. */
    public long pack(long... values) {
        requireParts(values.length);
        long key = 0;
        for (int i = 0; i < values.length; i++) key |= parts[i].placed(values[i]);
        return key;
    }

    /** Returns the values of all parts, in a new array; {@link Part#of} needs none. */
    public long[] unpack(long key) {
        long[] values = new long[parts.length];
        for (int i = 0; i < parts.length; i++) values[i] = parts[i].of(key);
        return values;
    }

    private void requireParts(int given) {
        if (given != parts.length || given == 0)
            throw new IllegalArgumentException(given + " values for a key of " + parts.length + " parts: " + this);
    }

    /** Returns {@code key(warehouse:16, district:8, order:40)}. */
    @Override
    public String toString() {
        return Stream.of(parts)
                .map(part -> part.name() + ":" + part.bits())
                .collect(Collectors.joining(", ", "key(", ")"));
    }
}
