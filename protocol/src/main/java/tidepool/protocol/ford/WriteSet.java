package tidepool.protocol.ford;

import tidepool.base.Words;
import tidepool.store.ObjectLayout;
import tidepool.store.TableInfo;

/** The objects that a transaction locks and writes, each once. */
final class WriteSet {
    /** The most objects that one transaction may write, bucket heads included. */
    static final int MOST = 128;

    private final FordTxn txn;
    private final Target[] targets = new Target[MOST];
    private int count;

    WriteSet(FordTxn txn) {
        this.txn = txn;
        for (int i = 0; i < targets.length; i++) targets[i] = new Target();
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    Target get(int i) {
        return targets[i];
    }

    /** The object at this place, if the transaction writes it; null otherwise. */
    Target find(long pointer) {
        for (int i = 0; i < count; i++) if (targets[i].pointer == pointer) return targets[i];
        return null;
    }

    Target record(Access a) {
        return add(a.table, a.pointer, a.table.valueBytes(), a.key);
    }

    Target head(TableInfo table, long bucket) {
        return add(table, bucket, TableInfo.HEAD_CONTENT, bucket);
    }

    Target overflowCount(TableInfo table, int partition) {
        return add(table, table.overflowCount(partition), TableInfo.HEAD_CONTENT, 0);
    }

    private Target add(TableInfo table, long pointer, long contentBytes, long key) {
        Target known = find(pointer);
        if (known != null) return known;
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
        t.held = false;
        count++;
        return t;
    }
}
