package tidepool.protocol.record;

import tidepool.store.TableInfo;

/** One access that a transaction declared, and what became of it. */
public final class Access {
    /** What was declared. */
    public enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /** What it does, all declarations of it together. */
    public Kind kind;

    /** What was declared first. */
    Kind first;

    public TableInfo table;
    public long key;

    /** What all declarations so far make of the key: one of {@link AccessNumber}. */
    int presence;

    /** The key was deleted and made again: its value starts as zeros. */
    boolean clears;

    /** The access that has locked, or will lock, the record that this one writes as well; null for most. */
    public Access before;

    /** The next access of this key; null of the last one. */
    Access later;

    /** Its place among the accesses of its transaction. */
    public final int index;

    /** The record, once its address is known; otherwise 0. */
    public long pointer;

    /** The address cache has that address. */
    boolean cached;

    public boolean found;

    /** The record as it was when it was read (LOCK, VER, body), or -1. */
    public long landed;

    /** What is locked and written for this access; null while it only reads. */
    public Target record;

    /** What is locked and not written for this access; null while it is read without a lock. */
    public Target guard;

    /** The head that an insert or a delete writes as well; null for other accesses. */
    public Target head;

    /** For validation: the object whose version this access depends on, and that version. Head for "not found". */
    public long witness;

    public long versionSeen;

    /** A protocol has settled by itself that what was read is as it was: memory need not be asked. */
    public boolean settled;

    // ---- of the lookup

    boolean resolved;
    public long bracketVersion;

    /** The word behind the head of the first bucket, as it was within the bracket. */
    public long bracketStamp;

    /** A slot of this key that holds no value any more, if one was seen. */
    public long leftBehind;

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

    /** It writes a record that is read now and locked when the transaction commits. */
    boolean readsFirst;

    /** An insert for which no free slot was left: it takes a new bucket. */
    boolean overflows;

    static final int MOST_FREE = 16;

    /** Buckets of a chain. An insert that needs more is refused; a lookup reads as many, so it finds every row. */
    static final int MOST_CHAIN = 33;

    Access(int index) {
        this.index = index;
    }

    public boolean writes() {
        return record != null;
    }

    public boolean isInsert() {
        return (kind == Kind.INSERT || kind == Kind.PUT) && !found;
    }

    /** The bucket in which the row lies. */
    long bucket() {
        return table.bucketOf(pointer);
    }

    /** What has landed is not to be used: it is read again. */
    public void readAgain() {
        landed = -1;
    }

    /** Nor is its address. */
    public void lookUpAgain() {
        landed = -1;
        cached = false;
        resolved = false;
    }

    /** Whether what it has read is locked, and so cannot have changed since. */
    boolean isHeld() {
        return record != null ? record.held : guard != null && guard.held;
    }

    /** Whether it makes a record, which is not one that an earlier access has made, deleted or changed. */
    boolean needsSlot() {
        return before == null && isInsert();
    }

    /** Whether the key is there, after all declarations so far; the access was carried out. */
    boolean isThere() {
        return presence == AccessNumber.AS_IN_POOL ? found : presence == AccessNumber.PRESENT;
    }

    /** Whether a declaration asks for more than this access, which was carried out, has done. */
    boolean isExceededBy(Kind next) {
        return switch (next) {
            case READ -> false;
            case UPDATE -> isThere() && record == null;
            case INSERT -> !isThere();
            case PUT -> !isThere() || record == null;
            case DELETE -> isThere();
        };
    }

    /** Takes up another declaration before it is carried out. */
    void join(Kind next) {
        boolean makes = next == Kind.INSERT || next == Kind.PUT;
        if (kind == Kind.DELETE) {
            clears |= makes;
            if (makes) kind = Kind.PUT;
        } else if (kind == Kind.READ || next == Kind.DELETE) {
            kind = next;
        } else if (next != Kind.READ && next != kind) {
            kind = Kind.PUT; // a change, and a record that may be new
        }
    }

    /** Goes on with the record of an access that was carried out and writes. */
    void follow(Access written) {
        before = written;
        kind = kind == Kind.DELETE ? Kind.DELETE : Kind.PUT;
        clears = kind == Kind.PUT;
        presence = written.presence;
        pointer = written.pointer;
        found = written.found;
        resolved = true;
    }

    /** A record that is to be read without a lock, and was not yet. */
    boolean isUnread() {
        return found && landed < 0 && guard == null && (record == null || readsFirst);
    }
}
