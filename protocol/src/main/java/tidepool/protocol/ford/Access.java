package tidepool.protocol.ford;

import tidepool.store.TableInfo;

/** One access that a transaction declared, and what became of it. */
final class Access {
    /** What was declared. */
    enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    Kind kind;
    TableInfo table;
    long key;

    /** The record, once its address is known; otherwise 0. */
    long pointer;

    boolean found;

    /** The record as it was when it was read (LOCK, VER, body), or -1. */
    long landed;

    /** What is locked and written for this access; null while it only reads. */
    Target record;

    /** For validation: the object whose version this access depends on, and that version. Head for "not found". */
    long witness;

    long versionSeen;

    // ---- of the lookup

    boolean resolved;
    long bracketVersion;

    /** Where buckets land while the key is looked up; -1 before that. */
    long bucketLanded;

    /** Where the chain lands a second time, behind the lock of its head. */
    long chainLanded;

    /** Where the record lands when it is only read; -1 before that. */
    long readLanded;

    final long[] chain = new long[MOST_CHAIN];
    int chainLength;

    /** Slots without a value: where the key may be put. */
    final long[] freeSlot = new long[MOST_FREE];

    int freeSlots;

    /** An insert for which no free slot was left: it takes a new bucket. */
    boolean overflows;

    static final int MOST_FREE = 16;

    /** A chain longer than this means that the table was made far too small. */
    static final int MOST_CHAIN = 32;

    boolean writes() {
        return record != null;
    }

    boolean isInsert() {
        return (kind == Kind.INSERT || kind == Kind.PUT) && !found;
    }

    /** A record that is only read, and was not yet. */
    boolean isUnread() {
        return record == null && found && landed < 0;
    }
}
