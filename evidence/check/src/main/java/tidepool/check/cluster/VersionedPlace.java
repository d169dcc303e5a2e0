package tidepool.check.cluster;

import tidepool.store.Pointer;

/** Something that has versions, as one number: a key, or the bucket in which inserts and deletes of keys meet. */
final class VersionedPlace {
    private static final long BUCKET = 1L << 62;

    private VersionedPlace() {}

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
