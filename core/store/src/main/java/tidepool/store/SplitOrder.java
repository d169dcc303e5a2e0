package tidepool.store;

/**
 * The order in which the buckets of a partition are split, and what follows from it: linear hashing. One number, the
 * size, says which first buckets exist and how deep each is.
 *
 * <pre>
 *    n            first buckets of the table when it was made
 *    size         first buckets now: n * 2^level + split, where buckets 0 … split-1 of this level were split
 *    a key        lies in bucket  p + n * (bits mod 2^depth)         p: its bucket among the first n
 *    next split   bucket s of depth d  ->  s and s + n * 2^d = size, both of depth d + 1
 * </pre>
 */
final class SplitOrder {
    private SplitOrder() {}

    private static int level(long n, long size) {
        return 63 - Long.numberOfLeadingZeros(size / n);
    }

    /** Returns the bucket that is split next. The bucket that this makes has the number {@code size}. */
    static long next(long n, long size) {
        return size - (n << level(n, size));
    }

    /** Returns the depth of the bucket that is split next. */
    static int depthOfNext(long n, long size) {
        return level(n, size);
    }

    /** Returns the bucket of a key in a partition of this size. */
    static long bucket(long n, long size, long p, long bits) {
        int level = level(n, size);
        long bucket = bucketAtDepth(n, level, p, bits);
        return bucket < size - (n << level) ? bucketAtDepth(n, level + 1, p, bits) : bucket;
    }

    /** Returns the bucket of a key if all buckets have one depth. */
    static long bucketAtDepth(long n, int depth, long p, long bits) {
        return p + n * (bits & (1L << depth) - 1);
    }

    /** Returns the depth of a bucket in a partition of this size. */
    static int depth(long n, long size, long bucket) {
        int level = level(n, size);
        boolean isSplit = bucket < size - (n << level) || bucket >= n << level;
        return isSplit ? level + 1 : level;
    }

    /** Returns the smallest size of a partition in which a bucket has this depth. */
    static long leastSize(long n, long bucket, int depth) {
        if (depth == 0) return n;
        long half = n << depth - 1;
        return bucket >= half ? bucket + 1 : bucket + half + 1;
    }

    /** Returns the bucket from which a bucket is made by a split. */
    static long parent(long n, long bucket) {
        return bucket - (n << level(n, bucket));
    }
}
