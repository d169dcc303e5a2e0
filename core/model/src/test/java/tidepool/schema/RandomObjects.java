package tidepool.schema;

import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import tidepool.base.Randomness;

/** Random records of any class that a codec takes, by reflection, and their comparison by content. */
final class RandomObjects {
    private final Randomness random;

    RandomObjects(long seed) {
        random = new Randomness(seed);
    }

    <T extends Record> T record(Class<T> type) throws Exception {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            RecordComponent each = components[i];
            boolean mayBeNull = each.isAnnotationPresent(Nullable.class)
                    || !each.getType().isPrimitive() && isBoxed(each.getType());
            values[i] = mayBeNull && random.chance(1, 4)
                    ? null
                    : value(each.getGenericType(), each.getAnnotation(Length.class), false);
        }
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static boolean isBoxed(Class<?> type) {
        return Number.class.isAssignableFrom(type) && type.getName().startsWith("java.lang")
                || type == Character.class
                || type == Boolean.class;
    }

    private Object value(Type generic, Length length, boolean isElement) throws Exception {
        Class<?> type = (Class<?>) (generic instanceof ParameterizedType p ? p.getRawType() : generic);
        Type argument = generic instanceof ParameterizedType p ? p.getActualTypeArguments()[0] : null;
        int most = length == null ? 0 : isElement ? length.each() : length.value();
        if (type == Optional.class)
            return random.chance(1, 3) ? Optional.empty() : Optional.of(value(argument, length, isElement));
        if (type == List.class) {
            List<Object> list = random.nextBoolean() ? new ArrayList<>() : new LinkedList<>();
            for (int left = count(most); left > 0; left--) list.add(value(argument, length, true));
            return list;
        }
        if (type == byte[].class) {
            byte[] bytes = new byte[length.varying() ? count(most) : most];
            for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) random.nextLong();
            return bytes;
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), count(most));
            for (int i = 0; i < Array.getLength(array); i++)
                Array.set(array, i, value(type.getComponentType(), length, true));
            return array;
        }
        if (type.isRecord()) return record(type.asSubclass(Record.class));
        if (type.isEnum()) return random.pick(List.of(type.getEnumConstants()));
        return leaf(type, most, length);
    }

    private int count(int most) {
        return random.chance(1, 3) ? most : random.nextInt(most + 1);
    }

    private Object leaf(Class<?> type, int most, Length length) {
        long bits = random.chance(1, 3)
                ? random.pick(List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE))
                : random.nextLong();
        return switch (type.getSimpleName()) {
            case "byte", "Byte" -> (byte) bits;
            case "short", "Short" -> (short) bits;
            case "int", "Integer" -> (int) bits;
            case "long", "Long" -> bits;
            case "float", "Float" -> Float.intBitsToFloat((int) bits);
            case "double", "Double" -> Double.longBitsToDouble(bits);
            case "boolean", "Boolean" -> random.nextBoolean();
            case "char", "Character" -> (char) bits;
            case "String" -> text(most, length.varying());
            case "StringBuilder" -> new StringBuilder(text(3, true));
            case "Instant" ->
                random.pick(List.of(
                        Instant.MIN, Instant.MAX, Instant.EPOCH, Instant.ofEpochSecond(bits >> 12, bits & 0xfffffff)));
            case "Duration" ->
                random.pick(List.of(Duration.ZERO, Duration.ofNanos(bits), Duration.ofSeconds(Long.MIN_VALUE, 5)));
            case "LocalDate" -> random.pick(List.of(LocalDate.MIN, LocalDate.MAX, LocalDate.ofEpochDay(bits >> 40)));
            case "UUID" -> new UUID(bits, random.nextLong());
            case "BigDecimal" -> decimal(most == 0 ? 38 : most);
            default -> throw new AssertionError(type);
        };
    }

    private BigDecimal decimal(int digits) {
        StringBuilder number = new StringBuilder(random.nextBoolean() ? "-" : "");
        for (int left = 1 + random.nextInt(digits); left > 0; left--) number.append((char) ('0' + random.nextInt(10)));
        if (random.chance(1, 5)) {
            number.setLength(number.charAt(0) == '-' ? 1 : 0);
            number.append("9".repeat(digits));
        }
        int scale = random.pick(List.of(0, 2, -3, Integer.MAX_VALUE, Integer.MIN_VALUE));
        return new BigDecimal(new BigInteger(number.toString()), scale);
    }

    private String text(int most, boolean zeros) {
        StringBuilder text = new StringBuilder();
        for (int left = count(most); left > 0; left--) text.append((char) (random.nextInt(0x7f) + (zeros ? 0 : 1)));
        if (most >= 4 && random.chance(1, 4))
            return new StringBuilder().appendCodePoint(0x10ffff).toString();
        return text.toString();
    }

    /** Returns a text that is equal for objects of equal content. */
    static String shown(Object value) throws Exception {
        if (value == null) return "null";
        StringBuilder text = new StringBuilder(value.getClass().getSimpleName());
        if (value instanceof Optional<?> optional) return "Optional " + shown(optional.orElse(null));
        if (value instanceof List<?> list) {
            text.setLength(0);
            for (Object each : list) text.append(", ").append(shown(each));
        } else if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) text.append(", ").append(shown(Array.get(value, i)));
        } else if (value instanceof Record) {
            for (RecordComponent each : value.getClass().getRecordComponents()) {
                each.getAccessor().setAccessible(true);
                text.append(' ')
                        .append(each.getName())
                        .append('=')
                        .append(shown(each.getAccessor().invoke(value)));
            }
        } else {
            text.append(' ').append(value);
        }
        return text.toString();
    }
}
