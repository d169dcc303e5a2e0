package tidepool.bench.ordered;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.protocol.TxnTooLargeException;
import tidepool.schema.IndexKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.ScratchMemory;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * A transaction of ours on an ordered store. Rows are copied into its memory when they are read, and written when it
 * commits, with the entries of their indexes.
 *
 * <pre>
 *   key of a row       table, then the key as the order of the table has it
 *   key of an entry    128 + 8 table + index, then the entry
 * </pre>
 *
 * <p>Each execute asks for its rows in the order of tables and keys, so that stores with locks seldom meet a deadlock.
 * A scan does not see what its own transaction has written before it.
 */
final class OrderedTxn implements Txn {
    private static final int MAX_ACCESSES = 1024;
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int MAX_INDEXES = 8;

    private enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    private static final class Access {
        Kind kind;
        TableLayout table;
        long key;
        byte[] bytes;
        boolean isFound;
        long value; // -1 if there is none
        byte[][] entries; // of the row as it was found

        boolean writes() {
            return isFound ? kind != Kind.READ && kind != Kind.INSERT : kind == Kind.INSERT || kind == Kind.PUT;
        }
    }

    private final OrderedSession session;
    private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, Words.BYTES);
    private final ByteBuffer buffer = memory.asByteBuffer();
    private final ScratchMemory scratch = new ScratchMemory(memory);
    private final Access[] accesses = new Access[MAX_ACCESSES];
    private final Integer[] order = new Integer[MAX_ACCESSES];
    private final List<IndexKeys[]> keys = new ArrayList<>(); // of the secondary indexes of each table
    private final List<RowKey> rowKeys = new ArrayList<>();
    private final ByteBuffer none = ByteBuffer.allocate(0);
    private int count;
    private int executed;
    private boolean isActive;
    private AbortReason reason;
    private long id;

    OrderedTxn(OrderedSession session, List<TableLayout> tables) {
        this.session = session;
        for (int i = 0; i < MAX_ACCESSES; i++) accesses[i] = new Access();
        for (TableLayout table : tables) {
            Schema schema = table.schema();
            keys.add(schema.indexes().stream()
                    .filter(index -> !index.columns().isEmpty())
                    .map(index -> IndexKeys.of(schema, index))
                    .toArray(IndexKeys[]::new));
            rowKeys.add(schema.key().newKey());
        }
    }

    void begin(boolean isReadOnly) {
        session.begin(isReadOnly);
        isActive = true;
        count = 0;
        executed = 0;
        reason = null;
        id++;
        scratch.reset(0);
    }

    /** Returns the bytes of the key of a row: as in an entry of the order of the table. */
    static byte[] rowKey(int table, long key) {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put((byte) table)
                .putLong(key ^ Long.MIN_VALUE)
                .array();
    }

    private static byte[] prefixed(int prefix, byte[] entry) {
        byte[] key = new byte[1 + entry.length];
        key[0] = (byte) prefix;
        System.arraycopy(entry, 0, key, 1, entry.length);
        return key;
    }

    private static int prefix(int table, IndexSchema index) {
        return index.columns().isEmpty() ? table : 128 + MAX_INDEXES * table + index.number();
    }

    // ---- declarations

    @Override
    public int read(TableHandle table, long key) {
        return declare(Kind.READ, table, key);
    }

    @Override
    public int update(TableHandle table, long key) {
        return declare(Kind.UPDATE, table, key);
    }

    @Override
    public int insert(TableHandle table, long key) {
        return declare(Kind.INSERT, table, key);
    }

    @Override
    public int put(TableHandle table, long key) {
        return declare(Kind.PUT, table, key);
    }

    @Override
    public int delete(TableHandle table, long key) {
        return declare(Kind.DELETE, table, key);
    }

    @Override
    public int read(TableHandle table, RowKey key) {
        return read(table, key.word());
    }

    @Override
    public int update(TableHandle table, RowKey key) {
        return update(table, key.word());
    }

    @Override
    public int insert(TableHandle table, RowKey key) {
        return insert(table, key.word());
    }

    @Override
    public int put(TableHandle table, RowKey key) {
        return put(table, key.word());
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        return delete(table, key.word());
    }

    private int declare(Kind kind, TableHandle handle, long key) {
        TableLayout table = PoolAccess.layout(handle);
        Checks.argument(isActive, "the transaction has ended");
        for (int i = count - 1; i >= 0; i--) {
            Access known = accesses[i];
            if (known.key != key || known.table.id() != table.id()) continue;
            if (kind == Kind.READ || kind == known.kind) return i;
            if (known.kind != Kind.READ)
                throw new IllegalArgumentException("key " + key + " of table " + table.name() + " was declared as "
                        + known.kind + " and cannot become " + kind);
            break;
        }
        return add(kind, table, key);
    }

    private int add(Kind kind, TableLayout table, long key) {
        if (count == MAX_ACCESSES) throw new TxnTooLargeException("a transaction has at most 1024 accesses");
        Access a = accesses[count];
        a.kind = kind;
        a.table = table;
        a.key = key;
        a.isFound = false;
        a.value = -1;
        a.entries = null;
        a.bytes = rowKey(table.id(), key);
        return count++;
    }

    // ---- execution

    @Override
    public boolean execute() {
        if (!isActive) return false;
        int from = executed;
        int to = count;
        executed = count;
        for (int i = from; i < to; i++) order[i] = i;
        Arrays.sort(order, from, to, (a, b) -> Arrays.compareUnsigned(accesses[a].bytes, accesses[b].bytes));
        try {
            for (int i = from; i < to; i++) fetch(accesses[order[i]]);
            return true;
        } catch (OrderedSession.SessionConflict e) {
            return aborted();
        }
    }

    private boolean aborted() {
        session.rollback();
        isActive = false;
        reason = AbortReason.LOCKED;
        return false;
    }

    private void fetch(Access a) {
        long at = scratch.take(a.table.valueBytes());
        if (at < 0) throw new TxnTooLargeException("a transaction has at most " + MEMORY_BYTES + " bytes");
        a.table.schema().clear(memory, at);
        a.isFound = session.get(a.bytes, a.kind != Kind.READ, buffer, (int) at);
        if (a.isFound || a.writes()) a.value = at;
        if (a.isFound && a.writes()) a.entries = entries(a);
    }

    /** Returns the keys of the entries that secondary indexes have for a row as it is in memory. */
    private byte[][] entries(Access a) {
        IndexKeys[] indexes = keys.get(a.table.id());
        byte[][] entries = new byte[indexes.length][];
        RowKey key = rowKeys.get(a.table.id()).setWord(a.key);
        for (int i = 0; i < indexes.length; i++) {
            entries[i] = new byte[1 + indexes[i].width()];
            entries[i][0] = (byte) prefix(a.table.id(), indexes[i].index());
            indexes[i].encode(memory, a.value, key, entries[i], 1);
        }
        return entries;
    }

    @Override
    public boolean scan(RangeScan scan) {
        if (!execute()) return false;
        TableLayout table = PoolAccess.layout(scan.table());
        boolean isPrimary = scan.index().columns().isEmpty();
        int prefix = prefix(table.id(), scan.index());
        boolean isReversed = scan.isReversed();
        byte[] low = prefixed(prefix, isReversed || scan.position() == null ? scan.low() : scan.position());
        byte[] end = isReversed ? scan.position() : scan.high();
        byte[] high = end == null ? new byte[] {(byte) (prefix + 1)} : prefixed(prefix, end);
        scan.beginPage();
        int wanted = scan.wanted();
        int width = scan.keys().width();
        try {
            session.scan(low, high, isReversed, wanted, (key, value) -> {
                System.arraycopy(key, 1, scan.entries(), scan.rows() * width, width);
                scan.add();
                if (isPrimary && !scan.isKeysOnly()) take(table, scan, value);
            });
            if (!isPrimary && !scan.isKeysOnly()) {
                for (int i = 0; i < scan.rows(); i++) scan.access(i, read(table, scan.keyWord(i)));
                if (!execute()) return false;
            }
        } catch (OrderedSession.SessionConflict e) {
            return aborted();
        }
        if (scan.rows() < wanted) scan.endScan();
        else scan.endPage();
        return true;
    }

    /** Keeps a row that a scan has brought. */
    private void take(TableLayout table, RangeScan scan, ByteBuffer value) {
        int row = scan.rows() - 1;
        int access = add(Kind.READ, table, scan.keyWord(row));
        executed = count;
        Access a = accesses[access];
        a.value = scratch.take(table.valueBytes());
        if (a.value < 0) throw new TxnTooLargeException("a transaction has at most " + MEMORY_BYTES + " bytes");
        buffer.put((int) a.value, value, value.position(), value.remaining());
        a.isFound = true;
        scan.access(row, access);
    }

    @Override
    public boolean isConsistent() {
        return isActive;
    }

    @Override
    public Outcome commit() {
        if (!execute()) return Outcome.ABORTED;
        try {
            for (int i = 0; i < count; i++) if (accesses[i].writes()) apply(accesses[i]);
            session.commit();
        } catch (OrderedSession.SessionConflict e) {
            aborted();
            return Outcome.ABORTED;
        }
        isActive = false;
        return Outcome.COMMITTED;
    }

    private void apply(Access a) {
        boolean isDeleted = a.kind == Kind.DELETE;
        if (isDeleted) session.delete(a.bytes);
        else session.put(a.bytes, buffer, (int) a.value, a.table.schema().length());
        byte[][] now = isDeleted ? null : entries(a);
        for (int i = 0; i < keys.get(a.table.id()).length; i++) {
            byte[] had = a.entries == null ? null : a.entries[i];
            byte[] gets = now == null ? null : now[i];
            if (Arrays.equals(had, gets)) continue;
            if (had != null) session.delete(had);
            if (gets != null) session.put(gets, none, 0, 0);
        }
    }

    @Override
    public void rollback() {
        if (!isActive) return;
        session.rollback();
        isActive = false;
        reason = AbortReason.ROLLED_BACK;
    }

    // ---- accessors

    private Access executedAccess(int access) {
        Checks.argument(access >= 0 && access < executed, "the access was not executed yet");
        return accesses[access];
    }

    @Override
    public boolean isExecuted(int access) {
        return access < executed;
    }

    @Override
    public boolean found(int access) {
        return executedAccess(access).isFound;
    }

    @Override
    public boolean writes(int access) {
        return executedAccess(access).writes();
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long value(int access) {
        Access a = executedAccess(access);
        if (a.value < 0)
            throw new IllegalStateException("key " + a.key + " of table " + a.table.name() + " was not found");
        return a.value;
    }

    @Override
    public long version(int access) {
        return 0;
    }

    @Override
    public long bucketVersion(int access) {
        return 0;
    }

    @Override
    public long bucket(int access) {
        return 0;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public AbortReason abortReason() {
        return reason;
    }

    /** Returns 0: no session dies here, so none has to be recovered. */
    @Override
    public int blockingSession() {
        return 0;
    }
}
