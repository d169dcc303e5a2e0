package tidepool.protocol.record;

import tidepool.store.Pointer;
import tidepool.store.TableInfo;

/** What a transaction has declared, in that order; each key once, but for a read that a write follows. */
final class AccessSet {
    /** So many are looked through one by one. */
    private static final int FEW = 8;

    private final RecordTxn txn;
    private final Access[] accesses = new Access[RecordTxn.MOST_ACCESSES];
    private final SmallIndex index = new SmallIndex(RecordTxn.MOST_ACCESSES);
    private int indexed;
    private int count;

    AccessSet(RecordTxn txn) {
        this.txn = txn;
        for (int i = 0; i < accesses.length; i++) accesses[i] = new Access();
    }

    void clear() {
        count = 0;
        if (indexed > 0) index.clear();
        indexed = 0;
    }

    int count() {
        return count;
    }

    /** All there is room for; the first {@link #count()} are declared. */
    Access[] all() {
        return accesses;
    }

    /**
     * Declares an access; returns its number, or that of an earlier one that covers it.
     *
     * @param executed how many were carried out; what came later can still become something else
     */
    int add(Access.Kind kind, TableInfo table, long key, int executed) {
        int known = find(table, key);
        if (known >= 0) {
            int covers = again(known, accesses[known], kind, known >= executed);
            if (covers >= 0) return covers;
        }
        if (count == accesses.length) throw txn.tooLarge("accesses", accesses.length);
        Access a = accesses[count];
        a.kind = kind;
        if (a.table != table) a.table = table; // a store costs the garbage collector's barrier
        a.key = key;
        a.pointer = Pointer.NOWHERE;
        a.cached = false;
        a.found = false;
        a.landed = -1;
        a.record = null;
        a.guard = null;
        a.head = null;
        a.readsFirst = false;
        a.settled = false;
        a.witness = Pointer.NOWHERE;
        a.versionSeen = 0;
        a.resolved = false;
        a.leftBehind = Pointer.NOWHERE;
        a.overflows = false;
        a.bucketLanded = -1;
        a.readLanded = -1;
        return count++;
    }

    /** The last access that was declared for a key; -1 if there is none. */
    private int find(TableInfo table, long key) {
        if (count > FEW) {
            for (; indexed < count; indexed++) index.put(accesses[indexed].key, accesses[indexed].table.id(), indexed);
            return index.find(key, table.id());
        }
        for (int i = count - 1; i >= 0; i--)
            if (accesses[i].key == key && accesses[i].table.id() == table.id()) return i;
        return -1;
    }

    /**
     * A key that this transaction has declared before. A write covers what is declared after it; a read that was carried
     * out stays in the read set, and the write that follows it is an access of its own (-1), so that a change between
     * the two is noticed.
     */
    private static int again(int i, Access known, Access.Kind kind, boolean pending) {
        if (kind == Access.Kind.READ || kind == known.kind) return i;
        boolean wrote = pending || known.writes();
        if (known.kind == Access.Kind.READ || !wrote) {
            if (!pending) return -1;
            known.kind = kind;
            return i;
        }
        boolean covered = kind != Access.Kind.DELETE && kind != Access.Kind.INSERT && known.kind != Access.Kind.DELETE;
        if (covered && known.kind != Access.Kind.UPDATE || covered && kind == Access.Kind.PUT && !pending) return i;
        throw new IllegalArgumentException("key " + known.key + " of table " + known.table.name() + " was declared as "
                + known.kind + " and cannot become " + kind + " in the same transaction");
    }
}
