package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableInfo;

/** An object that a transaction locks and writes: a record, the head of a bucket, a count of overflow buckets. */
public final class Target {
    /** Of {@link #expected}: the object may have any version when it is locked. */
    static final long ANY = -1;

    public TableInfo table;

    /** Where it lies; {@link Pointer#NOWHERE} of a record whose bucket is taken only behind the locks. */
    public long pointer;

    /** The part that it plays, said when it is made: a row may have the key and the length of a head. */
    Role role;

    public long bodyBytes;
    public long key;
    public long flags;

    /** Where the answer of the lock's CAS lands. */
    public long lockFound;

    /** Where the object as it was (LOCK, VER, body) has landed. */
    public long landed;

    /** Where the body as it shall be is made; in front of it is a word for its version. */
    public long staged;

    /** The version that it was read with before it was locked, or {@link #ANY}. */
    public long expected;

    /** Where it landed when it was looked up, before it was locked: a hint, perhaps torn. -1 if it was not looked at. */
    public long seen;

    /** Where the bucket of a row that is deleted has landed, behind the lock of its chain; -1 if it was not read. */
    long bucketLanded;

    /** What is staged does not start as a copy of the old body. */
    public boolean fresh;

    /** The lock was asked for. */
    boolean asked;

    /** The lock is provably ours. */
    public boolean held;

    /** The lock was granted, and what lies behind it was not looked at yet. */
    boolean isNew;

    /** It is written; otherwise it is only read, and locked so that nobody else writes it. */
    public boolean written;

    /** Where its intent lies in the log area of its coordinator. */
    long intent;

    Target() {}

    /** Whether it is a row, and not a part of the index. */
    public boolean isRow() {
        return role == Role.ROW;
    }

    /** Whether it is a row that lies in an overflow bucket; one that this transaction makes may have no place yet. */
    boolean isInOverflow() {
        return isRow() && pointer != Pointer.NOWHERE && table.isOverflow(pointer);
    }

    /** Whether it is the head of a bucket. */
    public boolean isHead() {
        return role == Role.HEAD;
    }

    // ---- for protocols that wait for locks

    /** The lock was asked for and is held by somebody else. */
    public boolean isMissing() {
        return asked && !held;
    }

    /** The lock is ours, and nothing of what lies behind it was used yet: it may still be given back. */
    public boolean isNew() {
        return isNew;
    }

    /** The lock is ours, and the object has landed behind it. */
    public void granted() {
        held = true;
        isNew = true;
    }

    /** The lock was given back, to be asked for again. */
    public void givenBack() {
        held = false;
        isNew = false;
    }

    /** Where its intent lies; it was asked for before. */
    public long intent() {
        return intent;
    }

    /** Whether its version is known from before it is locked. */
    public boolean isRead() {
        return expected != ANY;
    }

    /** The version that the object had when it was locked, or read. */
    public long version(MemorySegment memory) {
        return Words.plain(memory, landed + ObjectLayout.VERSION);
    }
}
