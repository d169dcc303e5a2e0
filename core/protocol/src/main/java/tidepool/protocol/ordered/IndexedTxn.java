package tidepool.protocol.ordered;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import tidepool.protocol.ForwardingTxn;
import tidepool.schema.EightByteKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * A transaction that maintains the indexes of the tables that it writes, and scans them. It declares accesses to nodes
 * next to those of its caller, whose numbers stay as they are.
 *
 * <pre>
 *   insert, delete   an index by the key alone: the leaf is locked with the row, and changed when both have landed
 *   commit, scan     other indexes: the columns of each row that was written are compared with those that it had;
 *                    entries that differ are removed and made
 * </pre>
 *
 * So row and entries are changed by one transaction, and a scan sees what the transaction has written. Unique indexes
 * are looked at after all entries of the transaction that go have gone.
 */
public class IndexedTxn extends ForwardingTxn {
    private static final int NONE = -1;

    private final OrderedIndexes indexes;

    // ---- rows that are written
    private WrittenRow[] rows = new WrittenRow[8];
    private int rowCount;
    private final RowMap rowMap = new RowMap();
    private WrittenRow[] declared = new WrittenRow[8]; // one for each access that was not executed yet
    private int[] accesses = new int[8];
    private AccessKind[] kinds = new AccessKind[8];
    private int declarations;

    // ---- keys of rows and of entries
    private byte[] bytes = new byte[1024];
    private int used;

    // ---- indexes that were used
    private BlinkIndex[] active = new BlinkIndex[4];
    private int activeCount;
    private final Map<BlinkTree, BlinkIndex> known = new HashMap<>();

    // ---- changes under way
    private EntryChange[] changes = new EntryChange[16];
    private int changeCount;
    private int[] places = new int[16]; // of unique entries that are about to be made, by their hashes

    private boolean isAborted;

    private enum AccessKind {
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    /** A row that this attempt writes, and the entries that its indexes have for it. */
    private static final class WrittenRow {
        TableLayout table;
        BlinkTree[] trees;
        long word;
        RowKey key;
        int access;
        boolean isKnown; // it was carried out once
        boolean isThere;
        boolean isEnding; // a delete that was not executed yet
        boolean isWritten; // otherwise its columns stay what they are in the pool, whatever its caller writes to memory
        int[] entered = new int[4]; // where the entry of each index lies in the bytes; NONE if it has none
    }

    public IndexedTxn(OrderedIndexes indexes) {
        this.indexes = indexes;
    }

    /** Begins an attempt, which may have declared accesses of tables without indexes. */
    public void begin(Txn attempt) {
        forwardTo(attempt);
        rowCount = 0;
        rowMap.clear();
        declarations = 0;
        used = 0;
        activeCount = 0;
        changeCount = 0;
        isAborted = false;
    }

    /** Returns the transaction that carries out the accesses. */
    public Txn inner() {
        return inner;
    }

    // ---- declarations

    @Override
    public int update(TableHandle table, long key) {
        return declared(AccessKind.UPDATE, table, key, null, inner.update(table, key));
    }

    @Override
    public int update(TableHandle table, RowKey key) {
        return declared(AccessKind.UPDATE, table, key.word(), key, inner.update(table, key));
    }

    @Override
    public int insert(TableHandle table, long key) {
        if (!mayMake(table, key, null)) return NONE_DECLARED;
        return declared(AccessKind.INSERT, table, key, null, inner.insert(table, key));
    }

    @Override
    public int insert(TableHandle table, RowKey key) {
        if (!mayMake(table, key.word(), key)) return NONE_DECLARED;
        return declared(AccessKind.INSERT, table, key.word(), key, inner.insert(table, key));
    }

    @Override
    public int put(TableHandle table, long key) {
        if (!mayMake(table, key, null)) return NONE_DECLARED;
        return declared(AccessKind.PUT, table, key, null, inner.put(table, key));
    }

    @Override
    public int put(TableHandle table, RowKey key) {
        if (!mayMake(table, key.word(), key)) return NONE_DECLARED;
        return declared(AccessKind.PUT, table, key.word(), key, inner.put(table, key));
    }

    @Override
    public int delete(TableHandle table, long key) {
        return declared(AccessKind.DELETE, table, key, null, inner.delete(table, key));
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        return declared(AccessKind.DELETE, table, key.word(), key, inner.delete(table, key));
    }

    /** The number of an access that was declared after the attempt had been aborted. It is never carried out. */
    private static final int NONE_DECLARED = (1 << 24) - 1;

    /**
     * A row that is deleted and made again in one round would show zeros, and not what its entries were made of. So the
     * delete is carried out first. Returns false if that has aborted the attempt.
     */
    private boolean mayMake(TableHandle handle, long word, RowKey key) {
        TableLayout table = (TableLayout) handle;
        if (declarations == 0 || !table.schema().isIndexed()) return !isAborted;
        WrittenRow row = rowMap.find(table, word, key);
        if (row == null || !row.isEnding) return !isAborted;
        if (!execute()) isAborted = true;
        return !isAborted;
    }

    private int declared(AccessKind kind, TableHandle handle, long word, RowKey key, int access) {
        TableLayout table = (TableLayout) handle;
        if (!table.schema().isIndexed()) return access;
        BlinkTree[] trees = indexes.of(table);
        if (trees.length == 0) return access;
        WrittenRow row = row(table, trees, word, key);
        row.access = access;
        if (kind == AccessKind.DELETE) row.isEnding = true;
        if (declarations == declared.length) {
            declared = Arrays.copyOf(declared, 2 * declarations);
            accesses = Arrays.copyOf(accesses, 2 * declarations);
            kinds = Arrays.copyOf(kinds, 2 * declarations);
        }
        declared[declarations] = row;
        accesses[declarations] = access;
        kinds[declarations++] = kind;
        if (kind == AccessKind.INSERT || kind == AccessKind.DELETE) expect(row);
        return access;
    }

    private WrittenRow row(TableLayout table, BlinkTree[] trees, long word, RowKey key) {
        WrittenRow found = rowMap.find(table, word, key);
        if (found != null) return found;
        if (rowCount == rows.length) rows = Arrays.copyOf(rows, 2 * rowCount);
        if (rows[rowCount] == null) rows[rowCount] = new WrittenRow();
        WrittenRow row = rows[rowCount++];
        row.table = table;
        row.trees = trees;
        row.word = word;
        boolean isOther =
                row.key == null || !row.key.schema().equals(table.schema().key());
        if (isOther) row.key = table.schema().key().newKey();
        if (key == null) row.key.setWord(word);
        else row.key.setFrom(key);
        row.isKnown = false;
        row.isEnding = false;
        row.isThere = false;
        row.isWritten = false;
        if (row.entered.length < trees.length) row.entered = new int[trees.length];
        Arrays.fill(row.entered, NONE);
        rowMap.put(row);
        return row;
    }

    /** Locks the leaves that an insert or a delete will change, in the round of the row. */
    private void expect(WrittenRow row) {
        for (BlinkTree tree : row.trees) {
            if (tree.keys.needsValue()) continue;
            int at = encode(row, tree, 0);
            index(tree).expect(bytes, at);
            used = at;
        }
    }

    // ---- execution

    @Override
    public boolean execute() {
        if (isAborted || !inner.execute()) return false;
        if (declarations == 0) return true;
        for (int i = 0; i < declarations; i++) settle(declared[i], kinds[i], accesses[i]);
        int count = declarations;
        declarations = 0;
        changeCount = 0;
        for (int i = 0; i < count; i++) addChanges(declared[i], false);
        return runChanges();
    }

    /** Takes note of what an access has done. The first access of a row tells the entries that it has in the pool. */
    private void settle(WrittenRow row, AccessKind kind, int access) {
        if (!row.isKnown) {
            row.isKnown = true;
            row.isThere = inner.found(access);
            if (row.isThere)
                for (int i = 0; i < row.trees.length; i++)
                    row.entered[i] = encode(row, row.trees[i], inner.value(access));
        }
        row.isEnding = false;
        row.isWritten |= inner.writes(access);
        if (kind == AccessKind.DELETE) row.isThere = false;
        else if (kind != AccessKind.UPDATE) row.isThere = true;
    }

    private int encode(WrittenRow row, BlinkTree tree, long value) {
        int at = used;
        if (bytes.length < at + tree.width) bytes = Arrays.copyOf(bytes, 2 * bytes.length + tree.width);
        tree.keys.encode(inner.memory(), value, row.key, bytes, at);
        used += tree.width;
        return at;
    }

    // ---- entries

    /**
     * Adds the changes by which the entries of a row become those of its columns.
     *
     * @param isEnd whether all of the row is known that this transaction writes until now; otherwise only the key is
     */
    private void addChanges(WrittenRow row, boolean isEnd) {
        if (!row.isWritten) return;
        for (int i = 0; i < row.trees.length; i++) {
            BlinkTree tree = row.trees[i];
            if (tree.keys.needsValue() && !isEnd) continue;
            int had = row.entered[i];
            int gets = NONE;
            int before = used;
            if (row.isThere) gets = encode(row, tree, tree.keys.needsValue() ? inner.value(row.access) : 0);
            if (had == NONE && gets == NONE) continue;
            if (had != NONE && gets != NONE && isSame(had, gets, tree.width)) {
                used = before;
                continue;
            }
            if (had != NONE && removesOldEntries()) add(EntryChange.Kind.LEAVE, tree, had);
            if (gets != NONE) {
                if (tree.schema.isUnique() && !tree.keys.hasNull(bytes, gets) && looksForOthers()) addCheck(tree, gets);
                add(EntryChange.Kind.ENTER, tree, gets);
            }
            row.entered[i] = gets;
        }
    }

    private boolean isSame(int one, int other, int width) {
        return Arrays.equals(bytes, one, one + width, bytes, other, other + width);
    }

    /** Adds a look for other rows with the same columns: from the entry on that has zeros after them. */
    private void addCheck(BlinkTree tree, int entry) {
        int at = used;
        if (bytes.length < at + tree.width) bytes = Arrays.copyOf(bytes, 2 * bytes.length + tree.width);
        Arrays.fill(bytes, at, at + tree.width, (byte) 0);
        System.arraycopy(bytes, entry, bytes, at, tree.keys.prefixWidth());
        used += tree.width;
        add(EntryChange.Kind.CHECK, tree, at);
        changes[changeCount - 1].own = entry;
    }

    private void add(EntryChange.Kind kind, BlinkTree tree, int at) {
        if (changeCount == changes.length) changes = Arrays.copyOf(changes, 2 * changeCount);
        if (changes[changeCount] == null) changes[changeCount] = new EntryChange();
        changes[changeCount++].set(kind, index(tree), null, at, tree.isBuilding());
    }

    /** Makes all changes that were added. Waits for the memory nodes. Returns false if the attempt was aborted. */
    private boolean runChanges() {
        if (changeCount == 0) return true;
        for (int i = 0; i < changeCount; i++) changes[i].key = bytes; // the bytes do not move any more
        requireNoTwins();
        while (true) {
            boolean isWaiting = false;
            for (EntryChange.Kind kind : KINDS) {
                boolean mayChange = !isWaiting;
                for (int i = 0; i < changeCount; i++) {
                    EntryChange c = changes[i];
                    if (c.kind != kind || c.isDone) continue;
                    c.mayChange = mayChange;
                    OrderedIndex.Answer answer = c.index.change(c);
                    if (answer == OrderedIndex.Answer.ABORTED) return false;
                    if (c.isTaken) throw taken(c);
                    isWaiting |= !c.isDone;
                }
            }
            if (!isWaiting) return true;
            if (!inner.execute()) return false;
        }
    }

    /**
     * Refuses rows of which two get the same values of unique columns here. The index has none of them yet, so a look
     * into it would find neither.
     */
    private void requireNoTwins() {
        int checks = 0;
        for (int i = 0; i < changeCount; i++) if (changes[i].kind == EntryChange.Kind.CHECK) checks++;
        if (checks < 2) return;
        while (places.length < 2 * checks) places = new int[2 * places.length];
        Arrays.fill(places, NONE);
        for (int i = 0; i < changeCount; i++) if (changes[i].kind == EntryChange.Kind.CHECK) place(i);
    }

    private void place(int number) {
        EntryChange c = changes[number];
        BlinkTree tree = ((BlinkIndex) c.index).tree;
        int prefix = tree.keys.prefixWidth();
        long hash = tree.schema.number();
        for (int i = 0; i < prefix; i++) hash = 31 * hash + bytes[c.from + i];
        int at = (int) EightByteKeys.hash(hash, tree.table.id()) & places.length - 1;
        for (; places[at] != NONE; at = at + 1 & places.length - 1) {
            EntryChange other = changes[places[at]];
            boolean isTwin = other.index == c.index
                    && Arrays.equals(bytes, c.from, c.from + prefix, bytes, other.from, other.from + prefix)
                    && !isSame(c.own, other.own, tree.width);
            if (isTwin) throw taken(c);
        }
        places[at] = number;
    }

    private static final EntryChange.Kind[] KINDS = EntryChange.Kind.values();

    private UniqueViolationException taken(EntryChange c) {
        BlinkTree tree = ((BlinkIndex) c.index).tree;
        return new UniqueViolationException(
                "another row has the same values: index=" + tree.schema.text() + " table=" + tree.table.name());
    }

    /** Makes the entries equal to the columns of all rows as they are now. Returns false if the attempt was aborted. */
    private boolean flush() {
        if (!execute()) return false;
        if (rowCount == 0) return true;
        changeCount = 0;
        for (int i = 0; i < rowCount; i++) addChanges(rows[i], true);
        return runChanges();
    }

    /**
     * Declares that a row, which was read, is entered into an index that is being built.
     *
     * @param access the access that has read the row
     */
    public void enter(TableHandle handle, IndexSchema index, RowKey key, int access) {
        TableLayout table = (TableLayout) handle;
        for (BlinkTree tree : indexes.of(table)) {
            if (!tree.schema.name().equals(index.name())) continue;
            int at = used;
            if (bytes.length < at + tree.width) bytes = Arrays.copyOf(bytes, 2 * bytes.length + tree.width);
            tree.keys.encode(inner.memory(), inner.value(access), key, bytes, at);
            used += tree.width;
            if (tree.schema.isUnique() && !tree.keys.hasNull(bytes, at)) addCheck(tree, at);
            add(EntryChange.Kind.ENTER, tree, at);
        }
    }

    /** Carries out what {@link #enter} has declared. Returns false if the attempt was aborted. */
    public boolean enterAll() {
        boolean isDone = runChanges();
        changeCount = 0;
        return isDone;
    }

    // ---- scans

    @Override
    public boolean scan(RangeScan scan) {
        return scan(scan, (TableLayout) scan.table());
    }

    /** Reads the next page of a scan of a table, of which the scan may have an older handle. */
    public boolean scan(RangeScan scan, TableLayout table) {
        if (!flushBeforeScan()) return false;
        BlinkIndex index = index(ready(table, scan.index()));
        while (true) {
            OrderedIndex.Answer answer = index.scan(scan);
            if (answer == OrderedIndex.Answer.ABORTED) return false;
            if (answer == OrderedIndex.Answer.DONE) break;
            if (!inner.execute()) return false;
        }
        return scan.isKeysOnly() || readRows(table, scan);
    }

    /** Makes the entries of what was written before a scan. Planted bugs override it. */
    protected boolean flushBeforeScan() {
        return flush();
    }

    /** Makes the entries of what was written before the commit. Planted bugs override it. */
    protected boolean flushBeforeCommit() {
        return flush();
    }

    /** Whether this transaction looks for rows with the same unique columns. Planted bugs override it. */
    protected boolean looksForOthers() {
        return true;
    }

    /** Whether the entry goes that a row does not have any more. Planted bugs override it. */
    protected boolean removesOldEntries() {
        return true;
    }

    private BlinkTree ready(TableLayout table, IndexSchema index) {
        for (BlinkTree tree : indexes.of(table)) {
            if (!tree.schema.name().equals(index.name())) continue;
            if (!tree.isBuilding()) return tree;
            throw new StoreException(
                    StoreException.Reason.BUSY,
                    "index " + index.name() + " of table " + table.name() + " is being built: not all rows are in it");
        }
        throw new StoreException(
                StoreException.Reason.UNKNOWN_TABLE, "table " + table.name() + " has no index " + index.name());
    }

    private boolean readRows(TableLayout table, RangeScan scan) {
        boolean isWide = table.schema().key().isWide();
        RowKey key = isWide ? scanKey(table) : null;
        for (int i = 0; i < scan.rows(); i++)
            scan.access(i, isWide ? inner.read(table, scan.key(i, key)) : inner.read(table, scan.keyWord(i)));
        if (!inner.execute()) return false;
        for (int i = 0; i < scan.rows(); i++) if (!inner.found(scan.access(i))) return isMissing(table, scan, i);
        return true;
    }

    private RowKey scanKey;

    private RowKey scanKey(TableLayout table) {
        if (scanKey == null || !scanKey.schema().equals(table.schema().key()))
            scanKey = table.schema().key().newKey();
        return scanKey;
    }

    /** An entry without a row: it was removed since the leaf was read, so this attempt cannot commit. */
    private boolean isMissing(TableLayout table, RangeScan scan, int row) {
        if (!inner.isConsistent()) return false;
        throw new StoreException(
                StoreException.Reason.CORRUPT,
                "index " + scan.index().name() + " of table " + table.name() + " has an entry without its row: key="
                        + scan.key(row, table.schema().key().newKey()));
    }

    // ---- end

    @Override
    public Outcome commit() {
        if (!flushBeforeCommit()) return Outcome.ABORTED;
        Outcome outcome = inner.commit();
        if (outcome == Outcome.COMMITTED) for (int i = 0; i < activeCount; i++) active[i].committed();
        return outcome;
    }

    private BlinkIndex index(BlinkTree tree) {
        for (int i = 0; i < activeCount; i++) if (active[i].tree == tree) return active[i];
        BlinkIndex index = known.get(tree);
        if (index == null) {
            if (known.size() > 256) known.clear(); // trees of tables that were changed
            index = newIndex(tree, indexes.upkeep());
            known.put(tree, index);
        }
        index.begin(inner);
        if (activeCount == active.length) active = Arrays.copyOf(active, 2 * activeCount);
        active[activeCount++] = index;
        return index;
    }

    /** Makes the index of an attempt. Planted bugs override it. */
    protected BlinkIndex newIndex(BlinkTree tree, BlinkUpkeep upkeep) {
        return new BlinkIndex(tree, upkeep);
    }

    /** The written rows by their keys, without an object for each. */
    private static final class RowMap {
        private WrittenRow[] places = new WrittenRow[32];
        private int[] filled = new int[32];
        private int now = 1;
        private int count;

        void clear() {
            count = 0;
            if (++now == 0) {
                Arrays.fill(filled, 0);
                now = 1;
            }
        }

        WrittenRow find(TableLayout table, long word, RowKey key) {
            int at = place(table, word, key);
            return filled[at] == now ? places[at] : null;
        }

        private int place(TableLayout table, long word, RowKey key) {
            int at = (int) EightByteKeys.hash(word, table.id()) & places.length - 1;
            while (filled[at] == now) {
                WrittenRow row = places[at];
                boolean isSame = row.word == word
                        && row.table.id() == table.id()
                        && (key == null || !key.schema().isWide() || row.key.equals(key));
                if (isSame) return at;
                at = at + 1 & places.length - 1;
            }
            return at;
        }

        void put(WrittenRow row) {
            if (2 * ++count > places.length) grow();
            int at = place(row.table, row.word, row.key);
            places[at] = row;
            filled[at] = now;
        }

        private void grow() {
            WrittenRow[] had = places;
            int[] hadFilled = filled;
            places = new WrittenRow[2 * had.length];
            filled = new int[2 * had.length];
            for (int i = 0; i < had.length; i++) {
                if (hadFilled[i] != now) continue;
                int at = place(had[i].table, had[i].word, had[i].key);
                places[at] = had[i];
                filled[at] = now;
            }
        }
    }
}
