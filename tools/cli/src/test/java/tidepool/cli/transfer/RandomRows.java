package tidepool.cli.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tidepool.base.Randomness;
import tidepool.schema.Attribute;
import tidepool.schema.AttributeType;
import tidepool.schema.ContentField;
import tidepool.schema.Field;
import tidepool.schema.Fields.BooleanField;
import tidepool.schema.Fields.ByteField;
import tidepool.schema.Fields.BytesField;
import tidepool.schema.Fields.CharField;
import tidepool.schema.Fields.DoubleField;
import tidepool.schema.Fields.FloatField;
import tidepool.schema.Fields.IntField;
import tidepool.schema.Fields.LongField;
import tidepool.schema.Fields.ShortField;
import tidepool.schema.Fields.StringField;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.schema.ValueFields.DateField;
import tidepool.schema.ValueFields.DecimalField;
import tidepool.schema.ValueFields.DurationField;
import tidepool.schema.ValueFields.EnumField;
import tidepool.schema.ValueFields.InstantField;
import tidepool.schema.ValueFields.ListField;
import tidepool.schema.ValueFields.NullableField;
import tidepool.schema.ValueFields.PresentField;
import tidepool.schema.ValueFields.UuidField;
import tidepool.schema.ValueFields.VarBytesField;
import tidepool.schema.ValueFields.VarStringField;

/** Random schemas of all types, and random rows of them, with the values that text forms get wrong. */
final class RandomRows {
    private static final List<String> LEAVES = List.of(
            "byte",
            "short",
            "int",
            "long",
            "float",
            "double",
            "boolean",
            "char",
            "string[9]",
            "bytes[3]",
            "varstring[9]",
            "varbytes[5]",
            "instant",
            "duration",
            "date",
            "uuid",
            "decimal[5]",
            "decimal[40]",
            "enum<A, B-1, null>",
            "codec<money/2>[8]");
    private static final List<String> LONGS =
            List.of("longstring[200]", "longbytes[200]", "longlist<int>[200]", "longcodec<money/2>[300]");
    private static final List<String> KEYS = List.of(
            "byte",
            "short",
            "int",
            "long",
            "boolean",
            "char",
            "string[6]",
            "bytes[3]",
            "instant",
            "date",
            "uuid",
            "enum<A, B>");
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "null",
            "a,b",
            "\"",
            "\"\"",
            "'",
            "x\r\ny",
            "\n",
            "\r",
            "\\N",
            "NaN",
            "[]",
            "é",
            "\ud83d\ude00",
            "\ufeff",
            "=1+1",
            "#",
            "\t",
            "{}",
            ",");
    private static final List<Long> NUMBERS = List.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 53);

    private final Randomness random;

    RandomRows(Randomness random) {
        this.random = random;
    }

    // ---- schemas

    Schema schema() {
        String key = random.chance(1, 3)
                ? ""
                : IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(i -> "k" + i + ":" + random.pick(KEYS))
                        .collect(Collectors.joining(", ", "[", "]"));
        String attributes = IntStream.range(0, 1 + random.nextInt(6))
                .mapToObj(i -> (random.chance(1, 4) ? "n." : "") + "a" + i + ":" + type())
                .collect(Collectors.joining(", "));
        return Schema.parse("t" + key + "(" + attributes + (random.chance(1, 3) ? ", n:present" : "") + ")");
    }

    private String type() {
        String orNull = random.chance(1, 3) ? "?" : "";
        if (random.chance(1, 6)) return random.pick(LONGS) + orNull;
        if (!random.chance(1, 4)) return random.pick(LEAVES) + orNull;
        String element = random.nextBoolean()
                ? random.pick(LEAVES)
                : "record<x:" + random.pick(LEAVES) + "?, y.z:" + random.pick(LEAVES) + ", l:list<"
                        + random.pick(LEAVES) + ">[2]>";
        return "list<" + element + (random.nextBoolean() ? "?" : "") + ">[3]" + orNull;
    }

    // ---- rows

    RowKey key(Schema schema) {
        RowKey key = schema.key().newKey();
        for (int part = 0; part < schema.key().parts(); part++)
            part(key, part, schema.key().type(part));
        return key;
    }

    private void part(RowKey key, int part, AttributeType type) {
        switch (type.kind()) {
            case STRING -> key.setString(part, text(type.length(), false));
            case BYTES -> key.setBytes(part, bytes(random.nextInt(type.length() + 1)));
            case ENUM -> key.setEnum(part, random.pick(type.constants()));
            case INSTANT -> key.set(part, instant());
            case UUID -> key.setUuid(part, random.nextLong(), random.nextLong());
            case BOOLEAN -> key.setLong(part, random.nextInt(2));
            case BYTE -> key.setLong(part, (byte) number());
            case SHORT -> key.setLong(part, (short) number());
            case INT -> key.setLong(part, (int) number());
            case CHAR -> key.setLong(part, (char) number());
            case DATE -> key.setLong(part, date().toEpochDay());
            default -> key.setLong(part, number());
        }
    }

    void fill(Schema schema, MemorySegment value) {
        for (Attribute each : schema.attributes()) fill(Field.of(each), value, 0);
    }

    private void fill(Field field, MemorySegment memory, long value) {
        AttributeType type = field.attribute().type();
        if (type.isNullable() && random.chance(1, 3)) {
            field.setNull(memory, value);
            return;
        }
        switch (field) {
            case ByteField f -> f.set(memory, value, (byte) number());
            case ShortField f -> f.set(memory, value, (short) number());
            case IntField f -> f.set(memory, value, (int) number());
            case LongField f -> f.set(memory, value, number());
            case FloatField f -> f.set(memory, value, Float.intBitsToFloat((int) bits()));
            case DoubleField f -> f.set(memory, value, Double.longBitsToDouble(bits()));
            case BooleanField f -> f.set(memory, value, random.nextBoolean());
            case CharField f -> f.set(memory, value, (char) number());
            case BytesField f -> f.set(memory, value, bytes(type.length()));
            case StringField f -> f.set(memory, value, text(type.length(), false));
            case VarStringField f -> f.set(memory, value, text(type.length(), true));
            case VarBytesField f -> f.set(memory, value, bytes(random.nextInt(type.length() + 1)));
            case InstantField f -> f.set(memory, value, instant());
            case DurationField f -> f.set(memory, value, Duration.ofSeconds(number(), random.nextInt(1_000_000_000)));
            case DateField f -> f.set(memory, value, date());
            case UuidField f -> f.set(memory, value, new UUID(random.nextLong(), random.nextLong()));
            case DecimalField f -> f.set(memory, value, decimal(type.length()));
            case EnumField f -> f.set(memory, value, random.pick(type.constants()));
            case PresentField f -> f.set(memory, value, random.nextBoolean());
            case NullableField f -> nullable(f, memory, value);
            case ListField f -> list(f, memory, value);
            case ContentField f -> f.set(memory, value, content(type));
        }
    }

    /** A content that fits its slot; longer ones are put into pools. */
    private byte[] content(AttributeType type) {
        boolean isText = type.kind() == AttributeType.Kind.LONGSTRING;
        return isText
                ? text(ContentField.MAX_IN_SLOT, true).getBytes(StandardCharsets.UTF_8)
                : bytes(random.nextInt(ContentField.MAX_IN_SLOT + 1));
    }

    private void nullable(NullableField f, MemorySegment memory, long value) {
        switch (f.attribute().type().kind()) {
            case FLOAT -> f.setDouble(memory, value, Float.intBitsToFloat((int) bits()));
            case DOUBLE -> f.setDouble(memory, value, Double.longBitsToDouble(bits()));
            case BOOLEAN -> f.setBoolean(memory, value, random.nextBoolean());
            case BYTE -> f.setLong(memory, value, (byte) number());
            case SHORT -> f.setLong(memory, value, (short) number());
            case INT -> f.setLong(memory, value, (int) number());
            case CHAR -> f.setLong(memory, value, (char) number());
            default -> f.setLong(memory, value, number());
        }
    }

    private void list(ListField f, MemorySegment memory, long value) {
        int count = random.nextInt(f.attribute().type().length() + 1);
        f.setCount(memory, value, count);
        AttributeType element = f.attribute().type().element();
        for (int i = 0; i < count; i++) {
            MemorySegment own = own(element);
            if (element.kind() == AttributeType.Kind.RECORD) fillRecord(element, own);
            else fill(Field.of(new Attribute(0, "e", element, 0)), own, 0);
            MemorySegment.copy(own, 0, memory, f.at(value, i), element.bytes());
        }
    }

    private void fillRecord(AttributeType type, MemorySegment own) {
        if (type.isNullable() && random.chance(1, 3)) return;
        if (type.isNullable()) own.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        for (Attribute each : type.members()) {
            MemorySegment member = own(each.type());
            fill(Field.of(new Attribute(0, each.name(), each.type(), 0)), member, 0);
            MemorySegment.copy(member, 0, own, (type.isNullable() ? 1 : 0) + each.offset(), each.bytes());
        }
    }

    private static MemorySegment own(AttributeType type) {
        return MemorySegment.ofArray(new long[(type.bytes() + Long.BYTES - 1) / Long.BYTES]);
    }

    // ---- values

    private long number() {
        return switch (random.nextInt(3)) {
            case 0 -> random.pick(NUMBERS);
            case 1 -> random.nextInt(100);
            default -> random.nextLong();
        };
    }

    /** Bits of any float or double; quiet NaNs, infinities and both zeros are frequent. */
    private long bits() {
        return switch (random.nextInt(5)) {
            case 0 -> 0x7ff8_0000_7fc0_0000L | random.nextInt(1000);
            case 1 -> 0x7ff0_0000_7f80_0000L & ~0xffff_ffffL | 0x7f80_0000L;
            case 2 -> 0x8000_0000_8000_0000L;
            default ->
                Double.doubleToLongBits(random.nextLong() / 1e3) & ~0xffff_ffffL
                        | Float.floatToIntBits(random.nextInt(1000) / 7f);
        };
    }

    private String text(int bytes, boolean zeros) {
        if (random.chance(1, 4)) return ""; // which CSV confuses with null
        String text = random.pick(TEXTS) + (random.nextBoolean() ? random.pick(TEXTS) : "");
        if (zeros && random.chance(1, 3)) text = "\0" + text;
        while (text.getBytes(StandardCharsets.UTF_8).length > bytes) text = text.substring(2);
        return isWhole(text) ? text : "";
    }

    private static boolean isWhole(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) random.nextLong();
        return bytes;
    }

    private Instant instant() {
        return switch (random.nextInt(4)) {
            case 0 -> Instant.MIN;
            case 1 -> Instant.MAX;
            default -> Instant.ofEpochSecond(random.nextLong() >> 20, random.nextInt(1_000_000_000));
        };
    }

    private LocalDate date() {
        return switch (random.nextInt(4)) {
            case 0 -> LocalDate.MIN;
            case 1 -> LocalDate.MAX;
            default -> LocalDate.ofEpochDay(random.nextLong() >> 40);
        };
    }

    private BigDecimal decimal(int digits) {
        BigInteger unscaled = BigInteger.TEN
                .pow(1 + random.nextInt(digits))
                .subtract(BigInteger.ONE)
                .divide(BigInteger.valueOf(1 + random.nextInt(1000)));
        int scale = random.chance(1, 5) ? random.nextInt(2_000_000) - 1_000_000 : random.nextInt(20) - 5;
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
    }
}
