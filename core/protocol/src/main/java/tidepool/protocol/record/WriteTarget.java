package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableLayout;

/** An object that a transaction locks and writes: a record, the head of a bucket, a count or size of a partition. */
public final class WriteTarget {
    /** Value of {@link #expected}: the object may have any version when it is locked. */
    static final long ANY = -1;

    /** Its place in the write set. */
    public int number;

    public TableLayout table;

    /**
     * Where the object lies; {@link Pointer#NOWHERE} for a record whose bucket is taken only after other locks are
     * held.
     */
    public long pointer;

    /** The role of the object, set when it is added: a row may have the key and the length of a head. */
    Role role;

    public long bodyBytes;
    public long key;

    /** Where the bytes of a wide key lie in the memory of the transaction, or {@link Access#NARROW}. */
    long wideKey;

    public long flags;

    /** Where the answer of the lock's CAS lands. */
    public long lockFound;

    /** Where the old object (LOCK, VER, body) has landed. */
    public long landed;

    /** Where the new body is made; the word before it is for its version. */
    public long staged;

    /** The version with which the object was read before it was locked, or {@link #ANY}. */
    public long expected;

    /** Where the object landed in a lookup, before it was locked: a hint, perhaps torn. -1 if there was no lookup. */
    public long seen;

    /**
     * Where the bucket of a row that is deleted has landed, read after the lock of its chain; -1 if it was not read.
     */
    long bucketLanded;

    /** The head of the chain of a row that is deleted, locked; {@link Pointer#NOWHERE} for other objects. */
    long home;

    /** The staged body does not start as a copy of the old one. */
    public boolean fresh;

    /** The lock was asked for. */
    boolean asked;

    /** The lock is provably ours. */
    public boolean held;

    /** The lock was granted, and the object was not examined yet. */
    boolean isNew;

    /** The object is written; otherwise it is only read, and locked so that no other transaction writes it. */
    public boolean written;

    /** Where the intent lies in the log area of the coordinator. */
    long intent;

    WriteTarget() {}

    /** Whether it is a row, and not a part of the index. */
    public boolean isRow() {
        return role == Role.ROW;
    }

    /** Whether it is a row in an overflow bucket; a row that this transaction creates may have no place yet. */
    boolean isInOverflow() {
        return isRow() && pointer != Pointer.NOWHERE && table.isOverflow(pointer);
    }

    /** Whether it is the head of a bucket. */
    public boolean isHead() {
        return role == Role.HEAD;
    }

    // ---- for protocols that wait for locks

    /** Whether the lock was asked for and another transaction holds it. */
    public boolean isMissing() {
        return asked && !held;
    }

    /** Whether the lock is ours and the object was not used yet: the lock may still be given back. */
    public boolean isNew() {
        return isNew;
    }

    /** Called when the lock is ours, and the object has landed under it. */
    public void granted() {
        held = true;
        isNew = true;
    }

    /** Called when the lock was given back, to be asked for again. */
    public void givenBack() {
        held = false;
        isNew = false;
    }

    /** Returns where the intent lies; the lock was asked for before. */
    public long intent() {
        return intent;
    }

    /** Whether the version is known from before the lock. */
    public boolean isRead() {
        return expected != ANY;
    }

    /** Returns the version that the object had when it was locked, or read. */
    public long version(MemorySegment memory) {
        return Words.plain(memory, landed + ObjectLayout.VERSION);
    }
}
