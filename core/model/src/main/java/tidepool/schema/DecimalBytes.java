package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A decimal number in bytes: the scale, four bytes, then the unscaled number as a two's complement, its lowest byte
 * first. {@code 1.50} is scale 2 and 150, and remains different from {@code 1.5}.
 */
final class DecimalBytes {
    private static final int SCALE_BYTES = 4;
    private static final int LONG_BYTES = 8;

    private DecimalBytes() {}

    /** Returns the bytes of a number of {@code digits} digits. */
    static int bytes(int digits) {
        return SCALE_BYTES + BigInteger.TEN.pow(digits).subtract(BigInteger.ONE).bitLength() / 8 + 1;
    }

    /** Refuses a number with more digits than these. */
    static BigDecimal checked(BigDecimal value, int digits, String name) {
        if (value.precision() > digits)
            throw new IllegalArgumentException("attribute '" + name + "' holds at most " + digits + " digits, not the "
                    + value.precision() + " of " + shown(value));
        return value;
    }

    private static String shown(BigDecimal value) {
        return SchemaText.quote(value.toString());
    }

    /** Writes a checked number into {@code bytes} bytes. */
    static void write(BigDecimal value, MemorySegment memory, long at, int bytes) {
        Unaligned.putInt(memory, at, value.scale());
        BigInteger unscaled = value.unscaledValue();
        int count = bytes - SCALE_BYTES;
        long from = at + SCALE_BYTES;
        if (unscaled.bitLength() < Long.SIZE) {
            writeLong(unscaled.longValue(), memory, from, count);
            return;
        }
        byte[] upperFirst = unscaled.toByteArray();
        for (int i = 0; i < count; i++)
            Unaligned.putByte(
                    memory,
                    from + i,
                    i < upperFirst.length ? upperFirst[upperFirst.length - 1 - i] : unscaled.signum() >> 1);
    }

    /** Writes an unscaled number and its scale. The caller has verified that it fits. */
    static void write(long unscaled, int scale, MemorySegment memory, long at, int bytes) {
        Unaligned.putInt(memory, at, scale);
        writeLong(unscaled, memory, at + SCALE_BYTES, bytes - SCALE_BYTES);
    }

    private static void writeLong(long value, MemorySegment memory, long from, int count) {
        for (int i = 0; i < count; i++)
            Unaligned.putByte(memory, from + i, (int) (value >> Math.min(Long.SIZE - 1, 8 * i)));
    }

    static int scale(MemorySegment memory, long at) {
        return Unaligned.getInt(memory, at);
    }

    /** Returns whether the unscaled number is a long. */
    static boolean isLong(MemorySegment memory, long at, int bytes) {
        int count = bytes - SCALE_BYTES;
        long from = at + SCALE_BYTES;
        if (count <= LONG_BYTES) return true;
        int sign = (byte) Unaligned.getByte(memory, from + LONG_BYTES - 1) >> 7 & 0xff;
        for (int i = LONG_BYTES; i < count; i++) if (Unaligned.getByte(memory, from + i) != sign) return false;
        return true;
    }

    /** Returns the lower eight bytes of the unscaled number: all of it if {@link #isLong}. */
    static long unscaledLong(MemorySegment memory, long at, int bytes) {
        int count = Math.min(LONG_BYTES, bytes - SCALE_BYTES);
        long value = (byte) Unaligned.getByte(memory, at + SCALE_BYTES + count - 1);
        for (int i = count - 2; i >= 0; i--) value = value << 8 | Unaligned.getByte(memory, at + SCALE_BYTES + i);
        return value;
    }

    static BigDecimal read(MemorySegment memory, long at, int bytes) {
        int scale = scale(memory, at);
        if (isLong(memory, at, bytes)) return BigDecimal.valueOf(unscaledLong(memory, at, bytes), scale);
        byte[] upperFirst = new byte[bytes - SCALE_BYTES];
        for (int i = 0; i < upperFirst.length; i++)
            upperFirst[upperFirst.length - 1 - i] = (byte) Unaligned.getByte(memory, at + SCALE_BYTES + i);
        return new BigDecimal(new BigInteger(upperFirst), scale);
    }
}
