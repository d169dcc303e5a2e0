package tidepool.protocol.record;

import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableLayout;

/** The objects that a transaction locks and writes, each once. Protocols may lock some that are only read. */
public final class WriteSet {
    /**
     * The number of objects that a transaction of the small room may write, bucket heads included: each needs an
     * intent.
     */
    public static final int MAX_OBJECTS = LogLayout.INTENTS;

    private final AttemptRoom room;

    /** Up to this number of objects, a search is linear. */
    private static final int FEW = 8;

    /** Those of a large room are made when they are needed. */
    private final WriteTarget[] targets;

    private final TxnKeyIndex index;
    private int indexed;
    private int count;

    /** All objects before this one are locked and were examined. */
    private int settled;

    /** The maximum length of a log that has all images. */
    private long logBytes;

    WriteSet(AttemptRoom room) {
        this.room = room;
        targets = new WriteTarget[room.size().objects()];
        index = new TxnKeyIndex(room.size().objects());
        for (int i = 0; i < MAX_OBJECTS; i++) targets[i] = new WriteTarget();
    }

    void clear() {
        count = 0;
        settled = 0;
        logBytes = LogLayout.ENTRIES;
        if (indexed > 0) index.clear();
        indexed = 0;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int count() {
        return count;
    }

    public WriteTarget get(int i) {
        return targets[i];
    }

    /** Returns the first object that may not be locked and examined yet. */
    int open() {
        while (settled < count && targets[settled].held && !targets[settled].isNew) settled++;
        return settled;
    }

    /** Returns the maximum length of a log that has all images. */
    long logBytes() {
        return logBytes;
    }

    /** Returns the object at this place, if the transaction writes it; null otherwise. */
    public WriteTarget find(long pointer) {
        if (count > FEW) return findAmongMany(pointer);
        for (int i = 0; i < count; i++) if (targets[i].pointer == pointer) return targets[i];
        return null;
    }

    private WriteTarget findAmongMany(long pointer) {
        for (; indexed < count; indexed++)
            if (targets[indexed].pointer != Pointer.NOWHERE) index.put(targets[indexed].pointer, 0, indexed);
        int known = index.find(pointer, 0);
        return known < 0 ? null : targets[known];
    }

    /** Called when the place of an {@link #unplaced} object is known. */
    void place(WriteTarget unplaced, long pointer) {
        unplaced.pointer = pointer;
        if (unplaced.number < indexed) index.put(pointer, 0, unplaced.number);
    }

    WriteTarget record(Access a) {
        WriteTarget row = find(a.pointer);
        if (row == null) {
            row = add(Role.ROW, a.table, a.pointer, a.table.contentBytes(), a.key);
            row.wideKey = a.wideKey;
        }
        Checks.invariant(row.role == Role.ROW, "an object has one role", a.pointer);
        row.written = true;
        return row;
    }

    /** Adds a record that is only read, and locked. If it is written as well, returns that target. */
    WriteTarget guarded(Access a) {
        WriteTarget known = find(a.pointer);
        if (known != null) return known;
        WriteTarget t = add(Role.ROW, a.table, a.pointer, a.table.contentBytes(), a.key);
        t.wideKey = a.wideKey;
        t.written = false;
        return t;
    }

    /** Adds a record whose bucket is not known yet. */
    WriteTarget unplaced(Access a) {
        WriteTarget row = add(Role.ROW, a.table, Pointer.NOWHERE, a.table.contentBytes(), a.key);
        row.wideKey = a.wideKey;
        return row;
    }

    WriteTarget head(TableLayout table, long bucket) {
        return known(Role.HEAD, table, bucket, bucket);
    }

    WriteTarget overflowCount(TableLayout table, int partition) {
        return known(Role.COUNT, table, table.overflowCount(partition), 0);
    }

    WriteTarget size(TableLayout table, int partition) {
        return known(Role.SIZE, table, table.sizeObject(partition), 0);
    }

    private WriteTarget known(Role role, TableLayout table, long pointer, long key) {
        WriteTarget known = find(pointer);
        if (known == null) return add(role, table, pointer, TableLayout.HEAD_CONTENT, key);
        Checks.invariant(known.role == role, "an object has one role", pointer);
        return known;
    }

    private WriteTarget add(Role role, TableLayout table, long pointer, long contentBytes, long key) {
        if (count == targets.length) throw room.needsObjects();
        if (targets[count] == null) targets[count] = new WriteTarget();
        WriteTarget t = targets[count];
        t.number = count;
        t.role = role;
        t.table = table;
        t.pointer = pointer;
        t.bodyBytes = ObjectLayout.bodyBytes(contentBytes);
        t.key = key;
        t.wideKey = Access.NARROW;
        t.flags = ObjectLayout.flags(table.id(), true);
        t.lockFound = room.take(Words.BYTES);
        t.landed = room.take(ObjectLayout.BODY + t.bodyBytes);
        t.staged = room.take(Words.BYTES + t.bodyBytes) + Words.BYTES;
        t.expected = WriteTarget.ANY;
        t.seen = -1;
        t.bucketLanded = -1;
        t.home = Pointer.NOWHERE;
        t.fresh = false;
        t.asked = false;
        t.held = false;
        t.isNew = false;
        t.written = true;
        logBytes += LogLayout.ENTRY_BYTES + Words.BYTES + t.bodyBytes;
        count++;
        return t;
    }
}
