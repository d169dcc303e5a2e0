package tidepool.bench.straw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentHashMap;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.protocol.TxnTooLargeException;
import tidepool.schema.RowKey;
import tidepool.spi.PoolAccess;
import tidepool.store.ScratchMemory;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * A transaction on hash maps: strict two-phase locking, one exclusive lock for every key that is read or written.
 *
 * <pre>
 *   execute     take the locks of the accesses declared, in order; copy the rows into this transaction's memory
 *   commit      copy changed values back into the rows, insert and remove rows, free the locks
 *   rollback    free the locks: the rows were not changed
 * </pre>
 *
 * Transactions are serializable. The only abort is {@link AbortReason#LOCKED}: a later {@code execute} asks for a lock
 * that comes before one which is held, and another transaction holds it (see {@link StrawLocks}).
 */
final class StrawTxn implements Txn {
    private static final int MAX_ACCESSES = 1024;
    private static final long MEMORY_BYTES = 1 << 20;

    private enum Kind {
        READ,
        UPDATE,
        INSERT,
        PUT,
        DELETE
    }

    private enum State {
        ENDED,
        ACTIVE,
        ABORTED
    }

    /** A declared access and its result. */
    private static final class Access {
        Kind kind;
        TableLayout table;
        long key;
        int stripe;
        /** The row that was found; null if there was none. */
        StrawRow row;

        /** The offset of the copy of the value; -1 if there is none. */
        long value;

        long version;

        boolean inserts() {
            return row == null && (kind == Kind.INSERT || kind == Kind.PUT);
        }

        boolean writes() {
            return row == null ? inserts() : kind != Kind.READ && kind != Kind.INSERT;
        }

        boolean removes() {
            return row != null && kind == Kind.DELETE;
        }
    }

    private final StrawStore store;
    private final StrawLocks locks;
    private final MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, Words.BYTES);
    private final ScratchMemory scratch = new ScratchMemory(memory);
    private final Access[] accesses = new Access[MAX_ACCESSES];
    /** The keys of the accesses in one array, because each declaration searches them. */
    private final long[] keys = new long[MAX_ACCESSES];

    private int count;
    private int executed;
    private State state = State.ENDED;
    private long id;
    private AbortReason reason;

    StrawTxn(StrawStore store) {
        this.store = store;
        this.locks = new StrawLocks(store, MAX_ACCESSES);
        for (int i = 0; i < MAX_ACCESSES; i++) accesses[i] = new Access();
    }

    void begin(long newId) {
        Checks.invariant(state != State.ACTIVE, "a transaction ends before the next one begins");
        id = newId;
        state = State.ACTIVE;
        count = 0;
        executed = 0;
        reason = null;
        scratch.reset(0);
        locks.begin();
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
        return read(table, word(key));
    }

    @Override
    public int update(TableHandle table, RowKey key) {
        return update(table, word(key));
    }

    @Override
    public int insert(TableHandle table, RowKey key) {
        return insert(table, word(key));
    }

    @Override
    public int put(TableHandle table, RowKey key) {
        return put(table, word(key));
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        return delete(table, word(key));
    }

    /** The straw store keeps words; no workload of its races has wider keys. */
    private static long word(RowKey key) {
        Checks.argument(!key.schema().isWide(), "the straw store takes keys of one word");
        return key.word();
    }

    private int declare(Kind kind, TableHandle handle, long key) {
        TableLayout table = PoolAccess.layout(handle);
        Checks.argument(state == State.ACTIVE, "the transaction has ended");
        for (int i = count - 1; i >= 0; i--) {
            if (keys[i] != key) continue;
            Access known = accesses[i];
            if (known.table.id() != table.id()) continue;
            int covers = again(i, known, kind);
            if (covers >= 0) return covers;
            break;
        }
        if (count == MAX_ACCESSES) throw tooLarge("accesses", MAX_ACCESSES);
        Access a = accesses[count];
        a.kind = kind;
        a.table = table;
        a.key = key;
        keys[count] = key;
        return count++;
    }

    /**
     * Handles a key that this transaction has declared before, by the rules of our protocols, so that a workload sees
     * no difference.
     */
    private int again(int i, Access known, Kind kind) {
        if (kind == Kind.READ || kind == known.kind) return i;
        boolean pending = i >= executed;
        if (known.kind == Kind.READ || !pending && !known.writes()) {
            if (!pending) return -1;
            known.kind = kind;
            return i;
        }
        boolean covered = kind != Kind.DELETE && kind != Kind.INSERT && known.kind != Kind.DELETE;
        if (covered && (known.kind != Kind.UPDATE || kind == Kind.PUT && !pending)) return i;
        throw new IllegalArgumentException("key " + known.key + " of table " + known.table.name() + " was declared as "
                + known.kind + " and cannot become " + kind + " in the same transaction");
    }

    // ---- execution

    @Override
    public boolean execute() {
        if (state != State.ACTIVE) return false;
        if (executed == count) return true;
        int from = executed;
        executed = count;
        for (int i = from; i < count; i++) {
            Access a = accesses[i];
            a.stripe = store.stripe(a.table.id(), a.key);
            locks.ask(a.stripe);
        }
        if (!locks.take()) {
            locks.freeToAskAgain();
            state = State.ABORTED;
            reason = AbortReason.LOCKED;
            return false;
        }
        for (int i = from; i < count; i++) fetch(accesses[i]);
        return true;
    }

    private void fetch(Access a) {
        a.row = store.rows(a.table.id()).get(new StrawKey(a.key));
        a.version = a.row == null ? store.bucketVersion(a.stripe) : a.row.writer;
        a.value = -1;
        if (a.row == null && !a.inserts()) return;
        a.value = scratch.take(a.table.valueBytes());
        if (a.value < 0) throw tooLarge("bytes of local memory", MEMORY_BYTES);
        if (a.row == null) a.table.schema().clear(memory, a.value);
        else MemorySegment.copy(a.row.value, 0, memory, ValueLayout.JAVA_BYTE, a.value, a.row.value.length);
    }

    /** Returns true while active, because every row that was read is locked. */
    @Override
    public boolean isConsistent() {
        return state == State.ACTIVE;
    }

    @Override
    public Outcome commit() {
        Checks.argument(state != State.ENDED, "the transaction has ended");
        if (!execute()) return Outcome.ABORTED;
        for (int i = 0; i < count; i++) if (accesses[i].writes()) apply(accesses[i]);
        end(State.ENDED, null);
        return Outcome.COMMITTED;
    }

    private void apply(Access a) {
        ConcurrentHashMap<StrawKey, StrawRow> rows = store.rows(a.table.id());
        if (a.removes()) {
            rows.remove(new StrawKey(a.key));
            store.bucketVersion(a.stripe, id);
            return;
        }
        StrawRow row = a.row == null ? new StrawRow((int) a.table.valueBytes(), id) : a.row;
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, a.value, row.value, 0, row.value.length);
        row.writer = id;
        if (a.row != null) return;
        rows.put(new StrawKey(a.key), row);
        store.bucketVersion(a.stripe, id);
    }

    @Override
    public void rollback() {
        if (state == State.ACTIVE) end(State.ENDED, AbortReason.ROLLED_BACK);
        state = State.ENDED;
    }

    private void end(State how, AbortReason why) {
        locks.free();
        state = how;
        reason = why;
    }

    private TxnTooLargeException tooLarge(String what, long max) {
        end(State.ENDED, AbortReason.ROLLED_BACK);
        return new TxnTooLargeException("a transaction has at most " + max + " " + what);
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
        return executedAccess(access).row != null;
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
        return executedAccess(access).version;
    }

    @Override
    public long bucketVersion(int access) {
        Access a = executedAccess(access);
        Checks.argument(a.inserts() || a.removes(), "the access neither inserts nor deletes");
        return store.bucketVersion(a.stripe);
    }

    @Override
    public long bucket(int access) {
        return executedAccess(access).stripe;
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
