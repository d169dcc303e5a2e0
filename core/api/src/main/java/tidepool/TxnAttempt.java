package tidepool;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.fabric.FabricException;
import tidepool.fabric.Refusal;
import tidepool.protocol.PageTxn;
import tidepool.protocol.RowPage;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.TxnTooLargeException;
import tidepool.protocol.ordered.BlinkUpkeep;
import tidepool.protocol.ordered.IndexedTxn;
import tidepool.protocol.ordered.UniqueViolationException;
import tidepool.schema.IndexSchema;
import tidepool.schema.RowKey;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Priority;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;
import tidepool.txn.Txn;

/**
 * One attempt of a transaction, as the application gets it: a {@link Txn} that belongs to the thread that began it,
 * refuses writes if it was begun for reading, and cannot be used once it has ended. The application neither begins nor
 * ends it. An object can be used for one attempt after the other.
 */
final class TxnAttempt implements Txn {
    private static final System.Logger LOG = System.getLogger("tidepool");

    /** The tasks that a transaction carries out for indexes before it begins: some, or a part of many. */
    private static final int MIN_TASKS = 4;

    private static final int MAX_TASKS = 128;
    private static final int TASKS_PART = 8;

    /** The caller that runs an attempt. */
    enum Use {
        /** A {@link Worker}, which keeps its coordinator and retries. */
        WORKER,
        /** A {@link Transactor}, which retries on any coordinator. */
        RETRIED,
        /** The application, which decides about retries itself. */
        EXPLICIT
    }

    /** The layer of records, which shares the attempt with the application's own use of fields. */
    interface Records {
        /**
         * Called when a record is inserted or put, perhaps in the place of a deleted one. Waits if the deleted record
         * is still to be shown.
         *
         * @param word the key, or the word of a key of several parts
         * @param key the key of several parts; null if the application gave the word
         */
        void makes(TableHandle table, long word, RowKey key);

        /** Called when all declared accesses have been carried out. */
        void executed();
    }

    private enum State {
        ENDED,
        OPEN,
        /** The attempt conflicted with others: it answers nothing any more, and its caller retries. */
        ABORTED
    }

    private final Tidepool pool;
    private final OwnerThread owner;
    private final Use use;
    private final Records records;
    private PooledCoordinator pooled;
    private Txn txn;
    private IndexedTxn indexed; // null until a table with indexes was met
    private int generation; // of the tables that this process knew when the attempt began
    private boolean readOnly;
    private boolean writes;
    private State state = State.ENDED;
    private long id;
    private long tripsBefore;

    // Values for calls after the end. By then another thread may have begun on this coordinator.
    private long trips;
    private AbortReason abortReason;
    private String lastStep = "";
    private TxnRoom room = TxnRoom.SMALL;

    /** Why the pool refused an access, so that the attempt cannot commit; null if it can. */
    private StoreException refusal;

    /** The failure of the fabric that ended the attempt, even if the application hides it; null if there was none. */
    private FabricException failure;

    private int blockingSession;

    TxnAttempt(Tidepool pool, OwnerThread owner, Use use) {
        this(pool, owner, use, null);
    }

    /** @param records the layer of records above this one; null if there is none */
    TxnAttempt(Tidepool pool, OwnerThread owner, Use use, Records records) {
        this.pool = pool;
        this.owner = owner;
        this.use = use;
        this.records = records;
    }

    // ---- for the caller that began it

    /** @param room the room that it needs, as far as earlier attempts have shown */
    void begin(PooledCoordinator newPooled, boolean readsOnly, Priority priority, TxnRoom room) {
        pooled = newPooled;
        readOnly = readsOnly;
        refusal = null;
        failure = null;
        writes = false;
        generation = pool.knownTables().generation();
        try {
            if (!readsOnly) maintainIndexes(newPooled);
            txn = newPooled.begin(readsOnly, room);
        } catch (RuntimeException | Error e) {
            if (use != Use.WORKER) pool.coordinators().giveBack(newPooled);
            throw e;
        }
        if (priority != Priority.NORMAL) txn.priority(priority);
        id = txn.id();
        tripsBefore = newPooled.traffic().roundTrips();
        state = State.OPEN;
    }

    /** Carries out some of what earlier transactions of this process owe to indexes. Waits for the memory nodes. */
    private void maintainIndexes(PooledCoordinator newPooled) {
        BlinkUpkeep upkeep = pool.orderedIndexes().upkeep();
        int tasks = Math.clamp(upkeep.waiting() / TASKS_PART, MIN_TASKS, MAX_TASKS);
        for (int i = 0; i < tasks && upkeep.isWaiting(); i++) {
            Txn task = newPooled.begin(false, TxnRoom.SMALL);
            try {
                upkeep.run(task, generation);
            } catch (StoreException | TxnTooLargeException e) {
                LOG.log(System.Logger.Level.DEBUG, "what is owed to an index is left to others: {0}", e.getMessage());
                task.rollback();
            }
            newPooled.takeRoom();
        }
    }

    /**
     * Commits, and waits for the outcome. Returns true if it committed, false on a conflict. The attempt has ended in
     * any case.
     */
    boolean finish(RetryLoop retries) {
        check();
        try {
            requireUnrefused();
            pool.sessions().requireOpen(); // so that closing the pool causes no unknown outcome
            if (writes) retries.commits();
            Outcome outcome = commitOrRefuse();
            if (writes && outcome == Outcome.COMMITTED) retries.commitDone();
            boolean committed = outcome == Outcome.UNKNOWN
                    ? pool.sessions().settleUnknown(id, pooled.whyBroken(), retries.deadline())
                    : outcome == Outcome.COMMITTED;
            end(committed);
            if (outcome == Outcome.COMMITTED && pooled.isBroken())
                pool.sessions().mend(id, pooled.whyBroken(), retries.deadline());
            return committed;
        } finally {
            giveUp();
        }
    }

    /** Commits. A refusal that comes from inconsistent reads becomes an abort, so that the transaction is retried. */
    private Outcome commitOrRefuse() {
        try {
            return txn.commit();
        } catch (TxnTooLargeException e) {
            if (txn.isConsistent()) throw new TransactionTooLargeException(e.getMessage());
        } catch (StoreException e) {
            if (txn.isConsistent()) throw e;
        } catch (UniqueViolationException e) {
            if (txn.isConsistent()) throw new DuplicateKeyException(e.getMessage());
        }
        return Outcome.ABORTED;
    }

    /**
     * Returns whether all that the application read existed at one moment, and waits for validation. Asked before the
     * application gives up or throws because of its reads. Returns false if the attempt is over and to be retried.
     */
    @Override
    public boolean isConsistent() {
        if (state == State.ABORTED) return false;
        try {
            if (state == State.ENDED || pooled.isBroken() || txn.isConsistent()) return true;
        } catch (FabricException e) {
            failure = e;
            throw e;
        }
        state = State.ABORTED;
        return false;
    }

    /** Throws the failure of the fabric that ended this attempt, if any: the application may have hidden it. */
    void requireUnbroken() {
        if (failure != null) throw failure;
    }

    private void requireUnrefused() {
        if (refusal != null) throw refusal;
    }

    /** Rolls back. Does nothing once the attempt has ended. */
    void giveUp() {
        if (state == State.ENDED) return;
        if (!owner.isHere()) throw wrongThread();
        boolean wasBroken = pooled.isBroken();
        try {
            if (!wasBroken) txn.rollback();
        } catch (FabricException e) {
            // Nothing has happened; only the locks are left.
        } finally {
            end(false);
        }
        if (!wasBroken && pooled.isBroken())
            pool.sessions().mend(id, pooled.whyBroken(), pool.sessions().defaultDeadline());
    }

    private void end(boolean committed) {
        state = State.ENDED;
        trips = pooled.traffic().roundTrips() - tripsBefore;
        abortReason = txn.abortReason();
        lastStep = txn.lastStep();
        blockingSession = txn.blockingSession();
        if (committed) pooled.counts().committed();
        else if (abortReason != null && abortReason != AbortReason.NEEDS_ROOM)
            pooled.counts().aborted(abortReason);
        room = pooled.takeRoom();
        if (use != Use.WORKER) pool.coordinators().giveBack(pooled);
    }

    /** Returns whether nothing is known yet that keeps the attempt from committing. */
    boolean mayCommit() {
        return state == State.OPEN && refusal == null && failure == null;
    }

    /** Returns the room that the next attempt needs; it has ended. */
    TxnRoom room() {
        return room;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Returns the generation of tables in which it began; {@link TableRegistry#generation}. */
    int generation() {
        return generation;
    }

    /** Returns the failure of an attempt that began before tables were changed: its session was revoked. */
    FabricException outdated() {
        failure = FabricException.refused(Refusal.EPOCH, "the tables of this pool were changed");
        return failure;
    }

    /** Returns the place of its coordinator among those of the pool. */
    int coordinator() {
        check();
        return pooled.number();
    }

    /** Returns the session of the current or last attempt; 0 before the first. */
    int session() {
        return pooled == null ? 0 : pooled.session();
    }

    /** Returns the round trips so far, as the fabric counts them; background rounds do not count. */
    long roundTrips() {
        return state == State.ENDED ? trips : pooled.traffic().roundTrips() - tripsBefore;
    }

    /** Refuses calls after the end, and calls from another thread. */
    void check() {
        if (state == State.ENDED) throw new IllegalStateException("the transaction has ended");
        if (!owner.isHere()) throw wrongThread();
    }

    private IllegalStateException wrongThread() {
        return new IllegalStateException("a transaction belongs to the thread that began it: " + owner);
    }

    // ---- for the application: declarations

    @Override
    public int read(TableHandle handle, long key) {
        TableLayout table = checkAccess(handle);
        try {
            return txn.read(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int read(TableHandle handle, RowKey key) {
        TableLayout table = checkAccess(handle);
        try {
            return txn.read(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int update(TableHandle handle, long key) {
        TableLayout table = checkWrite(handle, key);
        try {
            return txn.update(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int update(TableHandle handle, RowKey key) {
        TableLayout table = checkWrite(handle, key);
        try {
            return txn.update(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int insert(TableHandle handle, long key) {
        TableLayout table = checkWrite(handle, key);
        if (records != null) records.makes(table, key, null);
        try {
            return txn.insert(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int insert(TableHandle handle, RowKey key) {
        TableLayout table = checkWrite(handle, key);
        if (records != null) records.makes(table, key.word(), key);
        try {
            return txn.insert(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int put(TableHandle handle, long key) {
        TableLayout table = checkWrite(handle, key);
        if (records != null) records.makes(table, key, null);
        try {
            return txn.put(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int put(TableHandle handle, RowKey key) {
        TableLayout table = checkWrite(handle, key);
        if (records != null) records.makes(table, key.word(), key);
        try {
            return txn.put(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    @Override
    public int delete(TableHandle table, long key) {
        requireNoParts(table);
        return deleteRow(table, key);
    }

    @Override
    public int delete(TableHandle table, RowKey key) {
        requireNoParts(table);
        return deleteRow(table, key);
    }

    /** Otherwise the parts of the row would stay in the pool, and nothing would refer to them. */
    private void requireNoParts(TableHandle table) {
        checkAccess(table);
        if (table.schema().contents().isEmpty()) return;
        throw new IllegalArgumentException("table " + table.name() + " has long attributes ("
                + table.schema().contents().getFirst().attribute().text()
                + "): delete its records with its Table, which deletes the parts of their values too");
    }

    /** Declares that a row is deleted, for callers that delete its parts. */
    int deleteRow(TableHandle handle, long key) {
        TableLayout table = checkWrite(handle, key);
        try {
            return txn.delete(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    /** Declares that a row is deleted, for callers that delete its parts. */
    int deleteRow(TableHandle handle, RowKey key) {
        TableLayout table = checkWrite(handle, key);
        try {
            return txn.delete(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    /** Returns the table as it is now: its place may have changed since the application got the handle. */
    private TableLayout checkAccess(TableHandle handle) {
        checkAlive();
        TableLayout table = pool.knownTables().require(handle);
        if (table.before() != null) migrate();
        if (table.schema().isIndexed() && !(txn instanceof IndexedTxn)) maintain();
        return table;
    }

    /** Maps accesses from here on: the attempt has met a table whose rows move to another layout. */
    private void migrate() {
        Txn base = base();
        if (base instanceof MigratingTxn) return;
        MigratingTxn mapped = pool.migrating();
        mapped.begin(base);
        if (txn == base) txn = mapped;
        else indexed.forwardTo(mapped);
    }

    /** Maintains indexes from here on: the attempt has met a table that has some. */
    private void maintain() {
        if (indexed == null) indexed = pool.newIndexed();
        indexed.begin(txn);
        txn = indexed;
    }

    /** Returns the transaction below that of indexes. */
    private Txn base() {
        return txn instanceof IndexedTxn above ? above.inner() : txn;
    }

    /** Declares that a row is in a table afterwards, and not in the predecessor of the table. */
    void move(TableLayout handle, RowKey key) {
        TableLayout table = checkWrite(handle, key);
        try {
            if (base() instanceof MigratingTxn mapped && table.before() != null) mapped.move(table, key);
        } catch (TxnTooLargeException e) {
            throw tooLarge(e);
        }
    }

    /**
     * Enters rows into an index that is being built. Waits for the memory nodes. Returns false if the attempt was
     * aborted.
     *
     * @param keys those of rows, of which some may be gone
     */
    boolean enter(TableLayout handle, IndexSchema index, List<RowKey> keys) {
        TableLayout table = checkAccess(handle);
        if (readOnly) throw writesNothing(table, index.name());
        writes = true;
        int[] accesses = new int[keys.size()];
        for (int i = 0; i < accesses.length; i++) accesses[i] = read(table, keys.get(i));
        if (!execute()) return false;
        for (int i = 0; i < accesses.length; i++)
            if (txn.found(accesses[i])) indexed.enter(table, index, keys.get(i), accesses[i]);
        try {
            if (indexed.enterAll()) return true;
        } catch (TxnTooLargeException | StoreException | UniqueViolationException | FabricException e) {
            throw ended(e);
        }
        state = State.ABORTED;
        return false;
    }

    private TableLayout checkWrite(TableHandle handle, long key) {
        TableLayout table = checkAccess(handle);
        if (readOnly) throw writesNothing(table, Long.toString(key));
        writes = true;
        return table;
    }

    private TableLayout checkWrite(TableHandle handle, RowKey key) {
        TableLayout table = checkAccess(handle);
        if (readOnly) throw writesNothing(table, key.toString());
        writes = true;
        return table;
    }

    private static IllegalStateException writesNothing(TableHandle table, String key) {
        return new IllegalStateException(
                "a read-only transaction writes nothing: table=" + table.name() + " key=" + key);
    }

    private void checkAlive() {
        check();
        if (state != State.ABORTED) return;
        if (use == Use.EXPLICIT)
            throw new IllegalStateException(
                    "the transaction was aborted, and this attempt is over: " + txn.abortReason());
        throw ConflictSignal.SIGNAL;
    }

    private TransactionTooLargeException tooLarge(TxnTooLargeException e) {
        if (!isConsistent()) checkAlive();
        giveUp();
        return new TransactionTooLargeException(e.getMessage());
    }

    // ---- for the application: execution and results

    @Override
    public boolean execute() {
        check();
        requireUnrefused();
        try {
            if (!txn.execute()) {
                state = State.ABORTED;
                return false;
            }
        } catch (TxnTooLargeException | StoreException | UniqueViolationException | FabricException e) {
            throw ended(e);
        }
        if (records != null) records.executed();
        return true;
    }

    @Override
    public boolean scan(RangeScan scan) {
        TableLayout table = checkAccess(scan.table());
        if (!execute()) return false; // what was declared is written before the scan looks at it
        if (!table.schema().isIndexed())
            throw new IllegalArgumentException(
                    "table " + table.name() + " has no index " + scan.index().name());
        try {
            if (!indexed.scan(scan, table)) {
                state = State.ABORTED;
                return false;
            }
        } catch (TxnTooLargeException | StoreException | UniqueViolationException | FabricException e) {
            throw ended(e);
        }
        if (records != null) records.executed();
        return true;
    }

    /** Takes note of what has ended a step of this attempt. Returns what the application gets. */
    private RuntimeException ended(RuntimeException e) {
        switch (e) {
            case TxnTooLargeException large -> {
                return tooLarge(large);
            }
            case UniqueViolationException taken -> {
                return duplicate(taken);
            }
            case StoreException refused -> {
                if (!isConsistent()) checkAlive();
                refusal = refused;
            }
            case FabricException broken -> failure = broken;
            default -> {}
        }
        return e;
    }

    private DuplicateKeyException duplicate(UniqueViolationException e) {
        if (!isConsistent()) checkAlive();
        giveUp();
        return new DuplicateKeyException(e.getMessage());
    }

    /**
     * Reads a page of a table; see {@link PageTxn#readPage}.
     *
     * @param into the table to which the rows of this one move, so that they come in its layout; null for none
     */
    boolean readPage(RowPage page, TableLayout into) {
        boolean isKnown = checkAccess(page.table) == page.table && (into == null || checkAccess(into) == into);
        if (!isKnown)
            throw new StoreException(
                    StoreException.Reason.MISMATCH,
                    "table " + page.table.name() + " was changed while its rows were read: begin again");
        try {
            if (into == null ? pages().readPage(page) : ((MigratingTxn) base()).readPage(page, into)) return true;
            state = State.ABORTED;
            return false;
        } catch (TxnTooLargeException | StoreException | FabricException e) {
            throw ended(e);
        }
    }

    RowKey key(int access, RowKey into) {
        return pages().key(access, into);
    }

    private PageTxn pages() {
        if (base() instanceof PageTxn paging) return paging;
        throw new UnsupportedOperationException("the protocol of the pool cannot read all rows of a table");
    }

    @Override
    public boolean isExecuted(int access) {
        checkAlive();
        return txn.isExecuted(access);
    }

    @Override
    public boolean found(int access) {
        checkAlive();
        return txn.found(access);
    }

    @Override
    public boolean writes(int access) {
        checkAlive();
        return txn.writes(access);
    }

    @Override
    public MemorySegment memory() {
        checkAlive();
        return txn.memory();
    }

    @Override
    public long value(int access) {
        checkAlive();
        return txn.value(access);
    }

    @Override
    public long version(int access) {
        checkAlive();
        return txn.version(access);
    }

    @Override
    public long bucketVersion(int access) {
        checkAlive();
        return txn.bucketVersion(access);
    }

    @Override
    public long bucket(int access) {
        checkAlive();
        return txn.bucket(access);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public AbortReason abortReason() {
        return state == State.ENDED ? abortReason : txn.abortReason();
    }

    @Override
    public String lastStep() {
        return state == State.ENDED ? lastStep : txn.lastStep();
    }

    @Override
    public int blockingSession() {
        return state == State.ENDED ? blockingSession : txn.blockingSession();
    }

    @Override
    public Outcome commit() {
        throw new IllegalStateException("whoever began the transaction commits it, when its body has returned");
    }

    @Override
    public void rollback() {
        throw new IllegalStateException("whoever began the transaction rolls it back; its body says so by its end");
    }
}
