package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.testkit.DocTable;

/**
 * The table of {@code docs/benchmarks/results.md} with the bytes that travel for a row of one text, next to those that
 * are used. The fabric counts them, so they are exact.
 */
class CarriedBytesPageTest {
    private static final String HEAD = "| text | access | FORD | FORD-LV | FaRM | DrTM+H | FaRMv2 | Motor | HDTX |\n"
            + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    private static final List<String> PROTOCOLS =
            List.of("ford", "ford-lv", "farm", "drtmh", "farmv2", "motor", "hdtx");

    record Article(@Key long id, String text) {}

    record Label(@Key long id, @Length(200) String text) {}

    @Test
    void tableIsWhatTheFabricCounts() throws Exception {
        List<String> rows = new ArrayList<>();
        rows.addAll(rows("`String` of 1,000 bytes", Article.class, new Article(1, "x".repeat(1_000))));
        rows.addAll(rows("`String` of 10,000 bytes", Article.class, new Article(1, "x".repeat(10_000))));
        rows.addAll(rows("`String` of 50 bytes", Article.class, new Article(1, "x".repeat(50))));
        rows.addAll(rows("`@Length(200) String` of 10 bytes", Label.class, new Label(1, "x".repeat(10))));
        DocTable.check("docs/benchmarks/results.md", HEAD, String.join("\n", rows));
    }

    /** Returns a row for each access. */
    private static <T extends Record> List<String> rows(String text, Class<T> type, T record) {
        List<Carried> carried = PROTOCOLS.stream()
                .map(protocol -> Carried.by(protocol, type, record))
                .toList();
        return List.of(
                row(text, "get", carried.stream().map(Carried::get).toList()),
                row(text, "insert", carried.stream().map(Carried::insert).toList()),
                row(text, "put", carried.stream().map(Carried::put).toList()));
    }

    private static String row(String text, String access, List<Bytes> protocols) {
        return protocols.stream()
                .map(Bytes::toString)
                .collect(Collectors.joining(" | ", "| " + text + " | " + access + " | ", " |"));
    }

    private record Bytes(long read, long written) {
        static Bytes between(TrafficCounts before, TrafficCounts after) {
            return new Bytes(after.bytesRead() - before.bytesRead(), after.bytesWritten() - before.bytesWritten());
        }

        @Override
        public String toString() {
            return written == 0 ? "%,d".formatted(read) : "%,d + %,d".formatted(read, written);
        }
    }

    /** The bytes of one record, of a client that has read it, and its neighbours, before. */
    private record Carried(Bytes get, Bytes insert, Bytes put) {
        static <T extends Record> Carried by(String protocol, Class<T> type, T record) {
            try (Tidepool pool = Tidepool.open("mem:?nodes=2&replicas=2&memory=32m&timeout=60s&protocol=" + protocol)) {
                Table<T> table = pool.table("t", type, 64);
                // The first insert of a client looks for slots that later ones know.
                pool.transact(tx -> table.insert(tx, record));
                pool.transact(tx -> table.delete(tx, 1));
                TrafficCounts start = pool.traffic();
                pool.transact(tx -> table.insert(tx, record));
                TrafficCounts inserted = pool.traffic();
                assertEquals(record, pool.read(tx -> table.get(tx, 1)));
                TrafficCounts known = pool.traffic();
                pool.read(tx -> table.get(tx, 1));
                TrafficCounts read = pool.traffic();
                pool.transact(tx -> table.put(tx, record));
                return new Carried(
                        Bytes.between(known, read),
                        Bytes.between(start, inserted),
                        Bytes.between(read, pool.traffic()));
            }
        }
    }
}
