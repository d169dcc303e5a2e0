package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.TupleLayout;
import tidepool.store.schema.Schema;

/** Where the rows of a table lie. */
class TableInfoTest {
    private static final TableInfo SPREAD = new TableInfo(1, Schema.parse("t(a:long)"), 4, 16, 4, 4, 64);

    private static Set<Integer> partitions(TableInfo table) {
        Set<Integer> found = new TreeSet<>();
        for (long key = 0; key < 1000; key++) {
            assertEquals(table.partition(key), Pointer.partition(table.home(key)), "both say the same");
            found.add(table.partition(key));
        }
        return found;
    }

    /** Whoever places tables by hand must find a row where everybody else who was told looks for it. */
    @Test
    void aTableLiesInAllPartitionsOrWithinOne() {
        assertEquals(Set.of(0, 1, 2, 3), partitions(SPREAD));
        assertEquals(Set.of(2), partitions(SPREAD.within(2)));
        for (long key = 0; key < 1000; key++)
            assertEquals(
                    Pointer.offset(SPREAD.home(key)),
                    Pointer.offset(SPREAD.within(2).home(key)),
                    "the same bucket, elsewhere");
        assertThrows(IllegalArgumentException.class, () -> SPREAD.within(4));
        assertThrows(IllegalArgumentException.class, () -> SPREAD.within(-1));
    }

    /** Packages of up to half a line of the processor's cache lie in one line, and blocks do not meet. */
    @Test
    void blocksOfTuplesBeginAtHalfALine() {
        for (int versions = TupleLayout.LEAST_VERSIONS; versions <= TupleLayout.MOST_VERSIONS; versions++)
            for (String text : List.of("t(a:long)", "t(a:long, b:long)", "t(a:bytes[37])", "t(a:bytes[100])")) {
                Schema schema = Schema.parse(text);
                RowFormat format = TupleLayout.format(schema, versions, BarSize.of(schema, versions));
                blocksLieBehindEachOther(TableGeometry.lay(1, schema, 100, 2, 64, format, 16), 32);
            }
    }

    /** Blocks of others lie as they did. */
    @Test
    void blocksOfChainsBeginAtAWord() {
        Schema schema = Schema.parse("t(a:long)");
        blocksLieBehindEachOther(TableGeometry.lay(1, schema, 100, 2, 64, ChainLayout.format(schema, 4), 0), 8);
    }

    private static void blocksLieBehindEachOther(TableInfo table, long grid) {
        long bytes = table.format().sideBytes();
        long stride = (bytes + grid - 1) / grid * grid;
        long expected = table.base() + 64 + (table.buckets() + table.overflow()) * table.bucketBytes();
        for (int bucket = 0; bucket < table.buckets() + table.overflow(); bucket++)
            for (int slot = 0; slot < table.slots(); slot++) {
                long pointer = table.bucket(1, bucket) + (table.slotOffset(slot) >>> 3);
                assertEquals(Pointer.of(1, expected), table.side(pointer));
                assertEquals(0, expected % grid);
                expected += stride;
            }
        assertEquals(table.base() + table.areaBytes(), expected);
    }

    /** A lookup of a key that is not there reads a whole bucket, and wants nothing of the versions in it. */
    @Test
    void bucketsOfTuplesAreShort() {
        Schema schema = Schema.parse("t(a:long)");
        assertEquals(8, TableGeometry.slots(RowFormat.plain(schema)));
        for (int versions = 2; versions <= 15; versions++) {
            RowFormat format = TupleLayout.format(schema, versions, BarSize.of(schema, versions));
            assertEquals(
                    versions <= 6 ? 4 : versions <= 9 ? 3 : 2, TableGeometry.slots(format), versions + " versions");
        }
    }
}
