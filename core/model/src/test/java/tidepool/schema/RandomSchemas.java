package tidepool.schema;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.schema.AttributeType.Kind;

/** Schemas and values from a seed. Every value that a type can hold may occur, extremes more often than by chance. */
final class RandomSchemas {
    private static final int[] POINTS = {1, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};

    private static final int PLAIN = Kind.STRING.ordinal() + 1; // the kinds of format 1 come first

    private final Randomness random;

    RandomSchemas(long seed) {
        random = new Randomness(seed);
    }

    /** Returns a schema of 1 to {@code most} attributes that fits into a value. */
    Schema schema(int most) {
        Schema.Builder builder = Schema.builder("t" + random.nextInt(1000));
        int count = 1 + random.nextInt(most);
        int left = Schema.MAX_BYTES;
        for (int number = 0; number < count; number++) {
            AttributeType type = type(left - 8 * (count - number));
            left -= type.bytes();
            builder.attribute("a" + number + (random.nextBoolean() ? "-x" : "_Y"), type);
        }
        return builder.build();
    }

    private AttributeType type(int mostBytes) {
        Kind kind = Kind.values()[random.nextInt(PLAIN)];
        if (!kind.hasLength()) return AttributeType.of(kind);
        return new AttributeType(
                kind, 1 + random.nextInt(Math.max(1, Math.min(mostBytes, random.nextBoolean() ? 5 : 300))));
    }

    /** Returns a value that the attribute can hold, as the Java type that a record would have. */
    Object value(AttributeType type) {
        long bits = random.chance(1, 3)
                ? random.pick(List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE))
                : random.nextLong();
        return switch (type.kind()) {
            case BYTE -> (byte) bits;
            case SHORT -> (short) bits;
            case INT -> (int) bits;
            case LONG -> bits;
            case FLOAT -> Float.intBitsToFloat((int) bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            case BOOLEAN -> random.nextBoolean();
            case CHAR -> (char) bits;
            case BYTES -> bytes(type.bytes());
            case STRING -> string(type.bytes());
            default -> throw new AssertionError(type);
        };
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) random.nextLong();
        return bytes;
    }

    /** Returns a string of at most {@code most} bytes of UTF-8, often of exactly that length. */
    private String string(int most) {
        int left = random.nextBoolean() ? most : random.nextInt(most + 1);
        StringBuilder text = new StringBuilder();
        while (left > 0) {
            boolean plain = left < 4 || random.chance(4, 5); // long runs of ASCII, with a few other characters
            int point = plain ? 1 + random.nextInt(0x7f) : random.pick(POINTS);
            left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            text.appendCodePoint(point);
        }
        return text.toString();
    }

    long key() {
        return random.nextLong();
    }

    <T> List<T> shuffled(List<T> ordered) {
        List<T> shuffled = new ArrayList<>(ordered);
        for (int left = shuffled.size(); left > 1; left--) Collections.swap(shuffled, left - 1, random.nextInt(left));
        return shuffled;
    }
}
