package tidepool.schema;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tidepool.schema.EveryType.State;
import tidepool.testkit.AllocationTable;

/**
 * The table of types in {@code docs/guide/types.md}: the bytes of each in a value, and what encoding and decoding a
 * record of one such component allocates at most.
 */
class TypesPageTest {
    private static final String HEAD = "| component | in the schema | bytes | a put allocates | a get allocates |\n"
            + "| --- | --- | --- | --- | --- |\n";

    private static Object sink;

    record AByte(@Key long id, byte a) {}

    record AShort(@Key long id, short a) {}

    record AnInt(@Key long id, int a) {}

    record ALong(@Key long id, long a) {}

    record AFloat(@Key long id, float a) {}

    record ADouble(@Key long id, double a) {}

    record ABoolean(@Key long id, boolean a) {}

    record AChar(@Key long id, char a) {}

    record ABoxedLong(@Key long id, Long a) {}

    record AnOptionalLong(@Key long id, Optional<Long> a) {}

    record AString(@Key long id, @Length(16) String a) {}

    record ANullableString(
            @Key long id, @Length(16) @Nullable String a) {}

    record AVarstring(
            @Key long id,
            @Length(value = 16, varying = true) String a) {}

    record Bytes(@Key long id, @Length(16) byte[] a) {}

    record Varbytes(
            @Key long id,
            @Length(value = 16, varying = true) byte[] a) {}

    record AnEnum(@Key long id, State a) {}

    record AnInstant(@Key long id, Instant a) {}

    record ADuration(@Key long id, Duration a) {}

    record ADate(@Key long id, LocalDate a) {}

    record AUuid(@Key long id, UUID a) {}

    record ADecimal(@Key long id, @Length(18) BigDecimal a) {}

    record ALargeDecimal(@Key long id, BigDecimal a) {}

    record ANested(@Key long id, EveryType.Point a) {}

    record ANullableNested(@Key long id, @Nullable EveryType.Point a) {}

    record Longs(@Key long id, @Length(4) long[] a) {}

    record AList(@Key long id, @Length(4) List<Long> a) {}

    record Strings(
            @Key long id, @Length(value = 4, each = 8) List<String> a) {}

    record Records(@Key long id, @Length(4) List<EveryType.Point> a) {}

    record ACodec(
            @Key long id,
            @Encoded(EveryType.TextCodec.class) StringBuilder a) {}

    record ALongString(@Key long id, String a) {}

    record LongBytes(@Key long id, byte[] a) {}

    record LongStrings(@Key long id, List<String> a) {}

    private static final List<Record> RECORDS = List.of(
            new AByte(1, (byte) 10),
            new AShort(1, (short) 1000),
            new AnInt(1, 1000),
            new ALong(1, 1000),
            new AFloat(1, 1000),
            new ADouble(1, 1000),
            new ABoolean(1, true),
            new AChar(1, 'a'),
            new ABoxedLong(1, 1000L),
            new AnOptionalLong(1, Optional.of(1000L)),
            new AString(1, "abcd"),
            new ANullableString(1, "abcd"),
            new AVarstring(1, "abcd"),
            new Bytes(1, new byte[16]),
            new Varbytes(1, new byte[4]),
            new AnEnum(1, State.PAID),
            new AnInstant(1, Instant.ofEpochSecond(1_700_000_000, 1)),
            new ADuration(1, Duration.ofSeconds(1000, 1)),
            new ADate(1, LocalDate.of(2026, 1, 31)),
            new AUuid(1, new UUID(1, 2)),
            new ADecimal(1, new BigDecimal("1000.50")),
            new ALargeDecimal(1, new BigDecimal("1234567890123456789012345678.50")),
            new ANested(1, new EveryType.Point(1, (short) 2)),
            new ANullableNested(1, new EveryType.Point(1, (short) 2)),
            new Longs(1, new long[] {1000, 1001, 1002, 1003}),
            new AList(1, List.of(1000L, 1001L, 1002L, 1003L)),
            new Strings(1, List.of("abcd", "abcd", "abcd", "abcd")),
            new Records(1, List.of(new EveryType.Point(1, (short) 2), new EveryType.Point(3, (short) 4))),
            new ACodec(1, new StringBuilder("abc")),
            new ALongString(1, "abcd"),
            new LongBytes(1, new byte[4]),
            new LongStrings(1, List.of("abcd", "abcd", "abcd", "abcd")));

    @Test
    void tableIsWhatIsMeasured() throws Exception {
        AllocationTable.check("docs/guide/types.md", TypesPageTest.class, HEAD);
    }

    public static void main(String[] arguments) {
        for (Record each : RECORDS) System.out.println(row(each));
    }

    private static <T extends Record> String row(T record) {
        @SuppressWarnings("unchecked")
        RecordCodec<T> codec = RecordCodec.of((Class<T>) record.getClass());
        MemorySegment memory = Arena.ofAuto().allocate(codec.schema().length(), 8);
        long encoding = AllocationTable.perCall(() -> codec.encode(record, memory, 0));
        long decoding = AllocationTable.perCall(() -> sink = codec.decode(1, memory, 0));
        long bytes =
                codec.schema().attributes().stream().mapToLong(Attribute::bytes).sum();
        String type =
                record.getClass().getRecordComponents()[1].getGenericType().getTypeName();
        String texts = codec.schema().toString();
        return "| `" + type.replaceAll("[a-zA-Z.$]*[.$]([A-Z])", "$1") + "` | `"
                + texts.substring(texts.indexOf('(') + 1, texts.length() - 1) + "` | " + bytes + " | " + encoding
                + " | " + decoding + " |";
    }
}
