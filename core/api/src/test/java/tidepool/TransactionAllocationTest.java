package tidepool;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.testkit.AllocationTable;

/**
 * The second table of {@code docs/guide/types.md}: what a whole transaction of the typed API allocates at most, by the
 * type of the component.
 */
class TransactionAllocationTest {
    private static final String HEAD =
            "| component | a transaction with a put allocates | a transaction with a get allocates |\n"
                    + "| --- | --- | --- |\n";

    private static Object sink;

    record ALong(@Key long id, long a) {}

    record ABoxedLong(@Key long id, Long a) {}

    record AString(@Key long id, @Length(16) String a) {}

    record Bytes(@Key long id, @Length(16) byte[] a) {}

    record AnEnum(@Key long id, Thread.State a) {}

    record AnInstant(@Key long id, Instant a) {}

    record ADate(@Key long id, Optional<LocalDate> a) {}

    record AUuid(@Key long id, UUID a) {}

    record ADecimal(@Key long id, @Length(18) BigDecimal a) {}

    record Point(int x, int y) {}

    record ANested(@Key long id, Point a) {}

    record AList(@Key long id, @Length(4) List<Long> a) {}

    record Records(@Key long id, @Length(4) List<Point> a) {}

    record ShortText(@Key long id, String a) {}

    record LongText(@Key long id, String a) {}

    record LongBytes(@Key long id, byte[] a) {}

    private record Line(String name, Record record) {}

    private static final List<Line> LINES = List.of(
            new Line("`long`", new ALong(1, 1000)),
            new Line("`Long`", new ABoxedLong(1, 1000L)),
            new Line("`@Length(16) String`", new AString(1, "abcd")),
            new Line("`@Length(16) byte[]`", new Bytes(1, new byte[16])),
            new Line("`State`", new AnEnum(1, Thread.State.NEW)),
            new Line("`Instant`", new AnInstant(1, Instant.ofEpochSecond(1_700_000_000, 1))),
            new Line("`Optional<LocalDate>`", new ADate(1, Optional.of(LocalDate.of(2026, 1, 31)))),
            new Line("`UUID`", new AUuid(1, new UUID(1, 2))),
            new Line("`@Length(18) BigDecimal`", new ADecimal(1, new BigDecimal("1000.50"))),
            new Line("`Point`", new ANested(1, new Point(1, 2))),
            new Line("`@Length(4) List<Long>`", new AList(1, List.of(1000L, 1001L, 1002L, 1003L))),
            new Line("`@Length(4) List<Point>`", new Records(1, List.of(new Point(1, 2), new Point(3, 4)))),
            new Line("`String` of 50 bytes", new ShortText(1, "x".repeat(50))),
            new Line("`String` of 1000 bytes, in parts", new LongText(1, "x".repeat(1000))),
            new Line("`byte[]` of 10,000 bytes, in parts", new LongBytes(1, new byte[10_000])));

    @Test
    void tableIsWhatIsMeasured() throws Exception {
        AllocationTable.check("docs/guide/types.md", HEAD, TransactionAllocationTest.class);
    }

    public static void main(String[] arguments) {
        for (Line each : LINES) System.out.println(row(each.name, each.record));
    }

    private static <T extends Record> String row(String name, T record) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) record.getClass();
        try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=16m")) {
            Table<T> table = pool.table("t", type, 1000);
            TransactionBody<RuntimeException> puts = tx -> table.put(tx, record);
            TransactionFunction<T, RuntimeException> gets = tx -> table.get(tx, 1);
            long putting = AllocationTable.perCall(() -> pool.transact(puts));
            long getting = AllocationTable.perCall(() -> sink = pool.read(gets));
            return "| " + name + " | " + putting + " | " + getting + " |";
        }
    }
}
