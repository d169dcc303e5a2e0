package tidepool.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tidepool.store.StoreException.Reason;

/**
 * The memory of the partitions that no table has, found under the catalog lock. An area has one offset in all
 * partitions. The areas that are in use follow from the entries of the tables, and what lies between them is free, so
 * no list of free areas is stored, and a crash loses nothing.
 *
 * <pre>
 *    64                                              NEXT_OFFSET          partitionBytes
 *    +---------+----------+---------+---------+-------+-------------------+
 *    | table 1 |   free   | table 3 | table 4 | free  |    never used     |     free memory is zero in all copies
 *    +---------+----------+---------+---------+-------+-------------------+
 * </pre>
 *
 * <p>A session takes an area, records it in the entry of a table, and gives the lock back. If it dies before the
 * record, the area is free again: it was not written. An area is given back by the change of the entry that named it,
 * and only when it is zero in all copies.
 */
final class CatalogSpace {
    /** No object lies at offset 0: a pointer of 0 is nowhere. */
    static final long FIRST = 64;

    private static final long LINE = 64;

    private final CatalogCopies copies;

    CatalogSpace(CatalogCopies copies) {
        this.copies = copies;
    }

    /** An area that is in use. */
    record Used(long offset, long bytes) {
        long end() {
            return lines(offset + bytes);
        }
    }

    /**
     * Takes an area that is zero in all copies, and returns its offset in each partition. The area becomes free again
     * unless the caller records it before it releases the lock.
     *
     * @param used all areas that are in use, in any order
     * @param asker the beginning of the message of a refusal, such as {@code table x for 10 rows}
     */
    long take(List<Used> used, long bytes, String asker) {
        long needed = lines(bytes);
        long largest = 0;
        long at = FIRST;
        List<Used> sorted = new ArrayList<>(used);
        sorted.sort(Comparator.comparingLong(Used::offset));
        sorted.add(new Used(copies.first().get(CatalogLayout.PARTITION_BYTES), 0));
        for (Used next : sorted) {
            long free = next.offset() - at;
            if (free >= needed) {
                // Programs of earlier format versions take memory from here on.
                if (at + needed > copies.first().get(CatalogLayout.NEXT_OFFSET))
                    copies.put(CatalogLayout.NEXT_OFFSET, at + needed);
                return at;
            }
            largest = Math.max(largest, free);
            at = Math.max(at, next.end());
        }
        throw new StoreException(
                Reason.FULL,
                asker + " needs " + needed + " bytes in each partition, " + largest
                        + " are left of memory=" + copies.first().get(CatalogLayout.PARTITION_BYTES)
                        + "; make the pool larger: ./tidepool pool grow URL --memory SIZE, or Tidepool.grow");
    }

    /** Returns bytes as whole cache lines. */
    private static long lines(long bytes) {
        return bytes + LINE - 1 & -LINE;
    }
}
