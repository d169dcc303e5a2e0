package tidepool.schema;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;

/** The form of a single object of the JDK: a boxed number, a text, a time. */
final class LeafForm extends Form {
    LeafForm(String name, AttributeType type) {
        super(name, type);
    }

    @Override
    void write(Object value, MemorySegment memory, long at) {
        required(value);
        switch (type.kind()) {
            case BYTE -> memory.set(ValueLayout.JAVA_BYTE, at, (Byte) value);
            case SHORT -> memory.set(Unaligned.I16, at, (Short) value);
            case INT -> memory.set(Unaligned.I32, at, (Integer) value);
            case LONG -> memory.set(Unaligned.I64, at, (Long) value);
            case FLOAT -> memory.set(Unaligned.F32, at, (Float) value);
            case DOUBLE -> memory.set(Unaligned.F64, at, (Double) value);
            case BOOLEAN -> Unaligned.putByte(memory, at, (Boolean) value ? 1 : 0);
            case CHAR -> memory.set(Unaligned.UTF16, at, (Character) value);
            case INSTANT -> {
                Instant instant = (Instant) value;
                time(instant.getEpochSecond(), instant.getNano(), memory, at);
            }
            case DURATION -> {
                Duration duration = (Duration) value;
                time(duration.toSeconds(), duration.toNanosPart(), memory, at);
            }
            case DATE -> Unaligned.putLong(memory, at, ((LocalDate) value).toEpochDay());
            case UUID -> {
                Unaligned.putLong(memory, at, ((UUID) value).getMostSignificantBits());
                Unaligned.putLong(memory, at + 8, ((UUID) value).getLeastSignificantBits());
            }
            case DECIMAL ->
                DecimalBytes.write(
                        DecimalBytes.checked((BigDecimal) value, type.length(), name), memory, at, type.bytes());
            case STRING -> {
                fits(Utf8.length((String) value, name, false));
                Utf8.write((String) value, memory, at);
            }
            case VARSTRING -> {
                int length = fits(Utf8.length((String) value, name, true));
                Unaligned.putCount(memory, at, length);
                Utf8.write((String) value, memory, at + AttributeType.COUNT_BYTES);
            }
            case BYTES -> exactly((byte[]) value, memory, at);
            case VARBYTES -> {
                byte[] bytes = (byte[]) value;
                fitsBytes(bytes.length);
                Unaligned.putCount(memory, at, bytes.length);
                copy(bytes, memory, at + AttributeType.COUNT_BYTES);
            }
            default -> throw new AssertionError(type);
        }
    }

    private static void time(long seconds, int nanos, MemorySegment memory, long at) {
        Unaligned.putLong(memory, at, seconds);
        Unaligned.putInt(memory, at + 8, nanos);
    }

    /** Texts and varying bytes are packed as a count and their bytes. */
    @Override
    void pack(Object value, PackedBytes to) {
        switch (type.kind()) {
            case STRING, VARSTRING, VARBYTES -> {
                long at = to.reserve(AttributeType.COUNT_BYTES + type.length());
                int length = packed(required(value), to.memory(), at + AttributeType.COUNT_BYTES);
                Unaligned.putCount(to.memory(), at, length);
                to.giveBack(type.length() - length);
            }
            default -> super.pack(value, to);
        }
    }

    private int packed(Object value, MemorySegment memory, long at) {
        if (type.kind() == AttributeType.Kind.VARBYTES) {
            byte[] bytes = (byte[]) value;
            fitsBytes(bytes.length);
            copy(bytes, memory, at);
            return bytes.length;
        }
        int length = fits(Utf8.length((String) value, name, type.kind() == AttributeType.Kind.VARSTRING));
        Utf8.write((String) value, memory, at);
        return length;
    }

    @Override
    Object unpack(PackedReader from) {
        return switch (type.kind()) {
            case STRING, VARSTRING, VARBYTES -> {
                long count = from.skip(AttributeType.COUNT_BYTES);
                int length = sound(Unaligned.getCount(from.memory(), count), type.length(), name);
                long at = from.skip(length);
                boolean isText = type.kind() != AttributeType.Kind.VARBYTES;
                boolean zeros = type.kind() == AttributeType.Kind.VARSTRING;
                yield isText ? text(from.memory(), at, length, zeros, name) : bytes(from.memory(), at, length);
            }
            default -> super.unpack(from);
        };
    }

    private void fitsBytes(int length) {
        if (length > type.length())
            throw new IllegalArgumentException(
                    "attribute '" + name + "' holds at most " + type.length() + " bytes, not " + length);
    }

    private int fits(int length) {
        if (length > type.length())
            throw new IllegalArgumentException(
                    "attribute '" + name + "' holds at most " + type.length() + " bytes of UTF-8, not " + length);
        return length;
    }

    private void exactly(byte[] bytes, MemorySegment memory, long at) {
        if (bytes.length != type.length())
            throw new IllegalArgumentException(
                    "attribute '" + name + "' takes exactly " + type.length() + " bytes, not " + bytes.length);
        copy(bytes, memory, at);
    }

    private static void copy(byte[] bytes, MemorySegment memory, long at) {
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, at, bytes.length);
    }

    @Override
    Object read(MemorySegment memory, long at) {
        return switch (type.kind()) {
            case BYTE -> memory.get(ValueLayout.JAVA_BYTE, at);
            case SHORT -> memory.get(Unaligned.I16, at);
            case INT -> memory.get(Unaligned.I32, at);
            case LONG -> memory.get(Unaligned.I64, at);
            case FLOAT -> memory.get(Unaligned.F32, at);
            case DOUBLE -> memory.get(Unaligned.F64, at);
            case BOOLEAN -> Unaligned.getByte(memory, at) != 0;
            case CHAR -> memory.get(Unaligned.UTF16, at);
            case INSTANT -> instant(memory, at, name);
            case DURATION -> duration(memory, at, name);
            case DATE -> date(memory, at, name);
            case UUID -> new UUID(Unaligned.getLong(memory, at), Unaligned.getLong(memory, at + 8));
            case DECIMAL -> DecimalBytes.read(memory, at, type.bytes());
            case STRING -> text(memory, at, zeroFilled(memory, at, type.length()), false, name);
            case VARSTRING -> {
                int length = sound(Unaligned.getCount(memory, at), type.length(), name);
                yield text(memory, at + AttributeType.COUNT_BYTES, length, true, name);
            }
            case BYTES -> bytes(memory, at, type.length());
            case VARBYTES -> {
                int length = sound(Unaligned.getCount(memory, at), type.length(), name);
                yield bytes(memory, at + AttributeType.COUNT_BYTES, length);
            }
            default -> throw new AssertionError(type);
        };
    }

    static Instant instant(MemorySegment memory, long at, String name) {
        long seconds = Unaligned.getLong(memory, at);
        int nanos = nanos(memory, at, name);
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond())
            throw damaged(name, "no instant");
        return Instant.ofEpochSecond(seconds, nanos);
    }

    static Duration duration(MemorySegment memory, long at, String name) {
        return Duration.ofSeconds(Unaligned.getLong(memory, at), nanos(memory, at, name));
    }

    private static int nanos(MemorySegment memory, long at, String name) {
        int nanos = Unaligned.getInt(memory, at + 8);
        if (nanos < 0 || nanos > 999_999_999) throw damaged(name, "a number of nanoseconds above 999999999");
        return nanos;
    }

    static LocalDate date(MemorySegment memory, long at, String name) {
        long day = Unaligned.getLong(memory, at);
        if (day < LocalDate.MIN.toEpochDay() || day > LocalDate.MAX.toEpochDay()) throw damaged(name, "no date");
        return LocalDate.ofEpochDay(day);
    }

    static IllegalStateException damaged(String name, String what) {
        return new IllegalStateException("attribute '" + name + "' holds " + what + ": the value is damaged");
    }

    static int zeroFilled(MemorySegment memory, long at, int most) {
        int length = 0;
        while (length < most && memory.get(ValueLayout.JAVA_BYTE, at + length) != 0) length++;
        return length;
    }

    static byte[] bytes(MemorySegment memory, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return bytes;
    }

    static String text(MemorySegment memory, long at, int length, boolean zeros, String name) {
        byte[] bytes = bytes(memory, at, length);
        if (!Utf8.isStorable(bytes, 0, length, zeros))
            throw new IllegalStateException(
                    "attribute '" + name + "' holds bytes that are not UTF-8: the value is damaged");
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
