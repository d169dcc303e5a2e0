package tidepool.store;

/**
 * The kind of an object in its table. It follows from the object's place alone ({@link TableLayout#role}). Key, value
 * and length cannot tell it, because a row may have any.
 */
public enum Role {
    /** An object in a slot. */
    ROW,

    /** The first object of a bucket: it points to the next bucket of its chain. */
    HEAD,

    /** The object that counts the overflow buckets in use of a partition. */
    COUNT
}
