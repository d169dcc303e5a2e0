package tidepool.check.cluster;

import tidepool.store.Pointer;

/** What versions are kept of, as one number: a key, or the bucket in which inserts and deletes of keys meet. */
final class Place {
    private static final long BUCKET = 1L << 62;

    private Place() {}

    static long ofKey(long key) {
        return key;
    }

    static long ofBucket(long home) {
        return home | BUCKET;
    }

    static boolean isBucket(long place) {
        return (place & BUCKET) != 0;
    }

    static long bucket(long place) {
        return place & ~BUCKET;
    }

    static String text(long place) {
        return isBucket(place) ? "bucket " + Pointer.text(bucket(place)) : "key " + place;
    }
}
