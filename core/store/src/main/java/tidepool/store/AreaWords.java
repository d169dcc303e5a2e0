package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.schema.EightByteKeys;

/**
 * The places of the areas that a table has got after its first one: words at the end of its entry in the catalog, in
 * the order of the areas. A word is written once, and on the first node last, so an area is there or not.
 *
 * <pre>
 *    63 … 48     47 … 0
 *    +--------+----------+
 *    | check  |  offset  |     0: the table has no such area yet
 *    +--------+----------+
 * </pre>
 *
 * <pre>
 *    word      written by                                         read by
 *    of an     CatalogTables.addArea, under the catalog lock: to  openings of the table; a coordinator that meets a
 *    area      the other nodes, then by CAS from 0 to the first;  bucket of an unknown area
 *              CatalogTables.equalizeAreas: to the other nodes    (RecordCoordinator.learnAreas)
 * </pre>
 */
public final class AreaWords {
    /** The bytes of the words of one table. */
    public static final long BYTES = Extents.MAX_ADDED * (long) Words.BYTES;

    private static final int CHECK_SHIFT = 48;
    private static final long OFFSET = (1L << CHECK_SHIFT) - 1;

    private AreaWords() {}

    static long of(int table, int number, long offset) {
        long check = EightByteKeys.hash(offset ^ EightByteKeys.hash((long) table << 32 | number));
        return check << CHECK_SHIFT | offset;
    }

    /** Returns where the word of an area lies, from the first of these words on; the areas have numbers from 1 on. */
    public static long at(int number) {
        return (number - 1) * (long) Words.BYTES;
    }

    /**
     * Adds the areas to a table that are in words that have landed, and that the table does not have yet. Returns false
     * if one of them is damaged.
     */
    public static boolean learn(TableLayout table, MemorySegment memory, long at) {
        for (int number = table.areaCount(); number <= Extents.MAX_ADDED; number++) {
            long word = Words.plain(memory, at + at(number));
            if (word == 0) return true;
            if (word != of(table.id(), number, word & OFFSET)) return false;
            table.addArea(number, word & OFFSET);
        }
        return true;
    }
}
