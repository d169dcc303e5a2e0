package tidepool.clusters;

import tidepool.store.Pointer;

/** Something that has versions, as one number: a key, or the bucket in which inserts and deletes of keys meet. */
public final class VersionedPlace {
    private static final long BUCKET = 1L << 62;

    private VersionedPlace() {}

    public static long ofKey(long key) {
        return key;
    }

    public static long ofBucket(long home) {
        return home | BUCKET;
    }

    public static boolean isBucket(long place) {
        return (place & BUCKET) != 0;
    }

    public static long bucket(long place) {
        return place & ~BUCKET;
    }

    public static String text(long place) {
        return isBucket(place) ? "bucket " + Pointer.text(bucket(place)) : "key " + place;
    }
}
