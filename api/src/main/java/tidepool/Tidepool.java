package tidepool;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import tidepool.base.Clock;
import tidepool.base.Mutex;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricUrl;
import tidepool.fabric.Session;
import tidepool.fabric.Traffic;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Coordinator;
import tidepool.protocol.IdsUsedUpException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.Txn;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
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
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long DEFAULT_TIMEOUT_NANOS = 10_000_000_000L;
    private static final long LEAST_PAUSE_NANOS = 200;
    private static final int PAUSE_DOUBLINGS = 12;
    private static final long COORDINATOR_PAUSE_NANOS = 100_000;
    private static final long FAILURE_PAUSE_NANOS = 100_000;
    private static final int CLOSE_TRIES = 100;

    private final Fabric fabric;
    private final boolean ownsFabric;
    private final PoolOptions options;
    private final Protocol protocol;
    private final Map<String, TableInfo> tables = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Coordinator> idle = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Coordinator> all = new ConcurrentLinkedQueue<>();
    private final Statistics statistics = new Statistics();
    private final long timeoutNanos;
    private final Mutex mutex = new Mutex();

    /** Sessions of ours that failed and are still to be recovered; nobody else does it while this process lives. */
    private final Set<Integer> lost = new LinkedHashSet<>();

    private volatile Session session;
    private Catalog catalog;
    private TxnCounter counters;
    private Recovery recovery;
    private volatile PoolListener listener = new PoolListener() {};
    private volatile boolean closed;

    private Tidepool(Fabric fabric, boolean ownsFabric, PoolOptions options, Protocol protocol, long timeoutNanos) {
        this.protocol = protocol;
        this.fabric = fabric;
        this.ownsFabric = ownsFabric;
        this.options = options;
        this.timeoutNanos = timeoutNanos;
        try {
            attach();
        } catch (FabricException e) {
            revokeLost(); // so that whoever comes next takes over what it held
            throw e;
        }
    }

    /** Opens a pool by its URL; one that does not exist is made. */
    public static Tidepool open(String url) {
        FabricUrl parsed = FabricUrl.parse(url);
        PoolOptions options = PoolOptions.of(parsed);
        if (!options.protocol().equals("ford"))
            throw new IllegalArgumentException("unknown protocol '" + options.protocol() + "'; known: ford");
        Fabric fabric = Fabric.open(parsed.without(PoolOptions.NAMES).text());
        try {
            Tidepool pool = new Tidepool(fabric, true, options, new Ford(), DEFAULT_TIMEOUT_NANOS);
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
        return open(fabric, options, new Ford());
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
            known = mending(() -> catalog.table(schema, rows));
            tables.put(schema.name(), known);
        } else {
            schema.requireSame(known.schema());
        }
        return known;
    }

    /** All tables of the pool. */
    public List<TableInfo> tables() {
        return mending(() -> catalog.tables());
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
            int used = session.number();
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
                afterFailure(used, e);
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
        while (true) {
            open();
            int used = session.number();
            Coordinator coordinator = idleCoordinator();
            if (coordinator == null) coordinator = newCoordinator();
            try {
                return new Transaction(this, coordinator);
            } catch (IdsUsedUpException e) {
                LOG.log(System.Logger.Level.INFO, "session {0} is replaced: {1}", used, e.getMessage());
                replace(used);
            }
        }
    }

    private Coordinator idleCoordinator() {
        Coordinator coordinator = idle.poll();
        while (coordinator != null && coordinator.isBroken()) coordinator = idle.poll();
        return coordinator;
    }

    /** Whether a transaction whose outcome was unknown has happened; null while it is not known. */
    public Boolean resolve(long txn) {
        return switch (mending(() -> catalog.outcome(txn))) {
            case 1 -> true;
            case 2 -> false;
            default -> null;
        };
    }

    // ---- recovery

    /** Recovers a session if it is dead. Waits. Null if it lives, or somebody else is at it. */
    public Recovery.Report recoverIfDead(int number) {
        if (number == 0 || number == session.number() || !isOver(number)) return null;
        return recover(number);
    }

    /** Recovers every dead session that left something. */
    public int recoverAll() {
        return mending(this::recoverAllAlone);
    }

    private int recoverAllAlone() {
        int count = 0;
        for (int number : fabric.control(0).sessions())
            if (number != session.number() && isOver(number) && recoverAlone(number) != null) count++;
        fabric.tidy();
        return count;
    }

    /** Dead, or revoked by its own process, which may have died over its recovery or given it up. */
    private boolean isOver(int number) {
        return fabric.isDead(number) || fabric.control(0).isRevoked(number);
    }

    private Recovery.Report recover(int number) {
        return alone(() -> recoverAlone(number));
    }

    private Recovery.Report recoverAlone(int number) {
        if (recovery == null) recovery = protocol.recovery(session, catalog);
        Recovery.Report report = recovery.recover(number);
        if (report != null) {
            statistics.recovered(report);
            listener.recovered(report);
            // Elsewhere: the first line that a process logs takes a tenth of a second, and somebody waits for us.
            Thread.ofVirtual().start(() -> LOG.log(System.Logger.Level.INFO, "session recovered: {0}", report));
        }
        return report;
    }

    /**
     * After an attempt that met others: recovers the session that stood in the way, if it is dead, and returns it;
     * otherwise what was known before. A look costs as much as several attempts, and most locks are free a moment later.
     */
    private int lookAfter(Transaction tx, int attempt, int before) {
        int blocking = tx.blockingSession();
        boolean looks = attempt >= 2 || hasWaited(tx.abortReason());
        if (!looks || blocking == 0 || blocking == session.number()) return before;
        int used = session.number();
        try {
            if (!isOver(blocking)) return before;
            recover(blocking);
        } catch (FabricException e) {
            afterFailure(used, e);
        }
        return blocking;
    }

    /** Whether the attempt waited for others before it gave up. */
    private static boolean hasWaited(AbortReason reason) {
        return reason == AbortReason.UNREADABLE || reason == AbortReason.BUCKET_BUSY;
    }

    /**
     * A failure of the fabric ends the session: what flies may still land, so it is revoked and recovered. The one that
     * takes its place may fail over that; then it is the next to be replaced, until the time is up.
     */
    void afterFailure(int used, FabricException e) {
        LOG.log(System.Logger.Level.WARNING, "the fabric failed, session {0} is replaced: {1}", used, e.getMessage());
        replace(used);
    }

    private void replace(int used) {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        for (int failed = used; ; failed = session.number()) {
            int replaced = failed;
            try {
                alone(() -> {
                    replaceSession(replaced);
                    return null;
                });
                return;
            } catch (FabricException again) {
                if (Clock.current().nowNanos() > deadline) throw again;
                Waiting.pause(FAILURE_PAUSE_NANOS);
            }
        }
    }

    /** Does nothing to a session that somebody replaced already; recovers all that were replaced and not yet recovered. */
    private void replaceSession(int failed) {
        if (session.number() == failed) {
            lost.add(failed);
            idle.clear();
            all.clear();
            attach();
        }
        // All of them first: one that is recovered later may hold the lock that recovering needs.
        revokeLost();
        for (int number : List.copyOf(lost)) {
            while (recoverAlone(number) == null) Waiting.pause(FAILURE_PAUSE_NANOS);
            lost.remove(number);
        }
    }

    private void revokeLost() {
        for (int number : lost)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(number);
    }

    /** A transaction has committed, and its coordinator could not release its locks. */
    void mend(long txn) {
        try {
            afterFailure(TxnId.session(txn), cutOff("release was cut off"));
        } catch (FabricException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "locks are left until the next failure is mended: {0}",
                    e.getMessage());
        }
    }

    /** What became of a transaction of ours that the fabric could not tell about. */
    boolean settleUnknown(long txn) {
        try {
            afterFailure(TxnId.session(txn), cutOff("commit was cut off"));
            Boolean happened = resolve(txn);
            return happened != null && happened; // no whole log anywhere: nothing was touched
        } catch (FabricException e) {
            throw new UnknownOutcomeException(txn, e);
        }
    }

    private static FabricException cutOff(String what) {
        return new FabricException(FabricException.Reason.DISCONNECTED, Effect.UNKNOWN, what);
    }

    // ---- inside

    private void attach() {
        Session fresh = fabric.attach();
        try {
            catalog = Catalog.open(fabric, fresh, options);
        } catch (FabricException e) {
            lost.add(fresh.number());
            throw e;
        }
        session = fresh;
        counters = new TxnCounter();
        recovery = null;
    }

    private Coordinator newCoordinator() {
        try {
            return alone(this::addCoordinator);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.FULL) throw e;
            return awaitCoordinator(e);
        }
    }

    /** There may be many more threads than coordinators; one that finds none waits until another has ended. */
    private Coordinator awaitCoordinator(StoreException full) {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        while (Clock.current().nowNanos() < deadline) {
            open();
            Coordinator coordinator = idleCoordinator();
            if (coordinator != null) return coordinator;
            Waiting.pause(COORDINATOR_PAUSE_NANOS);
        }
        throw full;
    }

    private Coordinator addCoordinator() {
        Coordinator coordinator = claimCoordinator();
        all.add(coordinator);
        return coordinator;
    }

    /** If all places are taken, and some by the dead, these are recovered first. */
    private Coordinator claimCoordinator() {
        while (true) {
            try {
                return protocol.coordinator(session, catalog, counters);
            } catch (StoreException full) {
                if (full.reason() != StoreException.Reason.FULL || !anyDead()) throw full;
                if (recoverAllAlone() == 0) Waiting.pause(100_000); // somebody else is at it
            }
        }
    }

    private boolean anyDead() {
        for (int number : fabric.control(0).sessions()) if (isOver(number)) return true;
        return false;
    }

    /** Rare work on what the whole pool shares in this process: one at a time, also if it waits. */
    private <R> R alone(Supplier<R> work) {
        List<R> result = new ArrayList<>(1);
        mutex.run(() -> {
            open();
            result.add(work.get());
        });
        return result.getFirst();
    }

    /** The same for work that may be done twice: a failure of the fabric is mended, and it is tried again. */
    private <R> R mending(Supplier<R> work) {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        while (true) {
            int used = session.number();
            try {
                return alone(work);
            } catch (FabricException e) {
                if (Clock.current().nowNanos() > deadline) throw e;
                afterFailure(used, e);
            }
        }
    }

    void ended(Coordinator coordinator, Txn txn, boolean committed) {
        statistics.ended(txn, committed);
        if (!coordinator.isBroken()) idle.add(coordinator);
    }

    private void open() {
        if (closed) throw new PoolClosedException("the pool was closed");
    }

    /** What all coordinators of this process have sent. */
    public Traffic traffic() {
        Traffic sum = new Traffic();
        for (Coordinator coordinator : all) sum.add(coordinator.traffic());
        return sum;
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
        return session.number();
    }

    /** The next number of the pool's clock that orders recorded events of all processes. */
    public long tick() {
        return alone(() -> catalog.tick());
    }

    /** Leaves the pool. Closing twice does nothing. */
    @Override
    public void close() {
        if (closed) return;
        mutex.run(() -> closed = true);
        for (Coordinator coordinator : all) coordinator.close();
        boolean broken = !lost.isEmpty();
        for (Coordinator coordinator : all) broken |= coordinator.isBroken();
        if (broken) closeBroken();
        session.close();
        if (ownsFabric) fabric.close();
    }

    /** Some coordinator could not clean up behind itself: a fresh session does, and leaves nothing of its own. */
    private void closeBroken() {
        for (int tries = 0; tries < CLOSE_TRIES; tries++) {
            try {
                mutex.run(() -> replaceSession(session.number()));
                return;
            } catch (FabricException e) {
                LOG.log(System.Logger.Level.WARNING, "closing, the fabric failed: {0}", e.getMessage());
                Waiting.pause(FAILURE_PAUSE_NANOS);
            }
        }
    }
}
