package tidepool;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.base.Clock;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Traffic;
import tidepool.protocol.Priority;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;
import tidepool.store.TableUse;
import tidepool.store.schema.RecordCodec;
import tidepool.store.schema.Schema;

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
 * <p>A transaction that meets others is tried again, with pauses, until it commits or the time is up. A session that
 * died is recovered by whoever meets what it left; on shared memory by whoever runs transactions, within a millisecond or
 * so.
 */
public final class Tidepool implements AutoCloseable {
    private static final String WATCH = "watch";
    private static final long DEFAULT_ROWS = 1000;
    private static final System.Logger LOG = System.getLogger("tidepool");

    private final Nodes nodes;
    private final Steward steward; // null if this process does not care for the nodes
    private final Statistics statistics = new Statistics();
    private final Sessions sessions;
    private final Recoveries recoveries;
    private final Watch watch; // null if this process recovers only those whom it meets
    private final Coordinators coordinators;
    private final Tables tables;
    private final Limits limits;
    private final Transactor transactor;
    private CommitPace pace = new CommitPace();

    private volatile PoolListener listener = new PoolListener() {};

    private Tidepool(
            Nodes nodes, Steward steward, boolean watches, PoolOptions options, Protocol protocol, Limits limits) {
        this.nodes = nodes;
        this.steward = steward;
        this.limits = limits;
        sessions = new Sessions(nodes, options, protocol, limits.timeoutNanos(), this::recovered);
        recoveries = new Recoveries(sessions, this::noticed);
        watch = watches ? new Watch(sessions, recoveries) : null;
        coordinators = new Coordinators(sessions, statistics);
        tables = new Tables(sessions);
        transactor = new Transactor(this, limits);
        if (protocol.caveat() != null)
            LOG.log(System.Logger.Level.WARNING, "protocol {0} is unsafe: {1}", protocol.name(), protocol.caveat());
    }

    /**
     * Opens a pool by its URL; one that does not exist is made. {@code timeout=2s} and {@code attempts=5} limit how long
     * and how often a transaction is tried; without them it is ten seconds, and as often as that takes. With
     * {@code watch=off} this process does not look for the dead while it runs transactions, and recovers only those whom
     * it meets.
     */
    public static Tidepool open(String url) {
        if (url == null)
            throw new NullPointerException(
                    "a pool has a URL: mem:, shm:PATH, tcp://HOST:PORT/NAME, zk://HOST/NAME or sim:SEED");
        FabricUrl parsed = FabricUrl.parse(url);
        if (parsed.has("protocol")) Protocols.of(parsed); // before anything is made of what is wrong
        FabricUrl withoutLimits =
                parsed.without(Limits.NAMES).without(List.of(WATCH)).without(Protocols.ownParameters());
        Membership membership = Membership.open(withoutLimits);
        if (membership != null) return open(membership, membership.complete(parsed));
        PoolOptions options = PoolOptions.of(parsed);
        Limits limits = Limits.of(parsed);
        Protocol protocol = Protocols.of(parsed);
        boolean watches = parsed.flag(WATCH, true);
        Fabric fabric = Fabric.open(withoutLimits.without(PoolOptions.NAMES).text());
        return open(Nodes.fixed(fabric, true), null, watches, options, protocol, limits)
                .requireAsked(parsed);
    }

    private Tidepool requireAsked(FabricUrl asked) {
        try {
            sessions.mending(() -> {
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
            Nodes nodes, Steward steward, boolean watches, PoolOptions options, Protocol protocol, Limits limits) {
        try {
            boolean shared = nodes.fabric().isShared();
            Tidepool pool = new Tidepool(nodes, steward, watches && shared, options, protocol, limits);
            if (pool.watch != null) pool.recoveries.rehearse();
            // Who died idle left no lock that anybody would meet, but a coordinator's place that others may need.
            pool.recoverAll();
            return pool;
        } catch (RuntimeException e) {
            if (steward != null) steward.close();
            nodes.close();
            throw e;
        }
    }

    private static Tidepool open(Membership membership, FabricUrl url) {
        try {
            Limits limits = Limits.of(url);
            boolean watches = url.flag(WATCH, true);
            PoolOptions options = PoolOptions.of(url);
            Protocol protocol = Protocols.of(url);
            return open(membership, true, watches, options, protocol, limits, Steward.Pace.USUAL, Steward::start)
                    .requireAsked(url);
        } catch (RuntimeException e) {
            membership.close();
            throw e;
        }
    }

    /**
     * A pool whose memory nodes come and go, with a steward that cares for them. Both have the same membership and protocol:
     * the one way in which real and simulated pools are put together.
     *
     * @param start runs the steward beside the pool
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
        Nodes nodes;
        try {
            start.accept(steward);
            nodes = Nodes.of(membership, owned, Clock.current().nowNanos() + limits.timeoutNanos());
        } catch (RuntimeException e) {
            steward.close();
            throw e;
        }
        nodes.whenFailed(steward::alarm);
        return open(nodes, steward, watches, options, protocol, limits);
    }

    /**
     * Opens a pool whose memory nodes come and go as a URL does, with a membership that stays open. In a simulation, from
     * inside a strand.
     *
     * @param start runs the steward beside the pool, such as in a strand of the same machine
     */
    public static Tidepool open(
            Membership membership, PoolOptions options, Protocol protocol, Steward.Pace pace, Consumer<Steward> start) {
        return open(membership, false, true, options, protocol, Limits.DEFAULT, pace, start);
    }

    /**
     * Opens a pool whose memory nodes come and go without a steward: another process cares for them, and closes the
     * membership. In a simulation, from inside a strand.
     */
    public static Tidepool open(Membership membership, PoolOptions options, Protocol protocol) {
        long deadline = Clock.current().nowNanos() + Limits.DEFAULT.timeoutNanos();
        return new Tidepool(Nodes.of(membership, false, deadline), null, false, options, protocol, Limits.DEFAULT);
    }

    /** Opens the pool of a fabric that is open already and stays so. In a simulation, from inside a strand. */
    public static Tidepool open(Fabric fabric, PoolOptions options) {
        return open(fabric, options, Protocols.named(options.protocol()));
    }

    /** The same, with a protocol that is given. */
    public static Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol) {
        return new Tidepool(Nodes.fixed(fabric, false), null, false, options, protocol, Limits.DEFAULT);
    }

    // ---- tables

    /** The table of that name with the room that it has; made with room for a thousand records if the pool has none. */
    public <T extends Record> Table<T> table(String name, Class<T> type) {
        Schema schema = Schema.of(name, type);
        return new Table<>(tables.openOfAnySize(schema, DEFAULT_ROWS), RecordCodec.of(type, schema));
    }

    /**
     * The table of that name; made with room for {@code rows} records if the pool has none. A table that was made with other
     * room is a {@link StoreException}.
     */
    public <T extends Record> Table<T> table(String name, Class<T> type, long rows) {
        Schema schema = Schema.of(name, type);
        return new Table<>(table(schema, rows), RecordCodec.of(type, schema));
    }

    /** A table without a record class, for the API on fields; see {@link #table(String, Class, long)} about its room. */
    public TableInfo table(Schema schema, long rows) {
        return tables.open(schema, rows);
    }

    /** A table that the pool has; a name that it does not have is a {@link StoreException}. For the API on fields. */
    public TableInfo table(String name) {
        return tables.find(name);
    }

    /** All tables of the pool. */
    public List<TableInfo> tables() {
        return tables.all();
    }

    /**
     * What lies in so many buckets of each partition of a table: rows, tombstones, versions, and which attributes were changed how
     * often, as far as versions tell. It reads beside all transactions and waits for none. Waits.
     */
    public TableUse use(TableInfo table, long buckets) {
        tables.require(table);
        return sessions.mending(() -> sessions.use(table, buckets));
    }

    // ---- transactions

    /**
     * Runs a transaction until it commits. What the body throws rolls it back and comes out here. See {@link Transactor}
     * for what happens when it meets others.
     */
    public void transact(Consumer<Transaction> body) {
        transactor.transact(body);
    }

    /**
     * The same with a priority towards others that wait for the same locks; where a protocol has no line to wait in it means
     * nothing. See {@link Priority}.
     */
    public void transact(Priority priority, Consumer<Transaction> body) {
        transactor.with(priority).transact(body);
    }

    /** The same, with a result. The body may run several times. */
    public <R> R compute(Priority priority, Function<Transaction, R> body) {
        return transactor.with(priority).compute(body);
    }

    /** Transactions of another priority than normal. */
    public Transactor with(Priority priority) {
        return transactor.with(priority);
    }

    /** Runs a transaction with a result. The body may run several times. */
    public <R> R compute(Function<Transaction, R> body) {
        return transactor.compute(body);
    }

    /**
     * Runs a transaction that only reads: what it sees was all there at one moment. It takes no locks, and a body that
     * wants to write ends with an {@link IllegalStateException} before anything was sent for it.
     */
    public <R> R read(Function<Transaction, R> body) {
        return transactor.read(body);
    }

    /** Transactions with another time-out than the pool's. */
    public Transactor within(Duration timeout) {
        return transactor.within(timeout);
    }

    /** Transactions with at most so many attempts. */
    public Transactor attempts(int most) {
        return transactor.attempts(most);
    }

    /** For the calling thread or strand: transactions on fields, which allocate nothing. Waits. */
    public Worker worker() {
        return transactor.worker();
    }

    /**
     * Begins a transaction that the caller commits or rolls back. Nobody tries it again: when it meets others,
     * {@link Transaction#commit} says false, and a read ends with a {@link ConflictException}. Waits.
     */
    public Transaction begin() {
        return begin(false);
    }

    /** The same for a transaction that only reads, as in {@link #read}. */
    public Transaction beginReadOnly() {
        return begin(true);
    }

    private Transaction begin(boolean readOnly) {
        lookAround();
        Tries tries = new Tries(this, limits);
        tries.start(readOnly, limits.priority());
        tries.startClock();
        while (true) {
            int used = sessions.number();
            try {
                return new Transaction(this, tries, Attempt.Use.EXPLICIT);
            } catch (FabricException e) {
                tries.failed(used, e);
            }
            tries.pause();
        }
    }

    /**
     * Whether a transaction whose outcome was unknown has happened; null while it is not known, and from then on when
     * the pool has recorded a thousand later outcomes. Waits for the recovery of the session in whose name it ran, if
     * that is one of ours.
     */
    public Boolean resolve(long txn) {
        return sessions.outcome(txn);
    }

    // ---- recovery

    /** Recovers a session if it is dead. Waits. Null if it lives, or somebody else is at it. */
    public Recovery.Report recoverIfDead(int number) {
        if (number == 0 || number == sessions.number() || !sessions.isOver(number)) return null;
        return recoveries.recover(number);
    }

    /** Recovers every dead session that left something. */
    public int recoverAll() {
        return sessions.recoverAll();
    }

    private void noticed(int deadSession) {
        listener.noticed(deadSession);
    }

    private void recovered(Recovery.Report report) {
        statistics.recovered();
        listener.recovered(report);
    }

    // ---- inside

    Sessions sessions() {
        return sessions;
    }

    Recoveries recoveries() {
        return recoveries;
    }

    /** Before a transaction: recovers the dead, if it is time to look for them and this process does. */
    void lookAround() {
        if (watch != null) watch.lookAround();
    }

    Coordinators coordinators() {
        return coordinators;
    }

    CommitPace pace() {
        return pace;
    }

    /** Replaces the rule for pauses, before the first transaction. For tests. */
    void pace(CommitPace other) {
        pace = other;
    }

    Tables knownTables() {
        return tables;
    }

    PoolListener listener() {
        return listener;
    }

    // ---- asking

    /** What all coordinators of this process have sent. */
    public Traffic traffic() {
        return coordinators.traffic();
    }

    /** Commits, aborts by reason, recoveries. */
    public Statistics statistics() {
        return statistics;
    }

    /** Tells about recoveries from now on, in the thread in which they happen; replaces the listener before it. */
    public void listen(PoolListener newListener) {
        if (newListener == null) throw new NullPointerException("a listener is needed");
        listener = newListener;
    }

    /** The memory nodes of today, and what each holds; null if they never change. */
    public Roster roster() {
        return nodes.roster();
    }

    /** The fabric that carries this pool. */
    public Fabric fabric() {
        return nodes.fabric();
    }

    /** The session in which this process takes part now; a failure of the fabric replaces it. */
    public int sessionNumber() {
        return sessions.number();
    }

    /** The next number of the pool's clock that orders recorded events of all processes; some may be left out. */
    public long tick() {
        return sessions.mending(() -> sessions.catalog().tick());
    }

    /**
     * Leaves the pool. Transactions that other threads are still running end with a {@link PoolClosedException}, or with an
     * {@link UnknownOutcomeException} if they were committing, and leave no lock. Closing twice does nothing.
     */
    @Override
    public void close() {
        if (!sessions.startClosing()) return;
        boolean clean = coordinators.close();
        sessions.close(!clean);
        if (steward != null) steward.close();
        nodes.close();
    }
}
