package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.fabric.Fabric;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/**
 * A session takes and gives back overflow buckets of a table that another session has made larger. The list of free
 * buckets then begins in an area that the first session has never met.
 */
class FreedByOthersTest {
    private static final int MANY = 120;
    private static final int OWN = 40;

    /** Rows of one bucket that need another one, and let no table grow. */
    private static final int FEW = 6;

    /** A row so long that a bucket has two slots. */
    public record Row(@Key long id, @Length(400) byte[] text) {
        Row(long id) {
            this(id, new byte[400]);
        }
    }

    /** Without FORD-LV, under which one session at a time writes a partition. */
    static Stream<String> protocols() {
        return AnyKeyTest.protocols().stream().filter(name -> !name.startsWith("ford-lv"));
    }

    /** Returns keys of one bucket, whose bucket is not another one when the table has grown. */
    private static List<Long> staying(String protocol) {
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool early = open(fabric, protocol);
                Tidepool pool = open(fabric, protocol)) {
            TableLayout small = PoolAccess.layout(rows(early).handle());
            Table<Row> rows = rows(pool);
            insert(pool, rows, 0, MANY);
            TableLayout large = PoolAccess.layout(rows.handle());
            List<Long> own = new ArrayList<>();
            for (long id = 10_000; own.size() < OWN; id++)
                if (large.home(id) == small.home(id) && (own.isEmpty() || small.home(id) == small.home(own.getFirst())))
                    own.add(id);
            return own;
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void aBucketOfAnUnknownAreaIsTaken(String protocol) {
        List<Long> own = staying(protocol);
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool early = open(fabric, protocol);
                Tidepool pool = open(fabric, protocol)) {
            Table<Row> known = rows(early);
            Table<Row> rows = rows(pool);
            insert(pool, rows, 0, MANY);
            delete(pool, rows, 0, MANY);
            assertFalse(PoolAccess.layout(known.handle()).hasGrown());
            early.transact(tx -> own.forEach(id -> known.insert(tx, new Row(id))));
            assertTrue(PoolAccess.layout(known.handle()).hasGrown(), "it has learned the areas");
            assertRows(rows, own);
        }
    }

    /** Without Motor, whose buckets have more slots than rows are here. */
    static Stream<String> protocolsOfFewSlots() {
        return protocols().filter(name -> !name.startsWith("motor"));
    }

    @ParameterizedTest
    @MethodSource("protocolsOfFewSlots")
    void aBucketIsGivenBackBeforeOneOfAnUnknownArea(String protocol) {
        List<Long> own = staying(protocol).subList(0, FEW);
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool early = open(fabric, protocol);
                Tidepool pool = open(fabric, protocol)) {
            Table<Row> known = rows(early);
            Table<Row> rows = rows(pool);
            own.forEach(id -> early.transact(tx -> known.insert(tx, new Row(id))));
            insert(pool, rows, 0, MANY);
            delete(pool, rows, 0, MANY);
            assertFalse(PoolAccess.layout(known.handle()).hasGrown());
            own.forEach(id -> early.transact(tx -> known.delete(tx, id)));
            assertTrue(PoolAccess.layout(known.handle()).hasGrown(), "it has learned the areas");
            assertRows(rows, List.of());
            assertEquals(
                    0, PoolAccess.usage(pool, rows.handle(), Long.MAX_VALUE).idleBuckets());
        }
    }

    private static Tidepool open(Fabric fabric, String protocol) {
        var made = Protocols.named(protocol);
        return PoolAccess.open(fabric, new PoolOptions(made.name(), 1, 1, 16 << 20, 8, 64 * 1024), made);
    }

    private static Table<Row> rows(Tidepool pool) {
        return pool.table("rows", Row.class, 1);
    }

    private static void assertRows(Table<Row> rows, List<Long> expected) {
        Set<Long> seen = new TreeSet<>();
        rows.forEach(row -> assertTrue(seen.add(row.id()), row.id() + " is there twice"));
        assertEquals(new TreeSet<>(expected), seen);
    }

    private static void insert(Tidepool pool, Table<Row> rows, long from, long to) {
        for (long id = from; id < to; id++) {
            Row row = new Row(id);
            pool.transact(tx -> rows.insert(tx, row));
        }
    }

    private static void delete(Tidepool pool, Table<Row> rows, long from, long to) {
        for (long id = from; id < to; id++) {
            long key = id;
            pool.transact(tx -> rows.delete(tx, key));
        }
    }
}
