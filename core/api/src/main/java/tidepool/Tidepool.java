package tidepool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.base.Clock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Traffic;
import tidepool.fabric.UnknownParameterException;
import tidepool.internal.PoolBridge;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.ordered.IndexedTxn;
import tidepool.protocol.ordered.OrderedIndexes;
import tidepool.protocol.record.SplitListener;
import tidepool.schema.AssembledRow;
import tidepool.schema.RecordCodec;
import tidepool.schema.Schema;
import tidepool.schema.SchemaChange;
import tidepool.spi.FieldRows;
import tidepool.spi.GrowthListener;
import tidepool.spi.Steward;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.store.TableChange;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.txn.Priority;
import tidepool.txn.RangeScan;
import tidepool.txn.TableHandle;

/**
 * A pool of memory nodes, opened by this process. Safe for use by many threads, virtual ones included.
 *
 * <pre>{@code
 * try (Tidepool pool = Tidepool.open("shm:/dev/shm/bank?nodes=3&replicas=2")) {
 *     Table<Account> accounts = pool.table("accounts", Account.class);
 *     pool.transact(tx -> {
 *         Cell<Account> from = accounts.update(tx, 17), to = accounts.update(tx, 42);
 *         if (from.get().balance() < 5) throw new Rollback("insufficient funds");
 *         from.set(from.get().plus(-5));
 *         to.set(to.get().plus(5));
 *     });
 * }
 * }</pre>
 *
 * <p>A transaction that conflicts with others is retried, with pauses, until it commits or the time is up. The next
 * transaction that meets the locks of a dead session recovers it. On shared memory any process that runs transactions
 * recovers it, within a millisecond or so.
 */
public final class Tidepool implements AutoCloseable {
    private static final String WATCH = "watch";
    private static final long DEFAULT_ROWS = 1000;
    private static final System.Logger LOG = System.getLogger("tidepool");

    static {
        PoolBridge.install(new Bridge());
    }

    private final PoolNodes nodes;
    private final Steward steward; // null if this process does not maintain the nodes
    private final Statistics statistics = new Statistics();
    private final SessionManager sessions;
    private final RecoveryRunner recoveryRunner;
    private final LivenessScan liveness; // null if this process recovers only sessions that block it
    private final CoordinatorPool coordinators;
    private final TableRegistry tables;
    private final OrderedIndexes orderedIndexes;
    private TableChanges changes;
    private PoolGrower grower;
    private final Limits limits;
    private final Transactor transactor;

    /** The room that the next transaction gets which the application retries itself. */
    private final AtomicReference<TxnRoom> neededRoom = new AtomicReference<>(TxnRoom.SMALL);

    private CommitPace pace = new CommitPace();
    private TxnContents.Maker contents = TxnContents::new;
    private Function<Tidepool, MigratingTxn> migrations = MigratingTxn::new;
    private Function<OrderedIndexes, IndexedTxn> indexedTxns = IndexedTxn::new;

    private volatile PoolListener listener = new PoolListener() {};

    private Tidepool(
            PoolNodes nodes, Steward steward, boolean watches, PoolOptions options, Protocol protocol, Limits limits) {
        this.nodes = nodes;
        this.steward = steward;
        this.limits = limits;
        sessions = new SessionManager(nodes, options, protocol, limits.timeoutNanos(), this::recovered);
        recoveryRunner = new RecoveryRunner(sessions, this::noticed);
        liveness = watches ? new LivenessScan(sessions, recoveryRunner) : null;
        coordinators = new CoordinatorPool(sessions, statistics);
        tables = new TableRegistry(sessions);
        orderedIndexes = new OrderedIndexes(tables::indexNodes, tables::generation);
        statistics.indexes(orderedIndexes.counts());
        changes = new TableChanges(sessions);
        grower = new PoolGrower(sessions);
        if (!nodes.fabric().revokesLiving()) GivingWay.start(sessions);
        transactor = new Transactor(this, limits);
        if (protocol.caveat() != null)
            LOG.log(System.Logger.Level.WARNING, "protocol {0} is unsafe: {1}", protocol.name(), protocol.caveat());
    }

    /**
     * Opens a pool by its URL; makes the pool if it does not exist. {@code timeout=2s} and {@code attempts=5} limit how
     * long and how often a transaction is tried. Without them it is tried for ten seconds, with any number of attempts.
     * With {@code watch=off} this process does not search for dead sessions while it runs transactions, and recovers
     * only those that block it.
     */
    public static Tidepool open(String url) {
        if (url == null)
            throw new NullPointerException(
                    "a pool has a URL: mem:, shm:PATH, tcp://HOST:PORT/NAME, zk://HOST/NAME or sim:SEED");
        FabricUrl parsed = FabricUrl.parse(url);
        requireScheme(parsed);
        if (parsed.has("protocol")) Protocols.of(parsed); // before anything is made with a wrong protocol
        try {
            return open(parsed);
        } catch (UnknownParameterException e) {
            throw e.in(url, ownParameters(parsed));
        }
    }

    private static void requireScheme(FabricUrl url) {
        List<String> known = new ArrayList<>(Fabric.schemes());
        known.addAll(Membership.schemes());
        String scheme = url.scheme() + ":";
        if (known.contains(scheme) || scheme.equals("zk:")) return; // zk: without its library has its own message
        throw Fabric.unknown(url, known);
    }

    /** Returns the parameters that are not passed to a fabric or membership. */
    private static List<String> ownParameters(FabricUrl url) {
        List<String> own = new ArrayList<>(PoolOptions.NAMES);
        own.addAll(Limits.NAMES);
        own.add(WATCH);
        own.addAll(Protocols.switches(url));
        return own;
    }

    private static Tidepool open(FabricUrl parsed) {
        FabricUrl withoutLimits =
                parsed.without(Limits.NAMES).without(List.of(WATCH)).without(Protocols.ownParameters());
        Membership membership = Membership.open(withoutLimits);
        if (membership != null) return open(membership, parsed);
        PoolOptions options = PoolOptions.of(parsed);
        Limits limits = Limits.of(parsed);
        Protocol protocol = Protocols.of(parsed);
        boolean watches = parsed.flag(WATCH, true);
        Fabric fabric = Fabric.open(withoutLimits.without(PoolOptions.NAMES).text());
        return open(PoolNodes.fixed(fabric, true), null, watches, options, protocol, limits)
                .requireAsked(parsed);
    }

    private Tidepool requireAsked(FabricUrl asked) {
        try {
            sessions.retryAfterFabricFailure(() -> {
                sessions.catalog().requireAsked(asked);
                return null;
            });
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Tidepool open(
            PoolNodes nodes, Steward steward, boolean watches, PoolOptions options, Protocol protocol, Limits limits) {
        try {
            boolean shared = nodes.fabric().isShared();
            Tidepool pool = new Tidepool(nodes, steward, watches && shared, options, protocol, limits);
            if (pool.liveness != null) pool.recoveryRunner.rehearse();
            // A session that died idle left no lock that a transaction would meet, but a claimed coordinator that
            // others may need.
            pool.recoverAll();
            return pool;
        } catch (RuntimeException e) {
            if (steward != null) steward.close();
            nodes.close();
            throw e;
        }
    }

    private static Tidepool open(Membership membership, FabricUrl asked) {
        try {
            FabricUrl url = membership.complete(asked);
            Limits limits = Limits.of(url);
            boolean watches = url.flag(WATCH, true);
            PoolOptions options = PoolOptions.of(url);
            Protocol protocol = Protocols.of(url);
            return open(membership, true, watches, options, protocol, limits, Steward.Pace.USUAL, Steward::start)
                    .requireAsked(url)
                    .requireAsked(asked);
        } catch (RuntimeException e) {
            membership.close();
            throw e;
        }
    }

    /**
     * Opens a pool whose memory nodes can join and leave, with a steward that maintains them. Pool and steward share
     * membership and protocol. Real and simulated pools are both composed here.
     *
     * @param start runs the steward in parallel to the pool
     */
    private static Tidepool open(
            Membership membership,
            boolean owned,
            boolean watches,
            PoolOptions options,
            Protocol protocol,
            Limits limits,
            Steward.Pace pace,
            Consumer<Steward> start) {
        Steward steward = new Steward(membership, options, protocol, pace);
        PoolNodes nodes;
        try {
            start.accept(steward);
            nodes = PoolNodes.of(membership, owned, Clock.current().nowNanos() + limits.timeoutNanos());
        } catch (RuntimeException e) {
            steward.close();
            throw e;
        }
        nodes.whenFailed(steward::alarm);
        return open(nodes, steward, watches, options, protocol, limits);
    }

    private static Tidepool open(
            Membership membership, PoolOptions options, Protocol protocol, Steward.Pace pace, Consumer<Steward> start) {
        return open(membership, false, true, options, protocol, Limits.DEFAULT, pace, start);
    }

    private static Tidepool open(Membership membership, PoolOptions options, Protocol protocol) {
        long deadline = Clock.current().nowNanos() + Limits.DEFAULT.timeoutNanos();
        return new Tidepool(PoolNodes.of(membership, false, deadline), null, false, options, protocol, Limits.DEFAULT);
    }

    private static Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol) {
        return new Tidepool(PoolNodes.fixed(fabric, false), null, false, options, protocol, Limits.DEFAULT);
    }

    // ---- tables

    /**
     * Returns the table with this name, whatever its room; makes it with room for a thousand records if the pool has
     * none.
     */
    public <T extends Record> Table<T> table(String name, Class<T> type) {
        Schema schema = Schema.of(name, type);
        return table(type, tables.openOfAnySize(schema, DEFAULT_ROWS));
    }

    /**
     * Returns the table with this name; makes it with room for {@code rows} records if the pool has none. A table that
     * was made with other room is a {@link StoreException}.
     */
    public <T extends Record> Table<T> table(String name, Class<T> type, long rows) {
        Schema schema = Schema.of(name, type);
        return table(type, tables.open(schema, rows));
    }

    private <T extends Record> Table<T> table(Class<T> type, TableLayout layout) {
        int generation = tables.generation();
        RecordCodec<T> codec = RecordCodec.of(type, layout.schema());
        return new Table<>(this, new Table.Binding<>(layout, codec, tables.contents(layout), generation));
    }

    /**
     * Returns a table without a record class, for the API on fields; see {@link #table(String, Class, long)} about its
     * room.
     */
    public TableHandle table(Schema schema, long rows) {
        return tables.open(schema, rows);
    }

    /** Returns a table of the pool; an unknown name is a {@link StoreException}. For the API on fields. */
    public TableHandle table(String name) {
        return tables.find(name);
    }

    /** Returns all tables of the pool. */
    public List<TableHandle> tables() {
        return tables.all().stream()
                .filter(each -> !each.schema().isHidden())
                .<TableHandle>map(each -> each)
                .toList();
    }

    /**
     * Ends a table: its rows are gone, and its memory can be used by others. Handles of the table are refused from then
     * on. This is no part of a transaction. It interrupts all sessions of the pool for a moment, and transactions that
     * were running are tried again. Waits until the memory is clean.
     */
    public void drop(String table) {
        TableLayout known = tables.find(table);
        migration(known).dropUnused();
        changes.make("dropping table " + table, change -> change.drop(known));
    }

    /** Deletes all rows of a table at once; as {@link #drop}, but the table stays, and so do its handles. */
    public void truncate(String table) {
        TableLayout known = tables.find(table);
        changes.make("truncating table " + table, change -> change.truncate(known));
    }

    /**
     * Gives a table another name. Handles of the table are refused from then on, and say the new name. As
     * {@link #drop}, this interrupts all sessions of the pool for a moment.
     */
    public void rename(String table, String name) {
        TableLayout known = tables.find(table);
        migration(known).dropUnused();
        changes.make("renaming table " + table, change -> change.rename(known, name));
    }

    /**
     * Gives a table another schema by which its rows have the same bytes: attributes, which correspond by their order,
     * have other names, or enums have more constants after their last. Any other schema is refused, with both.
     *
     * <p>Open {@link Table}s go on with their record class, and read rows of new constants with an exception. A program
     * that opens the table from then on needs a class of the new schema. As {@link #drop}, this interrupts all sessions
     * of the pool for a moment.
     *
     * <pre>{@code
     * pool.alter("accounts", Schema.of("accounts", AccountWithOtherNames.class));
     * }</pre>
     */
    public void alter(String table, Schema schema) {
        migration(tables.find(table)).finish((_, _) -> {});
        TableLayout known = tables.find(table);
        boolean keeps = TableChange.keepsBytes(known.schema(), schema);
        Schema next = keeps ? schema.withIndexesOf(known.schema()) : schema;
        changes.make("altering table " + table, change -> change.alter(known, next));
    }

    /**
     * Gives each copy of a partition more memory, so that tables can grow on: {@code memory} of the URL, in bytes. The
     * memory nodes need room for the new copies next to the old ones; if one has none, nothing is changed. Does nothing
     * if the pool has that size. As {@link #drop}, this interrupts all sessions of the pool, for as long as it takes to
     * copy what tables have.
     */
    public void grow(long memory) {
        grower.grow(memory, new GrowthListener() {});
    }

    /**
     * Adds, drops and widens attributes of a table, while programs use it. Waits until all rows have the new layout.
     *
     * <pre>{@code
     * pool.alter("accounts", new SchemaChange().add("level", AttributeType.INT, "3"));
     * }</pre>
     *
     * <p>Open {@link Table}s go on if their record class fits the new schema by the names of its attributes; {@code
     * docs/guide/schema.md} has the rules. Others are refused, and handles on fields too, with both schemas. As {@link
     * #drop}, this interrupts all sessions of the pool for a moment, twice.
     *
     * <p>If the process dies, the change has happened or not, and rows that have not moved yet are read as before. The
     * next {@code alter} of the table, also with a change that changes nothing, moves them.
     */
    public void alter(String table, SchemaChange change) {
        alter(table, change, (_, _) -> {});
    }

    /**
     * Adds, drops and widens attributes of a table, and tells how far it is, now and then.
     *
     * <pre>{@code
     * pool.alter("accounts", change, (moved, part) -> System.out.println("moved=" + moved));
     * }</pre>
     */
    public void alter(String table, SchemaChange change, AlterListener progress) {
        migration(tables.find(table)).alter(change, progress);
    }

    private TableMigration migration(TableLayout table) {
        return new TableMigration(this, table.name());
    }

    /** Returns how large a table is. Reads all of it, next to transactions that change it. */
    public TableSize size(String table) {
        TableLayout known = tables.find(table);
        TableSize size = sizeOf(known);
        return known.before() == null ? size : size.plus(sizeOf(known.before()));
    }

    private TableSize sizeOf(TableLayout known) {
        return TableSize.of(known, sessions.retryAfterFabricFailure(() -> sessions.usage(known, Long.MAX_VALUE)));
    }

    /**
     * Returns an iteration of all rows of a table, on fields; {@link RowPages} says what it sees.
     *
     * @param rows the number of rows of a page, 1 to 10,000; a page may have some more or less
     */
    public <R> RowPages<R> pages(TableHandle table, int rows, RowReader<R> reader) {
        TableLayout layout = tables.require(table);
        ContentTables parts = tables.contents(layout);
        if (parts == null) return RowPages.ofFields(this, layout, rows, reader);
        if (reader == null) throw new NullPointerException("a reader of rows is needed: table=" + table.name());
        AssembledRow row = new AssembledRow(layout.schema());
        boolean isLong = layout.schema().key().isLong();
        return new RowPages<>(this, layout, rows, parts, (transaction, key, access) -> {
            transaction.contents().assemble(parts, key.word(), isLong ? null : key.copy(), access, row);
            return reader.read(key, row.memory(), 0);
        });
    }

    /**
     * Returns a loader of many rows, on fields; {@link TableLoader} says how it commits them.
     *
     * @param writer makes keys and values of the objects that are added
     */
    public <R> TableLoader<R> loader(TableHandle table, RowWriter<R> writer) {
        return TableLoader.ofFields(this, onFields(tables.require(table)), writer);
    }

    /** Returns a table without a record class. Waits for the catalog. */
    private Table<?> onFields(TableLayout table) {
        int generation = tables.generation();
        return new Table<>(this, new Table.Binding<>(table, null, tables.contents(table), generation));
    }

    // ---- sequences and counters

    /**
     * Returns the sequence of a name, which begins with 1 if the pool has none. Its numbers are drawn from the pool in
     * blocks of a thousand.
     */
    public Sequence sequence(String name) {
        return sequence(name, Sequence.BLOCK);
    }

    /**
     * Returns the sequence of a name.
     *
     * @param block how many numbers are drawn from the pool at once, 1 to 1,000,000; up to this number is lost if a
     *     process dies
     */
    public Sequence sequence(String name, int block) {
        return new Sequence(this, table(Sequence.TABLE, Sequence.Row.class, Sequence.ROWS), name, block);
    }

    /** Returns the counter of a name, to which transactions add without conflicts. It begins with 0. */
    public StripedCounter counter(String name) {
        int stripes = Math.min(sessions.coordinatorsOfPool(), StripedCounter.MAX_STRIPES);
        return new StripedCounter(
                this, table(StripedCounter.TABLE, StripedCounter.Stripe.class, StripedCounter.ROWS), name, stripes);
    }

    // ---- transactions

    /**
     * Runs a transaction until it commits. An exception of the body, checked or not, rolls it back and is thrown here.
     * See {@link Transactor} for what happens on conflicts.
     */
    public <X extends Exception> void transact(TransactionBody<X> body) throws X {
        transactor.transact(body);
    }

    /**
     * Runs a transaction until it commits, with a priority among transactions that wait for the same locks. The
     * priority has no effect under a protocol without lock queues. See {@link Priority}.
     */
    public <X extends Exception> void transact(Priority priority, TransactionBody<X> body) throws X {
        transactor.with(priority).transact(body);
    }

    /** Runs a transaction with a priority and a result. The body may run several times. */
    public <R, X extends Exception> R compute(Priority priority, TransactionFunction<R, X> body) throws X {
        return transactor.with(priority).compute(body);
    }

    /** Returns a transactor of another priority than normal. */
    public Transactor with(Priority priority) {
        return transactor.with(priority);
    }

    /** Runs a transaction with a result. The body may run several times. */
    public <R, X extends Exception> R compute(TransactionFunction<R, X> body) throws X {
        return transactor.compute(body);
    }

    /**
     * Runs a transaction that only reads: all it reads existed at one moment. It takes no locks. A body that declares a
     * write ends with an {@link IllegalStateException} before any verb is sent for it.
     */
    public <R, X extends Exception> R read(TransactionFunction<R, X> body) throws X {
        return transactor.read(body);
    }

    /** Returns a transactor with another time-out than the pool's. */
    public Transactor within(Duration timeout) {
        return transactor.within(timeout);
    }

    /** Returns a transactor with at most {@code max} attempts. */
    public Transactor attempts(int max) {
        return transactor.attempts(max);
    }

    /**
     * Returns a worker of the calling thread or strand, for transactions on fields, which allocate nothing. Waits for a
     * coordinator.
     */
    public Worker worker() {
        return transactor.worker();
    }

    /**
     * Begins a transaction that the caller commits or rolls back. It is not retried: on a conflict
     * {@link Transaction#commit} returns false, and a read ends with a {@link ConflictException}. Waits for a
     * coordinator.
     */
    public Transaction begin() {
        return begin(false);
    }

    /** Begins a transaction that only reads, as in {@link #read}, and that the caller ends. Waits for a coordinator. */
    public Transaction beginReadOnly() {
        return begin(true);
    }

    AtomicReference<TxnRoom> neededRoom() {
        return neededRoom;
    }

    private Transaction begin(boolean readOnly) {
        scanForDeadSessions();
        RetryLoop retries = new RetryLoop(this, limits);
        retries.start(readOnly, limits.priority());
        retries.startClock();
        retries.room(neededRoom.getAndSet(TxnRoom.SMALL));
        while (true) {
            int used = sessions.number();
            try {
                return new Transaction(this, retries, TxnAttempt.Use.EXPLICIT);
            } catch (FabricException e) {
                retries.failed(used, e);
            }
            retries.pause();
        }
    }

    /**
     * Returns whether a transaction whose outcome was unknown has committed. Returns null while that is not known, and
     * again once the pool has recorded a thousand later outcomes. Waits for the recovery of the session under which it
     * ran, if that is a session of this process.
     */
    public Boolean resolve(long txn) {
        return sessions.outcome(txn);
    }

    // ---- recovery

    /**
     * Recovers a session if it is dead, and waits for that. Returns null if it lives, or another recoverer is at work.
     */
    public RecoveryReport recoverIfDead(int number) {
        if (number == 0 || number == sessions.number() || !sessions.isOver(number)) return null;
        Recovery.Report report = recoveryRunner.recover(number);
        return report == null ? null : RecoveryReport.of(report);
    }

    /** Recovers every dead session that left something; returns how many. */
    public int recoverAll() {
        return sessions.recoverAll();
    }

    private void noticed(int deadSession) {
        listener.noticed(deadSession);
    }

    private void recovered(Recovery.Report report) {
        statistics.recovered();
        listener.recovered(RecoveryReport.of(report));
    }

    // ---- internals

    SessionManager sessions() {
        return sessions;
    }

    RecoveryRunner recoveryRunner() {
        return recoveryRunner;
    }

    /** Called before a transaction: recovers a dead session, if this process searches for them and it is time to. */
    void scanForDeadSessions() {
        if (liveness != null) liveness.scanForDeadSessions();
    }

    CoordinatorPool coordinators() {
        return coordinators;
    }

    CommitPace pace() {
        return pace;
    }

    /** Replaces the rule for pauses, before the first transaction. For tests. */
    void pace(CommitPace other) {
        pace = other;
    }

    TxnContents.Maker contents() {
        return contents;
    }

    /** Replaces the layer of long contents, for planted bugs. */
    void contents(TxnContents.Maker other) {
        contents = other;
    }

    /** Replaces the way in which tables are changed. For tests. */
    void changes(TableChanges other) {
        changes = other;
    }

    /** Replaces the way in which the pool grows. For tests. */
    void grower(PoolGrower other) {
        grower = other;
    }

    TableRegistry knownTables() {
        return tables;
    }

    TableChanges changes() {
        return changes;
    }

    /** Makes the layer that maps accesses to tables whose rows move. */
    MigratingTxn migrating() {
        return migrations.apply(this);
    }

    /** Returns the indexes of the pool as this process knows them. */
    OrderedIndexes orderedIndexes() {
        return orderedIndexes;
    }

    /** Makes the layer of an attempt that maintains indexes. */
    IndexedTxn newIndexed() {
        return indexedTxns.apply(orderedIndexes);
    }

    /** Replaces that layer, for planted bugs. */
    void indexedTxns(Function<OrderedIndexes, IndexedTxn> other) {
        indexedTxns = other;
    }

    /** Replaces the layer that maps accesses, for planted bugs. */
    void migrations(Function<Tidepool, MigratingTxn> other) {
        migrations = other;
    }

    PoolListener listener() {
        return listener;
    }

    // ---- accessors

    /** Returns the traffic of all transactions of this process so far. */
    public TrafficCounts traffic() {
        return TrafficCounts.of(coordinators.traffic());
    }

    /** Returns commits, aborts by reason, recoveries. */
    public Statistics statistics() {
        return statistics;
    }

    /**
     * Sets the listener for recoveries, and replaces the one before. It is called in the thread in which they happen.
     */
    public void setListener(PoolListener newListener) {
        if (newListener == null) throw new NullPointerException("a listener is needed");
        listener = newListener;
    }

    /** Returns the current session of this process; a failure of the fabric replaces it. */
    public int sessionNumber() {
        return sessions.number();
    }

    /**
     * Leaves the pool. Transactions that other threads are still running end with a {@link PoolClosedException}, or
     * with an {@link UnknownOutcomeException} if they were committing, and leave no lock. Closing twice does nothing.
     */
    @Override
    public void close() {
        if (!sessions.startClosing()) return;
        boolean clean = coordinators.close();
        sessions.close(!clean);
        if (steward != null) steward.close();
        nodes.close();
    }

    /** The members that {@code tidepool.spi} offers. */
    private static final class Bridge extends PoolBridge {
        @Override
        public Tidepool open(
                Membership membership,
                PoolOptions options,
                Protocol protocol,
                Steward.Pace pace,
                Consumer<Steward> start) {
            return Tidepool.open(membership, options, protocol, pace, start);
        }

        @Override
        public Tidepool open(Membership membership, PoolOptions options, Protocol protocol) {
            return Tidepool.open(membership, options, protocol);
        }

        @Override
        public Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol) {
            return Tidepool.open(fabric, options, protocol);
        }

        @Override
        public Fabric fabric(Tidepool pool) {
            return pool.nodes.fabric();
        }

        @Override
        public Roster roster(Tidepool pool) {
            return pool.nodes.roster();
        }

        @Override
        public Traffic traffic(Tidepool pool) {
            return pool.coordinators.traffic();
        }

        @Override
        public Traffic traffic(Worker worker) {
            return worker.traffic();
        }

        @Override
        public TableUsage usage(Tidepool pool, TableHandle handle, long buckets) {
            TableLayout table = pool.tables.require(handle);
            return pool.sessions.retryAfterFabricFailure(() -> pool.sessions.usage(table, buckets));
        }

        @Override
        public List<TableLayout> layoutsWithParts(Tidepool pool, TableHandle handle) {
            TableLayout table = pool.tables.require(handle);
            List<TableLayout> all = new ArrayList<>(List.of(table));
            all.addAll(pool.tables.hidden(table));
            TableLayout nodes = pool.tables.indexNodes(table);
            if (nodes != null) all.add(nodes);
            return all;
        }

        @Override
        public FieldRows fieldRows(Tidepool pool, TableHandle handle) {
            return new ContentRows(pool, pool.onFields(pool.tables.require(handle)));
        }

        @Override
        public void splitListener(Tidepool pool, SplitListener listener) {
            pool.coordinators.splitListener(listener);
        }

        @Override
        public void grow(Tidepool pool, long memory, GrowthListener listener) {
            pool.grower.grow(memory, listener);
        }

        @Override
        public long memory(Tidepool pool) {
            return pool.sessions.retryAfterFabricFailure(
                    () -> pool.sessions.catalog().partitionBytes());
        }

        @Override
        public void scan(Transaction transaction, RangeScan range) {
            transaction.scan(range);
        }

        @Override
        public long historyTick(Tidepool pool) {
            return pool.sessions.retryAfterFabricFailure(
                    () -> pool.sessions.catalog().historyTick());
        }
    }
}
