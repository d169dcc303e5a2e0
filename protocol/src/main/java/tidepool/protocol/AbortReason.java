package tidepool.protocol;

/** Why an attempt of a transaction did not commit. A value, counted; nobody parses text to learn it. */
public enum AbortReason {
    /** Somebody else holds the lock of a record that is to be written. */
    LOCKED,
    /** A record was changed between reading and locking it. */
    VERSION_CHANGED,
    /** Validation found that somebody else holds the lock of a record that was read. */
    READ_LOCKED,
    /** Validation found that a record that was read has been written since. */
    READ_CHANGED,
    /** A record could not be read whole and visible in several tries. */
    UNREADABLE,
    /** A cached address led to something else, and locks were held already. */
    STALE_ADDRESS,
    /** The bucket of a key that is inserted or deleted changed between looking and locking. */
    BUCKET_CHANGED,
    /** Somebody else inserts into or deletes from the bucket in which a key is looked up. */
    BUCKET_BUSY,
    /** The version that a snapshot needs has been overwritten: keep more versions, or read for a shorter time. */
    SNAPSHOT_TOO_OLD,
    /** A session that is dead and not yet recovered owns what is to be written. */
    OWNED_ELSEWHERE,
    /** The application asked for it. */
    ROLLED_BACK;

    /** What helps where another attempt may not, as a part of a sentence; empty where another attempt is all that is needed. */
    public String advice() {
        return this == SNAPSHOT_TOO_OLD
                ? "versions that its snapshot needs were overwritten while it read; keep more of them"
                        + " (versions=, where the table is made) or read less in one transaction"
                : "";
    }
}
