package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import tidepool.schema.EightByteKeys;
import tidepool.schema.Schema;
import tidepool.store.farmv2.ChainLayout;
import tidepool.store.motor.BarSize;
import tidepool.store.motor.TupleLayout;

/** The places of the rows of a table. */
class TableLayoutTest {
    private static final TableLayout SPREAD = new TableLayout(1, Schema.parse("t(a:long)"), 4, 16, 4, 4, 64);

    private static Set<Integer> partitions(TableLayout table) {
        Set<Integer> found = new TreeSet<>();
        for (long key = 0; key < 1000; key++) {
            assertEquals(table.partition(key), Pointer.partition(table.home(key)), "both say the same");
            found.add(table.partition(key));
        }
        return found;
    }

    /**
     * A session that restricts a table to one partition must find rows where all other sessions that do so look for
     * them.
     */
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

    /** Recoverers know an object by its place alone. Its kind follows from the place, and not from its content. */
    @Test
    void aPlaceSaysWhatAnObjectIs() {
        for (int partition = 0; partition < 4; partition++) {
            assertEquals(Role.COUNT, SPREAD.role(SPREAD.overflowCount(partition)));
            for (int bucket = 0; bucket < SPREAD.buckets() + SPREAD.overflow(); bucket++) {
                long head = SPREAD.bucket(partition, bucket);
                assertEquals(Role.HEAD, SPREAD.role(head));
                for (int slot = 0; slot < SPREAD.slots(); slot++) {
                    long row = head + (SPREAD.slotOffset(slot) >>> 3);
                    assertEquals(Role.ROW, SPREAD.role(row));
                    assertTrue(SPREAD.contains(row));
                }
            }
        }
        assertFalse(SPREAD.contains(Pointer.of(0, SPREAD.base() + SPREAD.areaBytes())));
        assertFalse(SPREAD.contains(Pointer.of(0, SPREAD.base() - 8)));
    }

    // ---- keys in runs

    private static final Schema SMALL = Schema.parse("t(a:long)");

    private static TableLayout laid(long rows, int partitions) {
        return TableGeometry.lay(1, SMALL, rows, partitions, 64, RowFormat.plain(SMALL), 0);
    }

    /** Lays out a table with four slots to a bucket. */
    private static TableLayout laidInTuples(long rows, int partitions) {
        RowFormat tuples = TupleLayout.format(SMALL, 2, BarSize.of(SMALL, 2));
        return TableGeometry.lay(1, SMALL, rows, partitions, 64, tuples, 0);
    }

    private static int pages(TableLayout table, int keys) {
        Set<Long> pages = new HashSet<>();
        for (long key = 0; key < keys; key++) {
            long home = table.home(key);
            pages.add((long) Pointer.partition(home) << 40 | Pointer.offset(home) >>> 12);
        }
        return pages.size();
    }

    @Test
    void neighboursOfALargeTableLieInFewPages() {
        TableLayout table = laid(1_000_000, 2);

        assertEquals(2782, pages(table, 40_000));
        assertEquals(19_188, pages(table.inRuns(TableLayout.SCATTERED), 40_000));
    }

    /** Otherwise all transactions that insert consecutive keys would wait for one head. */
    @Test
    void keysThatFollowEachOtherMeetInNoHead() {
        TableLayout table = laid(1_000_000, 1);
        for (long first = 0; first < 1_000_000; first += 64) {
            Set<Long> heads = new HashSet<>();
            for (long key = first; key < first + 64; key++) heads.add(table.home(key));
            assertEquals(64, heads.size(), "from key " + first);
        }
    }

    /** Runs that collide fill their buckets together. The overflow buckets must suffice for any pattern of keys. */
    @Test
    void runsLeaveRoomForAllRows() {
        Map<String, LongUnaryOperator> keys = Map.of(
                "one after the other", i -> i,
                "every tenth", i -> 10 * i,
                "every 256th", i -> i << 8,
                "at the golden section", i -> 987 * 256 * i,
                "a thousand behind each of many", i -> i / 1000 << 16 | i % 1000,
                "districts of warehouses", i -> i / 30_000 << 40 | i / 3000 % 10 << 32 | i % 3000,
                "lines of orders", i -> i / 30_000 << 32 | i / 10 % 3000 << 4 | i % 10,
                "in the upper bits", i -> i << 40,
                "at random", EightByteKeys::hash);
        for (int partitions : new int[] {1, 2, 3, 12}) {
            for (TableLayout table : new TableLayout[] {
                laid(200_000L * partitions, partitions), laidInTuples(200_000L * partitions, partitions)
            }) {
                assertTrue(table.runBits() != TableLayout.SCATTERED);
                keys.forEach((name, key) -> {
                    int max = maxOverflow(table, 200_000 * partitions, partitions, key);
                    assertTrue(
                            max < table.overflow(),
                            name + ", " + partitions + " partitions, " + table.slots() + " slots: " + max);
                });
            }
        }
    }

    /** Returns the largest number of overflow buckets that a partition needs. */
    private static int maxOverflow(TableLayout table, int rows, int partitions, LongUnaryOperator key) {
        int[] used = new int[partitions * table.buckets()];
        int[] overflow = new int[partitions];
        int max = 0;
        for (long i = 0; i < rows; i++) {
            long home = table.home(key.applyAsLong(i));
            int partition = Pointer.partition(home);
            long bucket = (Pointer.offset(home) - table.base() - 64) / table.bucketBytes();
            int before = used[partition * table.buckets() + (int) bucket]++;
            if (before > 0 && before % table.slots() == 0) max = Math.max(max, ++overflow[partition]);
        }
        return max;
    }

    @Test
    void smallTablesAndLargeRowsAreScattered() {
        assertEquals(TableLayout.SCATTERED, laid(80_000, 1).runBits());
        assertEquals(7, laid(90_000, 1).runBits());
        assertEquals(8, laid(1_000_000, 2).runBits());
        assertEquals(8, laid(1_000_000, 3).runBits());
        assertEquals(12, laid(400_000_000, 4096).runBits());
        Schema large = Schema.parse("t(a:bytes[400])");
        TableLayout table = TableGeometry.lay(1, large, 1_000_000, 1, 64, RowFormat.plain(large), 0);
        assertEquals(TableLayout.SCATTERED, table.runBits());
    }

    /** The place of rows is part of the format: an older pool must be read as it was made. */
    @Test
    void theCatalogSaysHowKeysLie() {
        TableLayout near = laid(1_000_000, 2);
        assertEquals("1 93750 8 23437/8 64 " + SMALL, TableGeometry.text(near));
        TableLayout read = TableGeometry.parse(TableGeometry.text(near), 2, 0);
        TableLayout before = TableGeometry.parse("1 93750 8 23437 64 " + SMALL, 2, 0);
        for (long key = 0; key < 10_000; key++) {
            assertEquals(near.home(key), read.home(key));
            long hash = EightByteKeys.hash(key);
            assertEquals(
                    Pointer.of((int) (hash >>> 40) % 2, 128 + (hash & 0xff_ffff_ffffL) % 93_750 * 512),
                    before.home(key));
            assertEquals(before.partition(key), near.partition(key), "the partition is the same");
        }
        assertEquals(
                "p0+0x20bbe80 p0+0x1174a80 p0+0x17df080",
                Pointer.text(near.home(0)) + " " + Pointer.text(near.home(12_345)) + " " + Pointer.text(near.home(-1)));
        for (String wrong : new String[] {"23437/5", "23437/13", "23437/-1", "23437/x", "/8"})
            assertThrows(StoreException.class, () -> TableGeometry.parse("1 93750 8 " + wrong + " 64 " + SMALL, 2, 0));
    }

    // ---- blocks outside the slots

    /** Packages of up to half a cache line lie in one line, and blocks do not overlap. */
    @Test
    void blocksOfTuplesBeginAtHalfALine() {
        for (int versions = TupleLayout.MIN_VERSIONS; versions <= TupleLayout.MAX_VERSIONS; versions++)
            for (String text : List.of("t(a:long)", "t(a:long, b:long)", "t(a:bytes[37])", "t(a:bytes[100])")) {
                Schema schema = Schema.parse(text);
                RowFormat format = TupleLayout.format(schema, versions, BarSize.of(schema, versions));
                blocksLieOneAfterTheOther(TableGeometry.lay(1, schema, 100, 2, 64, format, 16), 32);
            }
    }

    /** Blocks of other formats keep their places. */
    @Test
    void blocksOfChainsBeginAtAWord() {
        Schema schema = Schema.parse("t(a:long)");
        blocksLieOneAfterTheOther(TableGeometry.lay(1, schema, 100, 2, 64, ChainLayout.format(schema, 4), 0), 8);
    }

    private static void blocksLieOneAfterTheOther(TableLayout table, long grid) {
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

    /** A lookup of a missing key reads a whole bucket, and needs none of the versions in it. */
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
