package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tidepool.protocol.ForwardingTxn;
import tidepool.protocol.PageTxn;
import tidepool.protocol.RowPage;
import tidepool.schema.ContentField;
import tidepool.schema.RowKey;
import tidepool.schema.RowMapping;
import tidepool.store.ContentParts;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * Maps the accesses of an attempt to tables whose rows move to another layout. Each row lies in the table or in its
 * predecessor. The caller sees one table in the new layout. Accesses to other tables are passed on, and keep their
 * numbers. {@code docs/decisions/0036-schema-versions.md} has the reasons.
 *
 * <pre>
 *   execute   1  both tables: READ, or for a write UPDATE here and DELETE in the predecessor; all other accesses
 *             2  INSERT of converted rows and their new parts, if rows to be written lie in the predecessor
 *             3  the declared accesses here, whose keys are known and locked by now
 * </pre>
 *
 * <p>A content that had room in the row of before, and may lie in parts now, stays in local memory while its row is
 * only read. When the row moves, it becomes parts, whose numbers begin at {@link #FIRST_PART}.
 *
 * <p>No transaction inserts into a predecessor. So a key that is absent there stays absent, and only what is found
 * there has to be validated. Planted bugs override single methods.
 */
class MigratingTxn extends ForwardingTxn implements PageTxn {
    /** In the number of an access to a migrating table. The protocol uses lower bits. */
    private static final int MAPPED = 1 << 30;

    private static final int NONE = -1;

    /** The number of the first part of a row that moves. The parts of the caller's contents are counted from zero. */
    static final int FIRST_PART = 1 << 30;

    private enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE,
        /** The row is in the new table afterwards, and nothing else has changed. */
        MOVE
    }

    private enum Place {
        UNKNOWN,
        /** In the new table, or nowhere. */
        HERE,
        /** In the predecessor. */
        BEFORE
    }

    private record KeyOf(int table, long word, RowKey wide) {}

    /** A key, and where its row is. */
    private static final class Entry {
        final TableLayout table;
        final long word;
        final RowKey wide; // null if the key is one word
        final List<Mapped> waiting = new ArrayList<>();
        Place place = Place.UNKNOWN;
        int here = NONE;
        int before = NONE;
        int moved = NONE;
        int made = NONE; // the access that has made the row anew after it was deleted
        long converted = NONE; // the row in the new layout, in local memory
        boolean isMoving; // its insert is declared, and gets its value when it was carried out
        boolean ends; // deleted in the predecessor by a delete that is still waiting
        boolean hasLeft; // this transaction has deleted the row in the predecessor
        boolean isOwn; // the caller has inserted, put or deleted the key

        Entry(TableLayout table, long word, RowKey wide) {
            this.table = table;
            this.word = word;
            this.wide = wide;
        }

        boolean isWritten() {
            for (Mapped each : waiting) if (each.kind != Kind.READ) return true;
            return false;
        }

        Kind firstWrite() {
            for (Mapped each : waiting) if (each.kind != Kind.READ) return each.kind;
            return Kind.READ;
        }
    }

    /** A part of a content that had room in its row; it gets its bytes when its insert was carried out. */
    private record MovedPart(int access, long place, int bytes) {}

    /** An access of the caller. */
    private static final class Mapped {
        final Entry entry;
        final Kind kind;
        int inner = NONE;
        boolean executed;
        boolean found;
        boolean followsOwn; // an earlier access of the caller inserted, put or deleted the key

        Mapped(Entry entry, Kind kind) {
            this.entry = entry;
            this.kind = kind;
        }
    }

    private final Tidepool pool;
    private final Map<KeyOf, Entry> entries = new HashMap<>();
    private final List<Mapped> accesses = new ArrayList<>();
    private final List<Entry> touched = new ArrayList<>();
    private final Map<Integer, RowMapping> mappings = new HashMap<>();
    private final List<MovedPart> movedParts = new ArrayList<>();
    private int nextPart;

    MigratingTxn(Tidepool pool) {
        this.pool = pool;
    }

    /** Begins to map the accesses of an attempt, which may have accesses of other tables. */
    void begin(Txn attempt) {
        forwardTo(attempt);
        entries.clear();
        accesses.clear();
        touched.clear();
        mappings.clear(); // the number of a table can be that of another one later
        movedParts.clear();
        nextPart = firstPart();
    }

    // ---- declarations

    @Override
    public int read(TableHandle table, long key) {
        return isMapped(table) ? declare(Kind.READ, table, key, null) : inner.read(table, key);
    }

    @Override
    public int read(TableHandle table, RowKey key) {
        return isMapped(table) ? declare(Kind.READ, table, key) : inner.read(table, key);
    }

    @Override
    public int update(TableHandle table, long key) {
        return isMapped(table) ? declare(Kind.UPDATE, table, key, null) : inner.update(table, key);
    }

    @Override
    public int update(TableHandle table, RowKey key) {
        return isMapped(table) ? declare(Kind.UPDATE, table, key) : inner.update(table, key);
    }

    @Override
    public int insert(TableHandle table, long key) {
        return isMapped(table) ? declare(Kind.INSERT, table, key, null) : inner.insert(table, key);
    }

    @Override
    public int insert(TableHandle table, RowKey key) {
        return isMapped(table) ? declare(Kind.INSERT, table, key) : inner.insert(table, key);
    }

    @Override
    public int put(TableHandle table, long key) {
        return isMapped(table) ? declare(Kind.PUT, table, key, null) : inner.put(table, key);
    }

    @Override
    public int put(TableHandle table, RowKey key) {
        return isMapped(table) ? declare(Kind.PUT, table, key) : inner.put(table, key);
    }

    @Override
    public int delete(TableHandle table, long key) {
        return isMapped(table) ? declare(Kind.DELETE, table, key, null) : inner.delete(table, key);
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        return isMapped(table) ? declare(Kind.DELETE, table, key) : inner.delete(table, key);
    }

    /** Declares that a row is in the new table afterwards, if there is one of this key. */
    int move(TableLayout table, RowKey key) {
        return declare(Kind.MOVE, table, key);
    }

    private static boolean isMapped(TableHandle table) {
        return ((TableLayout) table).before() != null;
    }

    private int declare(Kind kind, TableHandle table, RowKey key) {
        return declare(kind, table, key.word(), key.schema().isWide() ? key.copy() : null);
    }

    private int declare(Kind kind, TableHandle handle, long word, RowKey wide) {
        TableLayout table = (TableLayout) handle;
        Entry entry = entries.computeIfAbsent(new KeyOf(table.id(), word, wide), _ -> new Entry(table, word, wide));
        Mapped access = new Mapped(entry, kind);
        if (entry.waiting.isEmpty()) touched.add(entry);
        entry.waiting.add(access);
        accesses.add(access);
        return MAPPED | accesses.size() - 1;
    }

    // ---- execution

    @Override
    public boolean execute() {
        if (touched.isEmpty()) return inner.execute();
        for (Entry each : touched) look(each);
        if (!inner.execute()) return false;
        boolean any = false;
        for (Entry each : touched) {
            if (!locate(each)) return false;
            any |= moves(each);
        }
        if (any && !moveRows()) return false;
        for (Entry each : touched) pass(each);
        if (!inner.execute()) return false;
        for (Entry each : touched) {
            for (Mapped access : each.waiting) access.executed = true;
            each.waiting.clear();
        }
        touched.clear();
        return true;
    }

    /** Declares the accesses that tell where the row is. What is to be written is locked. */
    private void look(Entry entry) {
        boolean isWritten = entry.isWritten();
        if (entry.place == Place.UNKNOWN && entry.firstWrite() != Kind.MOVE)
            entry.here = inner(isWritten ? Kind.UPDATE : Kind.READ, entry, entry.table);
        if (entry.place == Place.UNKNOWN || entry.place == Place.BEFORE && isWritten)
            entry.before = inner(isWritten && deletesBefore() ? Kind.DELETE : Kind.READ, entry, entry.table.before());
    }

    /** Whether a row that is written leaves the predecessor; a planted bug says no. */
    boolean deletesBefore() {
        return true;
    }

    private int inner(Kind kind, Entry entry, TableLayout table) {
        if (entry.wide != null)
            return switch (kind) {
                case READ -> inner.read(table, entry.wide);
                case UPDATE -> inner.update(table, entry.wide);
                case INSERT -> inner.insert(table, entry.wide);
                case PUT -> inner.put(table, entry.wide);
                default -> inner.delete(table, entry.wide);
            };
        return switch (kind) {
            case READ -> inner.read(table, entry.word);
            case UPDATE -> inner.update(table, entry.word);
            case INSERT -> inner.insert(table, entry.word);
            case PUT -> inner.put(table, entry.word);
            default -> inner.delete(table, entry.word);
        };
    }

    /** Takes note of where the row is. Returns false if the attempt was aborted. */
    private boolean locate(Entry entry) {
        if (entry.place != Place.UNKNOWN) return true;
        entry.place = inner.found(entry.before) ? Place.BEFORE : Place.HERE;
        if (entry.place == Place.HERE) return true;
        if (entry.here != NONE && inner.found(entry.here)) throw twice(entry);
        return convert(entry);
    }

    private static StoreException twice(Entry entry) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "a row lies in two tables: table=" + entry.table.name() + " key="
                        + (entry.wide == null ? Long.toString(entry.word) : entry.wide.toString()));
    }

    /** Makes the row in the new layout, in local memory. */
    private boolean convert(Entry entry) {
        RowMapping mapping = mapping(entry.table);
        entry.converted = ((PageTxn) inner).place(mapping.bytes(memory(), inner.value(entry.before)));
        if (entry.converted == NONE) return false;
        mapping.convert(memory(), inner.value(entry.before), memory(), entry.converted);
        return true;
    }

    private RowMapping mapping(TableLayout table) {
        return mappings.computeIfAbsent(
                table.id(), _ -> RowMapping.between(table.before().schema(), table.schema()));
    }

    /** Declares the insert of a row that is to be written, unless it is deleted. Returns whether it did. */
    private boolean moves(Entry entry) {
        if (entry.place != Place.BEFORE || !entry.isWritten()) return false;
        deleteDropped(entry);
        entry.place = Place.HERE;
        entry.hasLeft = true;
        entry.ends = entry.firstWrite() == Kind.DELETE;
        if (entry.ends) return false;
        entry.moved = inner(Kind.INSERT, entry, entry.table);
        entry.isMoving = true;
        if (mapping(entry.table).makesLong()) declareParts(entry);
        return true;
    }

    private boolean moveRows() {
        if (!inner.execute()) return false;
        for (Entry each : touched) {
            if (!each.isMoving) continue;
            each.isMoving = false;
            if (inner.found(each.moved)) throw twice(each);
            each.here = each.moved;
            long to = inner.value(each.moved);
            MemorySegment.copy(
                    memory(), each.converted, memory(), to, each.table.schema().length());
        }
        for (MovedPart each : movedParts)
            ContentParts.put(memory(), each.place, each.bytes, memory(), inner.value(each.access));
        movedParts.clear();
        return true;
    }

    /** Returns the number of the first part of rows that move; a planted bug counts from that of the caller. */
    int firstPart() {
        return FIRST_PART;
    }

    /** Declares the inserts of the parts of contents that had room in the row, and tells the row where they are. */
    private void declareParts(Entry entry) {
        ContentTables parts = null;
        for (ContentField field : entry.table.schema().contents()) {
            if (!field.isInMemory(memory(), entry.converted)) continue;
            if (parts == null) parts = pool.knownTables().contents(entry.table);
            int length = field.length(memory(), entry.converted);
            long place = field.place(memory(), entry.converted);
            for (int i = 0; i < ContentParts.count(length); i++) {
                int access = inner.insert(parts.of(length, i), parts.key(inner.id(), nextPart + i));
                int from = ContentParts.from(length, i);
                movedParts.add(new MovedPart(access, place + from, ContentParts.bytes(length, i)));
            }
            field.refer(memory(), entry.converted, inner.id(), nextPart);
            nextPart += ContentParts.count(length);
        }
    }

    /** Deletes the parts of contents that the new layout does not have. */
    private void deleteDropped(Entry entry) {
        TableLayout before = entry.table.before();
        ContentTables parts = null;
        for (ContentField field : before.schema().contents()) {
            String name = field.attribute().name();
            boolean isKept = entry.table.schema().attributes().stream()
                    .anyMatch(each -> each.name().equals(name));
            long value = inner.value(entry.before);
            if (isKept || !field.isInParts(memory(), value)) continue;
            if (parts == null) parts = pool.knownTables().contents(before);
            int length = field.length(memory(), value);
            for (int i = 0; i < ContentParts.count(length); i++) {
                RowKey key = parts.key(field.writer(memory(), value), field.firstPart(memory(), value) + i);
                inner.delete(parts.of(length, i), key);
            }
        }
    }

    /** Passes the declared accesses on, now that the row is known to be here or to stay where it is. */
    private void pass(Entry entry) {
        for (Mapped each : entry.waiting) {
            boolean isLocal = entry.place == Place.BEFORE || entry.ends;
            if (isLocal) each.found = true;
            else if (each.kind != Kind.MOVE) each.inner = entry.here = inner(each.kind, entry, entry.table);
            if (!isLocal && (each.kind == Kind.INSERT || each.kind == Kind.PUT)) entry.made = each.inner;
            if (each.kind == Kind.DELETE) entry.ends = false;
            each.followsOwn = entry.isOwn;
            // A row that moves exists, so an insert of the caller is a read unless the caller has deleted the row.
            entry.isOwn |= each.kind == Kind.PUT || each.kind == Kind.DELETE;
        }
    }

    @Override
    public Outcome commit() {
        if (!touched.isEmpty() && !execute()) return Outcome.ABORTED;
        return inner.commit();
    }

    // ---- results

    private Mapped mapped(int access) {
        return (access & MAPPED) == 0 ? null : accesses.get(access & MAPPED - 1);
    }

    @Override
    public boolean isExecuted(int access) {
        Mapped mapped = mapped(access);
        return mapped == null ? inner.isExecuted(access) : mapped.executed;
    }

    @Override
    public boolean found(int access) {
        Mapped mapped = mapped(access);
        if (mapped == null) return inner.found(access);
        return mapped.inner == NONE ? mapped.found : inner.found(mapped.inner);
    }

    @Override
    public boolean writes(int access) {
        Mapped mapped = mapped(access);
        if (mapped == null) return inner.writes(access);
        return mapped.inner == NONE ? mapped.kind == Kind.DELETE : inner.writes(mapped.inner);
    }

    @Override
    public long value(int access) {
        Mapped mapped = mapped(access);
        if (mapped == null) return inner.value(access);
        if (mapped.inner != NONE) return inner.value(mapped.inner);
        Entry entry = mapped.entry;
        if (entry.made != NONE) return inner.value(entry.made); // all accesses of a key share one value
        boolean isHere = entry.place == Place.HERE && entry.moved != NONE;
        return isHere && mapped.kind != Kind.DELETE ? inner.value(entry.moved) : entry.converted;
    }

    @Override
    public long version(int access) {
        Mapped mapped = mapped(access);
        if (mapped == null) return inner.version(access);
        // For the protocol this transaction has inserted a row that moves. The caller has not.
        if (mapped.inner != NONE && mapped.entry.hasLeft && mapped.followsOwn) return inner.id();
        boolean isOfBefore = mapped.inner == NONE || mapped.entry.hasLeft;
        return inner.version(isOfBefore ? mapped.entry.before : mapped.inner);
    }

    @Override
    public long bucketVersion(int access) {
        Mapped mapped = mapped(access);
        return mapped == null ? inner.bucketVersion(access) : inner.bucketVersion(innerOf(mapped));
    }

    @Override
    public long bucket(int access) {
        Mapped mapped = mapped(access);
        return mapped == null ? inner.bucket(access) : inner.bucket(innerOf(mapped));
    }

    private static int innerOf(Mapped mapped) {
        return mapped.inner == NONE ? mapped.entry.before : mapped.inner;
    }

    // ---- pages

    @Override
    public boolean readPage(RowPage asked) {
        return ((PageTxn) inner).readPage(asked);
    }

    /** Reads a page of the predecessor of a table. Its rows have the layout of the table. */
    boolean readPage(RowPage asked, TableLayout table) {
        if (!readPage(asked)) return false;
        for (int i = 0; i < asked.rows(); i++) {
            Entry entry = new Entry(table, 0, null);
            entry.before = asked.access(i);
            Mapped access = new Mapped(entry, Kind.READ);
            access.executed = true;
            access.found = inner.found(entry.before);
            entry.place = Place.BEFORE;
            if (access.found && !convert(entry)) return false;
            accesses.add(access);
            asked.access(i, MAPPED | accesses.size() - 1);
        }
        return true;
    }

    private int innerOf(int access) {
        Mapped mapped = mapped(access);
        return mapped == null ? access : mapped.entry.before;
    }

    @Override
    public long keyWord(int access) {
        return ((PageTxn) inner).keyWord(innerOf(access));
    }

    @Override
    public RowKey key(int access, RowKey into) {
        return ((PageTxn) inner).key(innerOf(access), into);
    }

    @Override
    public long place(long bytes) {
        return ((PageTxn) inner).place(bytes);
    }
}
