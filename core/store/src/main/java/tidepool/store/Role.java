package tidepool.store;

/**
 * The kind of an object in its table. Only the object's place determines it ({@link TableLayout#role}). Key, value
 * and length do not, because a row may have any key, any value and any length.
 */
public enum Role {
    /** An object in a slot. */
    ROW,

    /** The first object of a bucket: it points to the next bucket of its chain. */
    HEAD,

    /** The object that counts the overflow buckets in use of a partition. */
    COUNT,

    /** The object that has the number of first buckets of a partition, in a table that has grown. */
    SIZE
}
