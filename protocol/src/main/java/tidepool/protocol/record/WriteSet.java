package tidepool.protocol.record;

import tidepool.base.Words;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/** The objects that a transaction locks and writes, each once. */
public final class WriteSet {
    /** The most objects that one transaction may write, bucket heads included; each needs an intent. */
    public static final int MOST = LogLayout.INTENTS;

    private final RecordTxn txn;
    private final Target[] targets = new Target[MOST];
    private int count;

    WriteSet(RecordTxn txn) {
        this.txn = txn;
        for (int i = 0; i < targets.length; i++) targets[i] = new Target();
    }

    void clear() {
        count = 0;
    }

    public int count() {
        return count;
    }

    public Target get(int i) {
        return targets[i];
    }

    /** The object at this place, if the transaction writes it; null otherwise. */
    public Target find(long pointer) {
        for (int i = 0; i < count; i++) if (targets[i].pointer == pointer) return targets[i];
        return null;
    }

    Target record(Access a) {
        return known(a.table, a.pointer, a.table.valueBytes(), a.key);
    }

    /** A record that will lie in a bucket which is not known yet. */
    Target unplaced(Access a) {
        return add(a.table, Pointer.NOWHERE, a.table.valueBytes(), a.key);
    }

    Target head(TableInfo table, long bucket) {
        return known(table, bucket, TableInfo.HEAD_CONTENT, bucket);
    }

    Target overflowCount(TableInfo table, int partition) {
        return known(table, table.overflowCount(partition), TableInfo.HEAD_CONTENT, 0);
    }

    private Target known(TableInfo table, long pointer, long contentBytes, long key) {
        Target known = find(pointer);
        return known != null ? known : add(table, pointer, contentBytes, key);
    }

    private Target add(TableInfo table, long pointer, long contentBytes, long key) {
        if (count == MOST) throw txn.tooLarge("objects to write", MOST);
        Target t = targets[count];
        t.table = table;
        t.pointer = pointer;
        t.bodyBytes = ObjectLayout.bodyBytes(contentBytes);
        t.key = key;
        t.flags = ObjectLayout.flags(table.id(), true);
        t.lockFound = txn.take(Words.BYTES);
        t.landed = txn.take(ObjectLayout.BODY + t.bodyBytes);
        t.staged = txn.take(t.bodyBytes);
        t.expected = Target.ANY;
        t.seen = -1;
        t.fresh = false;
        t.asked = false;
        t.held = false;
        t.isNew = false;
        count++;
        return t;
    }
}
