package tidepool.store;

import tidepool.base.Checks;

/**
 * A place in the pool, as it is stored in the pool. It is logical, so that it outlives any placement. Replicas of a
 * partition are images of each other, so one offset is right on all of them.
 *
 * <pre>
 *    63 … 48     47 … 36       35 … 0
 *    +--------+-------------+------------+
 *    |  tag   |  partition  |  offset/8  |     0 = nowhere: no object lies at offset 0 of a partition
 *    +--------+-------------+------------+
 * </pre>
 */
public final class Pointer {
    public static final int PARTITION_BITS = 12;
    public static final long NOWHERE = 0;

    private static final int OFFSET_BITS = 36;
    private static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;

    private Pointer() {}

    public static long of(int partition, long offset) {
        Checks.invariant(partition >= 0 && partition < 1 << PARTITION_BITS, "a partition has 12 bits", partition);
        Checks.invariant((offset & 7) == 0 && offset >>> 3 <= OFFSET_MASK, "an offset has 36 bits of words", offset);
        return (long) partition << OFFSET_BITS | offset >>> 3;
    }

    public static int partition(long pointer) {
        return (int) (pointer >>> OFFSET_BITS) & (1 << PARTITION_BITS) - 1;
    }

    public static long offset(long pointer) {
        return (pointer & OFFSET_MASK) << 3;
    }

    public static String text(long pointer) {
        return "p" + partition(pointer) + "+0x" + Long.toHexString(offset(pointer));
    }
}
