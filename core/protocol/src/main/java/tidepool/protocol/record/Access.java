package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;

/** One access that a transaction declared, and its results. */
public final class Access {
    /** The kinds of declarations. */
    public enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /** The combined effect of all declarations of this access. */
    public Kind kind;

    /** The kind of its first declaration. */
    Kind first;

    public TableLayout table;

    /** The key itself, or the hash of a wide key. */
    public long key;

    /** Where in the memory of the transaction the bytes of a wide key lie; {@link #NARROW} if there are none. */
    long wideKey;

    /** The presence of the key after all declarations so far: one of the constants of {@link AccessNumber}. */
    int presence;

    /** The key was deleted and created again: its value starts as zeros. */
    boolean clears;

    /** The earlier access that has locked, or will lock, the record that this access writes as well; null for most. */
    public Access before;

    /** The next access of this key; null for the last one. */
    Access later;

    /** Its index among the accesses of its transaction. */
    public final int index;

    /** The pointer of the record, once its address is known; 0 before that. */
    public long pointer;

    /** The address cache contains that address. */
    boolean cached;

    public boolean found;

    /** Where the record landed as it was read (LOCK, VER, body), or -1. */
    public long landed;

    /** The object that is locked and written for this access; null while it only reads. */
    public WriteTarget record;

    /** The object that is locked and not written for this access; null while it is read without a lock. */
    public WriteTarget guard;

    /** The head that an insert or a delete writes as well; null for other accesses. */
    public WriteTarget head;

    /**
     * For validation: the object on whose version this access depends, and that version. The head, if the key was not
     * found.
     */
    public long witness;

    public long versionSeen;

    /** A protocol knows already that the record has not changed; validation need not read it. */
    public boolean settled;

    // ---- lookup

    boolean resolved;
    public long bracketVersion;

    /** The word after the head of the first bucket, as read within the bracket. */
    public long bracketStamp;

    /** The content of the head of the first bucket, as read within the bracket. */
    public long bracketHead;

    /** How often the lookup was led to another first bucket, because a split had moved the key. */
    int hops;

    /** A slot of this key that no longer holds a value, if one was seen. */
    public long deletedSlot;

    /** Where buckets land while the key is looked up; -1 before the lookup. */
    long bucketLanded;

    /** Whether all of the last bucket has landed, and not only what tells keys: {@link BucketRead}. */
    boolean landedWhole;

    /** Where the chain lands a second time, after the lock of its head was asked for. */
    long chainLanded;

    /** Where the record lands when it is only read; -1 before the read. */
    long readLanded;

    /** The record was read in the round of a lookup of other keys, and is not accepted yet. */
    boolean isReadAhead;

    /** The body that has landed is whole, as was found out together with others, and is not accepted yet. */
    boolean isWhole;

    final long[] chain = new long[MAX_CHAIN];
    int chainLength;

    /** Slots without a value, into which the key may be put. */
    final long[] freeSlot = new long[MAX_FREE];

    int freeSlots;

    /** The access writes a record that is read now and locked at commit. */
    boolean readsFirst;

    /** The access is an insert that found no free slot: it takes a new bucket. */
    boolean overflows;

    static final int MAX_FREE = 16;

    /**
     * The maximum number of buckets in a chain. An insert that needs more is refused. A lookup reads this many, so it
     * finds every row.
     */
    static final int MAX_CHAIN = 33;

    /**
     * Another key of this transaction has the same word. The address cache has one address for a word, so it would send
     * one of the two keys to the row of the other one, in every attempt.
     */
    boolean sharesWord;

    /** Value of {@link #wideKey}: the word is the key. */
    static final long NARROW = -1;

    Access(int index) {
        this.index = index;
    }

    /** Whether a row with the word of this key, at {@code body}, is of this key: two wide keys may have one word. */
    boolean isKeyOf(RecordVerbs verbs, MemorySegment memory, long body) {
        return wideKey == NARROW || verbs.isOfKey(table, memory, body, wideKey);
    }

    /** Whether a target with the word of this key was made for this key. */
    boolean isKeyOf(RecordVerbs verbs, MemorySegment memory, WriteTarget t) {
        return wideKey == NARROW || verbs.isSameKey(table, memory, t.wideKey, wideKey);
    }

    public boolean writes() {
        return record != null;
    }

    public boolean isInsert() {
        return (kind == Kind.INSERT || kind == Kind.PUT) && !found;
    }

    /** Returns the bucket in which the row lies. */
    long bucket() {
        return table.bucketOf(pointer);
    }

    /** Discards the landed record: it will be read again. */
    public void readAgain() {
        landed = -1;
    }

    /** Discards the landed record and its address: the key will be looked up again. */
    public void lookUpAgain() {
        landed = -1;
        cached = false;
        resolved = false;
    }

    /** Whether the record it has read is locked by this transaction, and so cannot have changed since. */
    boolean isHeld() {
        return record != null ? record.held : guard != null && guard.held;
    }

    /** Returns the reason of an abort because the object has changed that was read. */
    public AbortReason ifChanged() {
        return table.isIndexNodes() ? AbortReason.RANGE_CHANGED : AbortReason.READ_CHANGED;
    }

    /** Whether it creates a record that no earlier access has created, deleted or changed. */
    boolean needsSlot() {
        return before == null && isInsert();
    }

    /** Whether the key exists after all declarations so far; the access was carried out. */
    boolean isThere() {
        return presence == AccessNumber.AS_IN_POOL ? found : presence == AccessNumber.PRESENT;
    }

    /** Whether a declaration needs more than this access, which was carried out, has done. */
    boolean isExceededBy(Kind next) {
        return switch (next) {
            case READ -> false;
            case UPDATE -> isThere() && record == null;
            case INSERT -> !isThere();
            case PUT -> !isThere() || record == null;
            case DELETE -> isThere();
        };
    }

    /** Returns how many objects such an access usually locks. */
    int usualObjects() {
        return switch (kind) {
            case READ -> 0;
            case UPDATE -> 1;
            case INSERT, PUT, DELETE -> 2;
        };
    }

    /** Returns how many bytes of local memory such an access usually takes: buckets, the row, its images and logs. */
    long usualBytes() {
        long rows = table.slotBytes() + table.format().sideBytes();
        return switch (kind) {
            case READ -> table.bucketBytes() + rows;
            case UPDATE -> table.bucketBytes() + 4 * rows;
            case INSERT, PUT, DELETE -> 2 * table.bucketBytes() + 4 * rows + 8 * TableLayout.HEAD_BYTES;
        };
    }

    /** Merges another declaration into this access, which is not yet carried out. */
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

    /** Continues with the record of an earlier access that was carried out and writes. */
    void follow(Access written) {
        before = written;
        kind = kind == Kind.DELETE ? Kind.DELETE : Kind.PUT;
        clears = kind == Kind.PUT;
        presence = written.presence;
        pointer = written.pointer;
        found = written.found;
        resolved = true;
    }

    /** Whether its record is still to be read without a lock. */
    boolean isUnread() {
        return found && landed < 0 && guard == null && (record == null || readsFirst);
    }
}
