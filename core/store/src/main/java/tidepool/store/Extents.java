package tidepool.store;

import java.util.Arrays;
import tidepool.base.Checks;

/**
 * The areas that a table has got so far, and which buckets lie in each. The first is as large as the table was made.
 * The sizes of all others follow from their numbers, so the catalog keeps only their places. Never changes; a table
 * that gets another area gets another object.
 *
 * <pre>
 *    area 0:   count | buckets 0 … n-1   | overflow 0 … o-1   | blocks of the slots
 *    area 1:   size  | buckets n … n+b-1 | overflow o … o+v-1 | blocks of the slots       b: a quarter of all before
 *    area i:   -     | …
 * </pre>
 */
final class Extents {
    /** The maximum number of areas that a table gets after the first. */
    static final int MAX_ADDED = 64;

    private static final long MIN_BUCKETS = 4;
    private static final int SHARE = 4;

    /** First buckets of an area for each of its overflow buckets: more than a partition uses before it grows again. */
    private static final int BUCKETS_PER_OVERFLOW = 3;

    private static final long MAX_BUCKETS = 1L << 30;

    final int count;
    final long[] base;
    final long[] end;
    final long[] sideBase;
    final long[] buckets;
    final long[] overflow;
    final long[] firstBucket;
    final long[] firstOverflow;

    private final long bucketBytes;
    private final long sideBytes;

    private Extents(int count, Extents from, long bucketBytes, long sideBytes) {
        this.count = count;
        this.bucketBytes = bucketBytes;
        this.sideBytes = sideBytes;
        base = from == null ? new long[count] : Arrays.copyOf(from.base, count);
        end = from == null ? new long[count] : Arrays.copyOf(from.end, count);
        sideBase = from == null ? new long[count] : Arrays.copyOf(from.sideBase, count);
        buckets = from == null ? new long[count] : Arrays.copyOf(from.buckets, count);
        overflow = from == null ? new long[count] : Arrays.copyOf(from.overflow, count);
        firstBucket = from == null ? new long[count] : Arrays.copyOf(from.firstBucket, count);
        firstOverflow = from == null ? new long[count] : Arrays.copyOf(from.firstOverflow, count);
    }

    /** @param sideBytes the bytes of the blocks of all slots of a bucket */
    static Extents first(long base, long buckets, long overflow, long bucketBytes, long sideBytes) {
        Extents first = new Extents(1, null, bucketBytes, sideBytes);
        first.lay(0, base, buckets, overflow);
        return first;
    }

    /** Returns these areas and one more. */
    Extents and(long nextBase) {
        Checks.invariant(count <= MAX_ADDED, "a table has a limited number of areas", count);
        Extents more = new Extents(count + 1, this, bucketBytes, sideBytes);
        more.firstBucket[count] = allBuckets();
        more.firstOverflow[count] = allOverflow();
        more.lay(count, nextBase, nextBuckets(), nextOverflow());
        return more;
    }

    private void lay(int i, long at, long some, long more) {
        base[i] = at;
        buckets[i] = some;
        overflow[i] = more;
        sideBase[i] = at + 64 + (some + more) * bucketBytes;
        end[i] = sideBase[i] + (some + more) * sideBytes;
    }

    private long nextBuckets() {
        return Math.max(MIN_BUCKETS, allBuckets() / SHARE);
    }

    private long nextOverflow() {
        return nextBuckets() / BUCKETS_PER_OVERFLOW;
    }

    /** Returns the bytes of the next area; 0 if there can be no more. */
    long nextBytes() {
        if (count > MAX_ADDED || allBuckets() + nextBuckets() > MAX_BUCKETS) return 0;
        return 64 + (nextBuckets() + nextOverflow()) * (bucketBytes + sideBytes);
    }

    /** Returns the number of first buckets for which there is room in a partition. */
    long allBuckets() {
        return firstBucket[count - 1] + buckets[count - 1];
    }

    long allOverflow() {
        return firstOverflow[count - 1] + overflow[count - 1];
    }

    /** Returns the area of an offset; the first one if it lies in none. Most rows lie in the last areas. */
    int of(long offset) {
        for (int i = count - 1; i > 0; i--) if (offset >= base[i] && offset < end[i]) return i;
        return 0;
    }

    int ofBucket(long bucket) {
        for (int i = count - 1; i > 0; i--) if (bucket >= firstBucket[i]) return i;
        return 0;
    }

    int ofOverflow(long number) {
        for (int i = count - 1; i > 0; i--) if (number >= firstOverflow[i]) return i;
        return 0;
    }
}
