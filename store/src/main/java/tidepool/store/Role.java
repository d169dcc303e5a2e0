package tidepool.store;

/**
 * The part that an object plays in its table. It follows from the object's place alone ({@link TableInfo#role}): no key, value or
 * length says it, because a row may have any.
 */
public enum Role {
    /** An object in a slot. */
    ROW,

    /** The first object of a bucket: it points to the next bucket of its chain. */
    HEAD,

    /** The object that counts the overflow buckets in use of a partition. */
    COUNT
}
