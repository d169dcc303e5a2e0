package tidepool.protocol.record;

import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.Role;
import tidepool.store.TableInfo;

/** The objects that a transaction locks and writes, each once. */
public final class WriteSet {
    /** The most objects that one transaction may write, bucket heads included; each needs an intent. */
    public static final int MOST = LogLayout.INTENTS;

    private final RecordTxn txn;
    /** So many are looked through one by one. */
    private static final int FEW = 8;

    private final Target[] targets = new Target[MOST];
    private final SmallIndex index = new SmallIndex(MOST);
    private int indexed;
    private int count;

    WriteSet(RecordTxn txn) {
        this.txn = txn;
        for (int i = 0; i < targets.length; i++) targets[i] = new Target();
    }

    void clear() {
        count = 0;
        if (indexed > 0) index.clear();
        indexed = 0;
    }

    public int count() {
        return count;
    }

    public Target get(int i) {
        return targets[i];
    }

    /** The object at this place, if the transaction writes it; null otherwise. */
    public Target find(long pointer) {
        if (count > FEW) return findAmongMany(pointer);
        for (int i = 0; i < count; i++) if (targets[i].pointer == pointer) return targets[i];
        return null;
    }

    private Target findAmongMany(long pointer) {
        for (; indexed < count; indexed++)
            if (targets[indexed].pointer != Pointer.NOWHERE) index.put(targets[indexed].pointer, 0, indexed);
        int known = index.find(pointer, 0);
        return known < 0 ? null : targets[known];
    }

    /** The place of an object that was {@link #unplaced} is known now. */
    void place(Target unplaced, long pointer) {
        unplaced.pointer = pointer;
        for (int i = 0; i < indexed; i++) if (targets[i] == unplaced) index.put(pointer, 0, i);
    }

    Target record(Access a) {
        Target row = known(Role.ROW, a.table, a.pointer, a.table.contentBytes(), a.key);
        row.written = true;
        return row;
    }

    /** A record that is only read, and locked. If it is written as well, it is one of those. */
    Target guarded(Access a) {
        Target known = find(a.pointer);
        if (known != null) return known;
        Target t = add(Role.ROW, a.table, a.pointer, a.table.contentBytes(), a.key);
        t.written = false;
        return t;
    }

    /** A record that will lie in a bucket which is not known yet. */
    Target unplaced(Access a) {
        return add(Role.ROW, a.table, Pointer.NOWHERE, a.table.contentBytes(), a.key);
    }

    Target head(TableInfo table, long bucket) {
        return known(Role.HEAD, table, bucket, TableInfo.HEAD_CONTENT, bucket);
    }

    Target overflowCount(TableInfo table, int partition) {
        return known(Role.COUNT, table, table.overflowCount(partition), TableInfo.HEAD_CONTENT, 0);
    }

    private Target known(Role role, TableInfo table, long pointer, long contentBytes, long key) {
        Target known = find(pointer);
        if (known == null) return add(role, table, pointer, contentBytes, key);
        Checks.invariant(known.role == role, "an object has one role", pointer);
        return known;
    }

    private Target add(Role role, TableInfo table, long pointer, long contentBytes, long key) {
        if (count == MOST) throw txn.tooLarge("objects to write", MOST);
        Target t = targets[count];
        t.role = role;
        t.table = table;
        t.pointer = pointer;
        t.bodyBytes = ObjectLayout.bodyBytes(contentBytes);
        t.key = key;
        t.flags = ObjectLayout.flags(table.id(), true);
        t.lockFound = txn.take(Words.BYTES);
        t.landed = txn.take(ObjectLayout.BODY + t.bodyBytes);
        t.staged = txn.take(Words.BYTES + t.bodyBytes) + Words.BYTES;
        t.expected = Target.ANY;
        t.seen = -1;
        t.bucketLanded = -1;
        t.fresh = false;
        t.asked = false;
        t.held = false;
        t.isNew = false;
        t.written = true;
        count++;
        return t;
    }
}
