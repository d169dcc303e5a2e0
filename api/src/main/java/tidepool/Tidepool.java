package tidepool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Traffic;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.protocol.Txn;
import tidepool.store.PoolOptions;
import tidepool.store.TableInfo;
import tidepool.store.TxnId;
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
 * died is recovered by whoever meets what it left.
 */
public final class Tidepool implements AutoCloseable {
    private static final long DEFAULT_TIMEOUT_NANOS = 10_000_000_000L;
    private static final long LEAST_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;

    private final Fabric fabric;
    private final boolean ownsFabric;
    private final Map<String, TableInfo> tables = new ConcurrentHashMap<>();
    private final Statistics statistics = new Statistics();
    private final Sessions sessions;
    private final Coordinators coordinators;
    private final long timeoutNanos;
    private volatile PoolListener listener = new PoolListener() {};

    private Tidepool(Fabric fabric, boolean ownsFabric, PoolOptions options, Protocol protocol, long timeoutNanos) {
        this.fabric = fabric;
        this.ownsFabric = ownsFabric;
        this.timeoutNanos = timeoutNanos;
        sessions = new Sessions(fabric, options, protocol, timeoutNanos, this::recovered);
        coordinators = new Coordinators(sessions, timeoutNanos);
    }

    /** Opens a pool by its URL; one that does not exist is made. */
    public static Tidepool open(String url) {
        FabricUrl parsed = FabricUrl.parse(url);
        PoolOptions options = PoolOptions.of(parsed);
        Protocol protocol = Protocols.of(parsed);
        Fabric fabric = Fabric.open(parsed.without(PoolOptions.NAMES)
                .without(Protocols.parameters())
                .text());
        try {
            Tidepool pool = new Tidepool(fabric, true, options, protocol, DEFAULT_TIMEOUT_NANOS);
            // Who died idle left no lock that anybody would meet, but a coordinator's place that others may need.
            pool.recoverAll();
            return pool;
        } catch (RuntimeException e) {
            fabric.close();
            throw e;
        }
    }

    /** Opens the pool of a fabric that is open already and stays so. In a simulation, from inside a strand. */
    public static Tidepool open(Fabric fabric, PoolOptions options) {
        return open(fabric, options, Protocols.named(options.protocol()));
    }

    /** The same, with a protocol that is given. */
    public static Tidepool open(Fabric fabric, PoolOptions options, Protocol protocol) {
        return new Tidepool(fabric, false, options, protocol, DEFAULT_TIMEOUT_NANOS);
    }

    // ---- tables

    /** The table of that name with room for a thousand records, or as many as it was made for. */
    public <T extends Record> Table<T> table(String name, Class<T> type) {
        return table(name, type, 1000);
    }

    /** The table of that name; made with room for so many records if the pool has none. */
    public <T extends Record> Table<T> table(String name, Class<T> type, long rows) {
        Schema schema = Schema.of(name, type);
        return new Table<>(table(schema, rows), RecordCodec.of(type, schema));
    }

    /** A table without a record class, for the API on fields. */
    public TableInfo table(Schema schema, long rows) {
        TableInfo known = tables.get(schema.name());
        if (known == null) {
            known = sessions.mending(() -> sessions.catalog().table(schema, rows));
            tables.put(schema.name(), known);
        } else {
            schema.requireSame(known.schema());
        }
        return known;
    }

    /** All tables of the pool. */
    public List<TableInfo> tables() {
        return sessions.mending(() -> sessions.catalog().tables());
    }

    // ---- transactions

    /** Runs a transaction until it commits. What the body throws rolls it back and comes out here. */
    public void transact(Consumer<Transaction> body) {
        compute(tx -> {
            body.accept(tx);
            return null;
        });
    }

    /** The same, with a result. The body may run several times. */
    public <R> R compute(Function<Transaction, R> body) {
        long start = Clock.current().nowNanos();
        long deadline = start + timeoutNanos;
        Randomness random = null;
        int dead = 0;
        for (int attempt = 1; ; attempt++) {
            int used = sessions.number();
            Transaction tx = null;
            try {
                tx = begin();
                used = TxnId.session(tx.id());
                R result = body.apply(tx);
                if (tx.commit()) {
                    if (dead != 0) listener.passed(dead, Clock.current().nowNanos() - start);
                    return result;
                }
                dead = lookAfter(tx, attempt, dead);
            } catch (Conflict e) {
                tx.rollback();
                dead = lookAfter(tx, attempt, dead);
            } catch (FabricException e) {
                if (tx != null) tx.rollback();
                sessions.afterFailure(used, e);
            } catch (Throwable e) {
                if (tx != null) tx.rollback();
                throw e;
            }
            AbortReason reason = tx == null ? null : tx.abortReason();
            if (Clock.current().nowNanos() > deadline) throw new ConflictException(reason, attempt);
            if (random == null) random = new Randomness(tx == null ? used : tx.id());
            long most = LEAST_PAUSE_NANOS << Math.min(attempt, PAUSE_DOUBLINGS);
            Waiting.pause(1 + random.nextLong(most));
        }
    }

    /** Begins a transaction that the caller commits or rolls back; {@code false} of commit means: try again. */
    public Transaction begin() {
        return new Transaction(this, coordinators.take());
    }

    /** Whether a transaction whose outcome was unknown has happened; null while it is not known. */
    public Boolean resolve(long txn) {
        return sessions.outcome(txn);
    }

    // ---- recovery

    /** Recovers a session if it is dead. Waits. Null if it lives, or somebody else is at it. */
    public Recovery.Report recoverIfDead(int number) {
        if (number == 0 || number == sessions.number() || !sessions.isOver(number)) return null;
        return sessions.recover(number);
    }

    /** Recovers every dead session that left something. */
    public int recoverAll() {
        return sessions.recoverAll();
    }

    private void recovered(Recovery.Report report) {
        statistics.recovered(report);
        listener.recovered(report);
    }

    /**
     * After an attempt that met others: recovers the session that stood in the way, if it is dead, and returns it;
     * otherwise what was known before. A look costs as much as several attempts, and most locks are free a moment later.
     */
    private int lookAfter(Transaction tx, int attempt, int before) {
        int blocking = tx.blockingSession();
        boolean looks = attempt >= 2 || hasWaited(tx.abortReason());
        if (!looks || blocking == 0 || blocking == sessions.number()) return before;
        int used = sessions.number();
        try {
            if (!sessions.isOver(blocking)) return before;
            sessions.recover(blocking);
        } catch (FabricException e) {
            sessions.afterFailure(used, e);
        }
        return blocking;
    }

    /** Whether the attempt waited for others before it gave up. */
    private static boolean hasWaited(AbortReason reason) {
        return reason == AbortReason.UNREADABLE || reason == AbortReason.BUCKET_BUSY;
    }

    /** A transaction has committed, and its coordinator could not release its locks. */
    void mend(long txn) {
        sessions.mend(txn);
    }

    /** What became of a transaction of ours that the fabric could not tell about. */
    boolean settleUnknown(long txn) {
        return sessions.settleUnknown(txn);
    }

    void ended(Coordinator coordinator, Txn txn, boolean committed) {
        statistics.ended(txn, committed);
        coordinators.giveBack(coordinator);
    }

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
        listener = newListener;
    }

    public Fabric fabric() {
        return fabric;
    }

    public int sessionNumber() {
        return sessions.number();
    }

    /** The next number of the pool's clock that orders recorded events of all processes. */
    public long tick() {
        return sessions.alone(() -> sessions.catalog().tick());
    }

    /** Leaves the pool. Closing twice does nothing. */
    @Override
    public void close() {
        if (!sessions.startClosing()) return;
        boolean clean = coordinators.close();
        sessions.close(!clean);
        if (ownsFabric) fabric.close();
    }
}
