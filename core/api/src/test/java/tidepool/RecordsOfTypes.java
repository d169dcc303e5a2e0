package tidepool;

import static tidepool.RecordsOfTypes.Line.by;
import static tidepool.RecordsOfTypes.Line.of;

import java.lang.Thread.State;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import tidepool.schema.Codec;
import tidepool.schema.Encoded;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Nullable;

/** A record for each type of component, and for each type of key. Numbers are 1000, which no box caches. */
final class RecordsOfTypes {
    private RecordsOfTypes() {}

    /** A record, what a document calls it, and the access that reads it. */
    record Line<T extends Record>(String name, T record, BiFunction<Table<T>, Transaction, T> get) {
        static <T extends Record> Line<T> of(String name, T record) {
            return new Line<>(name, record, (table, tx) -> table.get(tx, 1));
        }

        static <T extends Record> Line<T> by(String name, T record, BiFunction<Table<T>, Transaction, T> get) {
            return new Line<>(name, record, get);
        }

        @SuppressWarnings("unchecked")
        Class<T> type() {
            return (Class<T>) record.getClass();
        }
    }

    /** Money as a codec keeps it. */
    record Money(long cents) {}

    static final class MoneyCodec implements Codec<Money> {
        @Override
        public String name() {
            return "money";
        }

        @Override
        public int maxBytes() {
            return Long.BYTES;
        }

        @Override
        public int encode(Money money, MemorySegment memory, long at) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, money.cents());
            return Long.BYTES;
        }

        @Override
        public Money decode(MemorySegment memory, long at, int bytes) {
            return new Money(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
    }

    record Point(int x, int y) {}

    record Note(String author, Instant at) {}

    // ---- components

    record AByte(@Key long id, byte a) {}

    record AShort(@Key long id, short a) {}

    record AnInt(@Key long id, int a) {}

    record ALong(@Key long id, long a) {}

    record AFloat(@Key long id, float a) {}

    record ADouble(@Key long id, double a) {}

    record ABoolean(@Key long id, boolean a) {}

    record AChar(@Key long id, char a) {}

    record BoxedByte(@Key long id, Byte a) {}

    record BoxedShort(@Key long id, Short a) {}

    record BoxedInt(@Key long id, Integer a) {}

    record BoxedLong(@Key long id, Long a) {}

    record BoxedFloat(@Key long id, Float a) {}

    record BoxedDouble(@Key long id, Double a) {}

    record BoxedBoolean(@Key long id, Boolean a) {}

    record BoxedChar(@Key long id, Character a) {}

    record OptionalLong(@Key long id, Optional<Long> a) {}

    record AText(@Key long id, @Length(16) String a) {}

    record NullableText(@Key long id, @Length(16) @Nullable String a) {}

    record VaryingText(
            @Key long id,
            @Length(value = 16, varying = true) String a) {}

    record Bytes(@Key long id, @Length(16) byte[] a) {}

    record VaryingBytes(
            @Key long id,
            @Length(value = 16, varying = true) byte[] a) {}

    record AnEnum(@Key long id, State a) {}

    record AnInstant(@Key long id, Instant a) {}

    record ADuration(@Key long id, Duration a) {}

    record ADate(@Key long id, LocalDate a) {}

    record OptionalDate(@Key long id, Optional<LocalDate> a) {}

    record AUuid(@Key long id, UUID a) {}

    record ShortDecimal(@Key long id, @Length(18) BigDecimal a) {}

    record ADecimal(@Key long id, BigDecimal a) {}

    record Nested(@Key long id, Point a) {}

    record NullableNested(@Key long id, @Nullable Point a) {}

    record Ints(@Key long id, @Length(4) int[] a) {}

    record Longs(@Key long id, @Length(4) long[] a) {}

    record Doubles(@Key long id, @Length(4) double[] a) {}

    record Booleans(@Key long id, @Length(4) boolean[] a) {}

    record ArrayOfTexts(
            @Key long id, @Length(value = 4, each = 8) String[] a) {}

    record ListOfLongs(@Key long id, @Length(4) List<Long> a) {}

    record ListOfTexts(
            @Key long id, @Length(value = 4, each = 8) List<String> a) {}

    record ListOfRecords(@Key long id, @Length(4) List<Point> a) {}

    record ACodec(@Key long id, @Encoded(MoneyCodec.class) Money a) {}

    record LongText(@Key long id, String a) {}

    record LongBytes(@Key long id, byte[] a) {}

    record LongNumbers(@Key long id, long[] a) {}

    record LongListOfTexts(@Key long id, List<String> a) {}

    record LongListOfRecords(@Key long id, List<Note> a) {}

    private static final Instant AT = Instant.ofEpochSecond(1_700_000_000, 1);
    private static final LocalDate DAY = LocalDate.of(2026, 1, 31);
    private static final UUID ID = new UUID(1, 2);
    private static final List<String> TEXTS = List.of("abcd", "abcd", "abcd", "abcd");

    /** Every type of a component. */
    static List<Line<?>> components() {
        return List.of(
                of("`byte`", new AByte(1, (byte) 100)),
                of("`short`", new AShort(1, (short) 1000)),
                of("`int`", new AnInt(1, 1000)),
                of("`float`", new AFloat(1, 1000)),
                of("`boolean`", new ABoolean(1, true)),
                of("`char`", new AChar(1, 'a')),
                of("`Byte`", new BoxedByte(1, (byte) 100)),
                of("`Boolean`", new BoxedBoolean(1, true)),
                of("`State`", new AnEnum(1, State.NEW)),
                of("`long`", new ALong(1, 1000)),
                of("`double`", new ADouble(1, 1000)),
                of("`Short`", new BoxedShort(1, (short) 1000)),
                of("`Integer`", new BoxedInt(1, 1000)),
                of("`Float`", new BoxedFloat(1, 1000f)),
                of("`Character`", new BoxedChar(1, '\u1000')),
                of("`Long`", new BoxedLong(1, 1000L)),
                of("`Double`", new BoxedDouble(1, 1000.0)),
                of("`Instant`", new AnInstant(1, AT)),
                of("`Duration`", new ADuration(1, Duration.ofSeconds(1000, 1))),
                of("`LocalDate`", new ADate(1, DAY)),
                of("`Point`", new Nested(1, new Point(1, 2))),
                of("`@Nullable Point`", new NullableNested(1, new Point(1, 2))),
                of("`Optional<Long>`", new OptionalLong(1, Optional.of(1000L))),
                of("`Optional<LocalDate>`", new OptionalDate(1, Optional.of(DAY))),
                of("`UUID`", new AUuid(1, ID)),
                of("`@Length(16) byte[]`", new Bytes(1, new byte[16])),
                of("`byte[]`, varying", new VaryingBytes(1, new byte[4])),
                of("`@Length(16) String`", new AText(1, "abcd")),
                of("`@Length(16) @Nullable String`", new NullableText(1, "abcd")),
                of("`String`, varying", new VaryingText(1, "abcd")),
                of("`@Length(18) BigDecimal`", new ShortDecimal(1, new BigDecimal("1000.50"))),
                of("`BigDecimal` of 30 digits", new ADecimal(1, new BigDecimal("1234567890123456789012345678.50"))),
                of("`@Length(4) boolean[]`", new Booleans(1, new boolean[4])),
                of("`@Length(4) int[]`", new Ints(1, new int[4])),
                of("`@Length(4) long[]`", new Longs(1, new long[4])),
                of("`@Length(4) double[]`", new Doubles(1, new double[4])),
                of("`String[]`, short", new ArrayOfTexts(1, TEXTS.toArray(new String[0]))),
                of("`@Length(4) List<Long>`", new ListOfLongs(1, List.of(1000L, 1001L, 1002L, 1003L))),
                of("`List<String>`, short", new ListOfTexts(1, TEXTS)),
                of("`@Length(4) List<Point>`", new ListOfRecords(1, List.of(new Point(1, 2), new Point(3, 4)))),
                of("`Money`, by a codec", new ACodec(1, new Money(1000))),
                of("`String` of 50 bytes", new LongText(1, "x".repeat(50))),
                of("`String` of 1000 bytes, in parts", new LongText(1, "x".repeat(1000))),
                of("`byte[]` of 50 bytes", new LongBytes(1, new byte[50])),
                of("`byte[]` of 10,000 bytes, in parts", new LongBytes(1, new byte[10_000])),
                of("`long[]` of 4 numbers", new LongNumbers(1, new long[4])),
                of("`long[]` of 1000 numbers, in parts", new LongNumbers(1, new long[1000])),
                of("`List<String>` of 4 texts", new LongListOfTexts(1, TEXTS)),
                of(
                        "`List<Note>` of 2 records",
                        new LongListOfRecords(1, List.of(new Note("ab", AT), new Note("c", AT)))));
    }

    // ---- keys

    record ByLong(@Key long id, long a) {}

    record ByInt(@Key int id, long a) {}

    record ByShortText(@Key @Length(8) String id, long a) {}

    record ByText(@Key @Length(16) String id, long a) {}

    record ByBytes(@Key @Length(16) byte[] id, long a) {}

    record ByUuid(@Key UUID id, long a) {}

    record ByEnum(@Key State id, long a) {}

    record ByDate(@Key LocalDate id, long a) {}

    record ByInstant(@Key Instant id, long a) {}

    record ByTwoInts(@Key int left, @Key int right, long a) {}

    record ByTextAndInt(@Key @Length(12) String order, @Key int number, long a) {}

    private static final byte[] BYTES = new byte[16];

    /** Every type of a key, and keys of two parts. */
    static List<Line<?>> keys() {
        return List.of(
                by("`long`", new ByLong(1000, 1), (table, tx) -> table.get(tx, 1000)),
                by("`int`", new ByInt(1000, 1), (table, tx) -> table.get(tx, 1000)),
                by("`State`", new ByEnum(State.NEW, 1), (table, tx) -> table.get(tx, State.NEW)),
                by("`LocalDate`", new ByDate(DAY, 1), (table, tx) -> table.get(tx, DAY)),
                by("`@Length(8) String`", new ByShortText("A-1009", 1), (table, tx) -> table.get(tx, "A-1009")),
                by("`@Length(16) String`", new ByText("A-1009", 1), (table, tx) -> table.get(tx, "A-1009")),
                by("`@Length(16) byte[]`", new ByBytes(BYTES, 1), (table, tx) -> table.get(tx, (Object) BYTES)),
                by("`UUID`", new ByUuid(ID, 1), (table, tx) -> table.get(tx, ID)),
                by("`Instant`", new ByInstant(AT, 1), (table, tx) -> table.get(tx, AT)),
                by("`int`, `int`", new ByTwoInts(1000, 3, 1), (table, tx) -> table.get(tx, 1000, 3)),
                by(
                        "`@Length(12) String`, `int`",
                        new ByTextAndInt("A-1009", 3, 1),
                        (table, tx) -> table.get(tx, "A-1009", 3)));
    }
}
