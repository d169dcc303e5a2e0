package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.protocol.TxnRoom;
import tidepool.schema.RowKey;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.TableLayout;
import tidepool.txn.TableHandle;

/**
 * The accesses of a transaction, in the order of declaration, and how many of them were carried out. A key has one
 * access, unless a later declaration needs more than an access that was carried out has done.
 */
final class AccessSet {
    /** Up to this number of accesses, a search is linear. */
    private static final int FEW = 8;

    private final AttemptRoom room;
    private final MemorySegment memory;

    /** Those of a large room are made when they are needed. */
    private final Access[] accesses;

    private final TxnKeyIndex index;
    private int indexed;
    private int count;
    private int executed;

    /** How many accesses were carried out to the end, so that their results can be asked for. */
    private int answered;

    AccessSet(AttemptRoom room) {
        this.room = room;
        memory = room.memory();
        accesses = new Access[room.size().accesses()];
        index = new TxnKeyIndex(room.size().accesses());
        for (int i = 0; i < TxnRoom.SMALL.accesses(); i++) accesses[i] = new Access(i);
    }

    void clear() {
        count = 0;
        executed = 0;
        answered = 0;
        if (indexed > 0) index.clear();
        indexed = 0;
    }

    int count() {
        return count;
    }

    Access get(int i) {
        return accesses[i];
    }

    /** Returns all access objects; the first {@link #count()} are declared. */
    Access[] all() {
        return accesses;
    }

    // ---- progress

    /** Returns the number of accesses that were carried out, or are. The later ones can still change their kind. */
    int executed() {
        return executed;
    }

    /** Returns the number of accesses whose results can be asked for. */
    int answered() {
        return answered;
    }

    /** Begins to carry out the accesses that were declared since the last time, and returns the first of them. */
    int execute() {
        int from = executed;
        executed = count;
        return from;
    }

    /** Called when the accesses were carried out that {@link #execute} has begun. */
    void answer() {
        answered = executed;
    }

    // ---- declarations

    /**
     * Declares an access and returns its number. A key gets a second access only if the first one was carried out and
     * did less than is needed now. An access that only read stays in the read set, so that a change between the two is
     * noticed. If the first access writes, both share its record.
     *
     * @param key the key, or the word of a wide key
     * @param wide the wide key; null if the keys of the table are words
     */
    int add(Access.Kind kind, TableHandle handle, long key, RowKey wide) {
        TableLayout table = (TableLayout) handle; // pools make no other handles
        if (table.hasWideKey() != (wide != null)) throw wrongKey(table);
        Access known = find(table, key, wide);
        if (known == null) return append(kind, table, key, wide).index;
        Access a = known;
        boolean more = known.index < executed && known.isExceededBy(kind);
        if (more) {
            a = append(kind, table, key, wide);
            known.later = a;
            if (known.record == null) return a.index;
            a.follow(known);
        }
        int number = AccessNumber.of(a.index, kind, a.presence);
        a.presence = AccessNumber.after(kind, a.presence);
        if (!more && a.index >= executed) a.join(kind);
        return number;
    }

    private static IllegalArgumentException wrongKey(TableLayout table) {
        return new IllegalArgumentException(
                "a key of table " + table.name() + " is " + table.schema().key() + ", not one word");
    }

    /**
     * Appends the read of a row that was found by its bucket, and returns the number of the access. A scan finds no row
     * twice, so the keys before it are not searched.
     *
     * @param body where the body of the row has landed, or at least its key
     */
    int addRow(TableLayout table, long body, long pointer) {
        Access a = append(Access.Kind.READ, table, Words.plain(memory, body + ObjectLayout.BODY_KEY), null);
        if (table.hasWideKey()) {
            a.wideKey = room.take(table.keyBytes());
            MemorySegment.copy(memory, body + table.keyOffset(), memory, a.wideKey, table.keyBytes());
        }
        a.pointer = pointer;
        a.found = true;
        a.cached = true; // so that an iteration does not replace the addresses of rows that are used
        a.resolved = true;
        return a.index;
    }

    /**
     * Appends the delete or the insert of a row that a split moves. A split moves no row twice, so the keys before it
     * are not searched.
     *
     * @param body where the body of the row has landed, or at least its key
     */
    Access addMove(Access.Kind kind, TableLayout table, long body) {
        Access a = append(kind, table, Words.plain(memory, body + ObjectLayout.BODY_KEY), null);
        if (table.hasWideKey()) {
            a.wideKey = room.take(table.keyBytes());
            MemorySegment.copy(memory, body + table.keyOffset(), memory, a.wideKey, table.keyBytes());
        }
        return a;
    }

    /** Appends the head of a chain, which has to be validated like that of a key that was not found there. */
    void addHead(TableLayout table, long head, long version) {
        Access a = append(Access.Kind.READ, table, 0, null);
        a.witness = head;
        a.versionSeen = version;
        a.resolved = true;
    }

    private Access append(Access.Kind kind, TableLayout table, long key, RowKey wide) {
        if (count == accesses.length) throw room.needsAccesses();
        long bytes = wide == null ? Access.NARROW : room.take(table.keyBytes());
        if (wide != null) wide.copyTo(memory, bytes);
        Access sameWord = wide == null ? null : find(table, key);
        if (accesses[count] == null) accesses[count] = new Access(count);
        Access a = accesses[count++];
        a.wideKey = bytes;
        a.sharesWord = sameWord != null;
        if (sameWord != null) sameWord.sharesWord = true;
        a.kind = kind;
        a.first = kind;
        if (a.table != table) a.table = table; // an unchanged store would cost the garbage collector's barrier
        a.key = key;
        a.presence = AccessNumber.after(kind, AccessNumber.AS_IN_POOL);
        a.clears = false;
        if (a.before != null) a.before = null;
        if (a.later != null) a.later = null;
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
        a.deletedSlot = Pointer.NOWHERE;
        a.overflows = false;
        a.bucketLanded = -1;
        a.readLanded = -1;
        a.isReadAhead = false;
        a.isWhole = false;
        return a;
    }

    /** Returns the last access that was declared for a key; null if there is none. */
    private Access find(TableLayout table, long key, RowKey wide) {
        if (wide != null && count > FEW) {
            Access likely = find(table, key);
            return likely == null || wide.isAt(memory, likely.wideKey) ? likely : findWide(table, wide);
        }
        return wide != null ? findWide(table, wide) : find(table, key);
    }

    /** Compares the bytes of all keys: another key with the same hash was declared too, or there are few accesses. */
    private Access findWide(TableLayout table, RowKey wide) {
        for (int i = count - 1; i >= 0; i--)
            if (accesses[i].table.id() == table.id() && wide.isAt(memory, accesses[i].wideKey)) return accesses[i];
        return null;
    }

    private Access find(TableLayout table, long key) {
        if (count > FEW) {
            for (; indexed < count; indexed++) index.put(accesses[indexed].key, accesses[indexed].table.id(), indexed);
            int known = index.find(key, table.id());
            return known < 0 ? null : accesses[known];
        }
        for (int i = count - 1; i >= 0; i--)
            if (accesses[i].key == key && accesses[i].table.id() == table.id()) return accesses[i];
        return null;
    }
}
