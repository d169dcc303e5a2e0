package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Reconfiguration;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;
import tidepool.store.StoreException;
import tidepool.store.TxnId;

/**
 * The change of a pool from one roster to the next; no session works in the pool meanwhile. All sessions are revoked.
 * Every transaction with a log is resolved from the remaining whole copies. Every lock is freed, and the nodes get the
 * partitions that they are to hold. {@code docs/decisions/0010-reconfiguration.md} explains why, and what a crash of
 * the session that changes the roster leaves.
 *
 * <p>Locks decide nothing here: they lie on primaries, and a primary may be lost. How a transaction is resolved without
 * them is the protocol's own.
 *
 * <p><b>Run twice, or killed half-way,</b> it makes every decision again with equal result. An outcome is recorded
 * before the state from which it was derived is undone, and no log is cleared before all are resolved.
 */
public abstract class RosterChange implements Reconfiguration {
    /** How many verbs share a round. */
    private static final int AT_ONCE = 64;

    private static final int COORDINATORS_AT_ONCE = 16;

    private final Session session;
    private final Function<LogScan, Iterable<LoggedTxn>> order;
    private final LogClearing clearing;
    private final Fabric fabric;
    protected final Catalog catalog;
    protected final Lane lane;
    protected final Round round;
    protected PoolRegions pool;
    protected Placement placement;
    private ReplicaSurvey survey;
    private LogScan scan;
    private MemorySegment intents;
    private MemorySegment lock;
    private int added;
    private int finished;
    private int undone;

    protected RosterChange(Session session, Catalog catalog) {
        this(session, catalog, LogScan::all, LogClearing.ONE_BY_ONE);
    }

    /**
     * @param catalog opened for the change, in the name of the session
     * @param order returns the transactions in the order in which they are resolved
     */
    protected RosterChange(
            Session session, Catalog catalog, Function<LogScan, Iterable<LoggedTxn>> order, LogClearing clearing) {
        this.clearing = clearing;
        this.session = session;
        this.order = order;
        this.fabric = session.fabric();
        this.catalog = catalog;
        this.lane = session.lane();
        this.round = lane.round(Math.max(AT_ONCE, fabric.nodes()));
    }

    @Override
    public Report run(long settleNanos) {
        Report report = hold(settleNanos);
        catalog.openEpoch();
        return report;
    }

    @Override
    public Report hold(long settleNanos) {
        long begun = Clock.current().nowNanos();
        announce();
        Set<Integer> before = shutOut();
        if (settleNanos > 0) Waiting.pause(settleNanos);
        long alone = Clock.current().nowNanos();
        catalog.layOut();
        pool = new PoolRegions(lane, catalog);
        placement = pool.placement();
        survey = new ReplicaSurvey(pool, this::witnesses, lane, round, AT_ONCE);
        if (catalog.hasLostPower()) repairAfterPowerLoss();
        LogScan logs = logScan();
        scan = logs;
        logs.read();
        resolve(logs);
        flush();
        int freed = freeLocks(logs);
        long resolved = Clock.current().nowNanos();
        if (clearing.marksFirst(pool)) {
            logs.end();
            flush();
        }
        logs.clear();
        flush();
        if (catalog.flush().isDurable()) persistencePass().run();
        catalog.disownAll();
        // The first node last: its list names the sessions still to be forgotten.
        for (int node = fabric.nodes() - 1; node >= 0; node--)
            for (int number : before) fabric.control(node).forget(number);
        long done = Clock.current().nowNanos();
        return new Report(
                before.size(), logs.whole(), finished, undone, freed, alone - begun, resolved - alone, done - resolved);
    }

    /** Announces the change: from here on no session with an older roster can enter. */
    protected void announce() {
        catalog.announceChange();
    }

    /** Revokes all other sessions. From here on no verb of theirs takes effect. Returns their numbers. */
    protected Set<Integer> shutOut() {
        Set<Integer> before = new TreeSet<>();
        for (int node = 0; node < fabric.nodes(); node++)
            for (int number : fabric.control(node).sessions()) before.add(number);
        before.remove(session.number());
        for (int number : before)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(number);
        return before;
    }

    /** Makes the reader of all logs; tests that plant bugs override it. */
    protected LogScan logScan() {
        return new LogScan(pool, lane, catalog.coordinators(), catalog.logSlotBytes(), catalog.logHeap());
    }

    // ---- power

    /** Only flushed data is trusted. No session has used the pool since it lost its power. */
    private void repairAfterPowerLoss() {
        catalog.requireFlushedCopies();
        repairPower();
    }

    /** Whether a copy holds everything that was reported before the loss of power. */
    protected boolean isFlushed(int partition, int copy) {
        return catalog.isFlushed(placement.replica(partition, copy), partition);
    }

    protected PersistencePass persistencePass() {
        return new PersistencePass(pool, lane, catalog);
    }

    /** Restores, from the whole copies that were flushed, what was lost with the power. */
    protected void repairPower() {
        throw new StoreException(
                StoreException.Reason.UNAVAILABLE, "this protocol does not know how to outlast a loss of power");
    }

    // ---- transactions

    /** Resolves every transaction that has a log. */
    protected void resolve(LogScan logs) {
        for (LoggedTxn txn : order.apply(logs)) resolve(txn);
    }

    private void resolve(LoggedTxn txn) {
        int known = catalog.outcome(txn.id());
        if (known == 0 && !isOpen(txn)) return;
        boolean commits = known == 0 ? decide(txn) : known == 1;
        boolean told = known == 0 && commits && wasReported(txn);
        prepare(txn, commits);
        send();
        survey.forget();
        flush();
        // The outcome is recorded first. The next writes destroy the state from which a successor would derive it.
        if (known == 0 && !told) writeDown(txn, commits);
        complete(txn, commits);
        send();
        survey.forget();
        if (known != 0 || told) return;
        if (commits) finished++;
        else undone++;
    }

    /** Whether the transaction may have written something and has not ended. */
    protected abstract boolean isOpen(LoggedTxn txn);

    /** Whether the transaction has happened, because it may have been reported. */
    protected abstract boolean decide(LoggedTxn txn);

    /**
     * Whether a transaction that has committed was certainly reported. Then no client asks for its outcome, and
     * recording it would displace one that a client still asks for.
     */
    protected boolean wasReported(LoggedTxn txn) {
        return false;
    }

    /**
     * Returns whether the transaction has released a lock: its lock word is free or names another transaction. Locks
     * lie on primaries. The intent of the transaction, or of another one of its coordinator, tells which node was the
     * primary. A lock whose primary is lost says nothing.
     */
    protected final boolean hasReleasedALock(LoggedTxn txn) {
        if (intents == null) {
            intents = lane.landing(pool.nodes() * LogLayout.INTENT_BYTES);
            lock = lane.landing(Words.BYTES);
        }
        long from = LogLayout.intents(txn.coordinator(), catalog.logSlotBytes());
        for (int node = 0; node < pool.nodes(); node++)
            round.read(pool.log(node), from, LogLayout.INTENT_BYTES, intents, node * LogLayout.INTENT_BYTES);
        round.post().await();
        List<Set<Long>> intended = intendedOnNodes(txn.coordinator());
        for (int i = 0; i < txn.objects(); i++)
            for (int copy = 0; copy < witnesses(txn, i); copy++) {
                int node = placement.replica(Pointer.partition(txn.pointer(i)), copy);
                if (!intended.get(node).contains(txn.pointer(i))) continue;
                round.read(pool.replica(txn.pointer(i), copy), lockAt(txn.pointer(i)), Words.BYTES, lock, 0)
                        .post()
                        .await();
                if (TxnId.of(Words.plain(lock, 0)) != txn.id()) return true;
                break;
            }
        return false;
    }

    /** Returns the intents of a coordinator on each node: those that have landed, and those in the log heap. */
    private List<Set<Long>> intendedOnNodes(int coordinator) {
        List<Set<Long>> all = new ArrayList<>();
        for (int node = 0; node < pool.nodes(); node++) {
            Set<Long> pointers = new HashSet<>();
            long from = node * LogLayout.INTENT_BYTES;
            for (long at = from; at < from + LogLayout.INTENT_BYTES; at += Words.BYTES)
                pointers.add(Words.plain(intents, at));
            scan.heap().intents(coordinator, node, pointers::add);
            all.add(pointers);
        }
        return all;
    }

    /** Does what has to be done, and made persistent, before the outcome is recorded. */
    protected abstract void prepare(LoggedTxn txn, boolean commits);

    /** Records the outcome for clients that ask for it later. */
    protected void writeDown(LoggedTxn txn, boolean commits) {
        catalog.recordOutcome(txn.id(), commits);
    }

    /** Removes the marks. */
    protected abstract void complete(LoggedTxn txn, boolean commits);

    /** An object as one copy shows it. */
    protected record Shown(long version, long writer, boolean whole) {
        public boolean isMarkedBy(long txn) {
            return version == (TxnId.INV | txn);
        }

        public boolean isImageOf(long txn) {
            return TxnId.of(version) == txn && writer == txn && whole;
        }
    }

    /**
     * Returns an object as it was when the transaction was last examined: before the decision, or before its
     * completion.
     */
    protected final Shown look(LoggedTxn txn, int i, int copy) {
        return survey.of(txn, i, copy);
    }

    /**
     * Returns the round for {@code verbs} more verbs that need no order. It is sent when it is full, or none follow.
     */
    protected final Round adding(int verbs) {
        if (added + verbs > AT_ONCE) send();
        added += verbs;
        return round;
    }

    private void send() {
        if (added > 0) round.post().await();
        added = 0;
    }

    /** Adds a WRITE of the bytes that a copy was seen to hold: a FLUSH covers only the writes of its own link. */
    protected final void writeAgain(LoggedTxn txn, int i, int copy) {
        survey.writeAgain(adding(1), txn, i, copy);
    }

    protected static long at(LoggedTxn txn, int i, long offset) {
        return Pointer.offset(txn.pointer(i)) + offset;
    }

    /** Returns the number of complete copies; copies that are being filled do not count. */
    protected int witnesses(LoggedTxn txn, int i) {
        return placement.whole(Pointer.partition(txn.pointer(i)));
    }

    /** Returns the log of a copy's node, if it is whole and has the image of the object; otherwise null. */
    protected final MemorySegment logOf(LoggedTxn txn, int i, int copy) {
        int node = placement.replica(Pointer.partition(txn.pointer(i)), copy);
        return txn.hasImage(i, node) ? txn.log(node) : null;
    }

    /** Returns where the image of an object begins in {@link #logOf}. */
    protected final long imageOf(LoggedTxn txn, int i, int copy) {
        return txn.image(i, placement.replica(Pointer.partition(txn.pointer(i)), copy));
    }

    // ---- locks

    /** Frees all locks; no session holds any. Each lock lies on the node on which its intent was written. */
    protected int freeLocks(LogScan logs) {
        int freed = 0;
        MemorySegment intents = lane.landing(COORDINATORS_AT_ONCE * LogLayout.INTENT_BYTES);
        MemorySegment locks = lane.landing(AT_ONCE * (long) Words.BYTES);
        List<Long> held = new ArrayList<>(AT_ONCE);
        int coordinators = catalog.coordinators();
        long slotBytes = catalog.logSlotBytes();
        for (int node = 0; node < pool.nodes(); node++) {
            // If locks are freed in a second round, the next transaction may have overwritten their intents meanwhile;
            // the logs still name them.
            for (LoggedTxn txn : logs.all())
                for (int i = 0; i < txn.objects(); i++) {
                    if (pool.at(node, txn.pointer(i)) != null) held.add(txn.pointer(i));
                    if (held.size() == AT_ONCE) freed += free(node, held, locks);
                }
            for (int c = 0; c < coordinators; c += COORDINATORS_AT_ONCE) {
                int count = Math.min(COORDINATORS_AT_ONCE, coordinators - c);
                for (int i = 0; i < count; i++)
                    round.read(
                            pool.log(node),
                            LogLayout.intents(c + i, slotBytes),
                            LogLayout.INTENT_BYTES,
                            intents,
                            i * LogLayout.INTENT_BYTES);
                round.post().await();
                for (long at = 0; at < count * LogLayout.INTENT_BYTES; at += Words.BYTES) {
                    long pointer = Words.plain(intents, at);
                    if (pointer == Pointer.NOWHERE || !pool.isPlace(pointer)) continue;
                    if (pool.at(node, pointer) != null) held.add(pointer);
                    if (held.size() == AT_ONCE) freed += free(node, held, locks);
                }
            }
            List<Long> inHeap = new ArrayList<>();
            logs.heap().intents(node, inHeap::add);
            for (long pointer : inHeap) {
                if (!pool.isPlace(pointer) || pool.at(node, pointer) == null) continue;
                held.add(pointer);
                if (held.size() == AT_ONCE) freed += free(node, held, locks);
            }
            freed += free(node, held, locks);
        }
        return freed;
    }

    private int free(int node, List<Long> held, MemorySegment locks) {
        if (held.isEmpty()) return 0;
        for (int i = 0; i < held.size(); i++)
            round.read(pool.at(node, held.get(i)), lockAt(held.get(i)), Words.BYTES, locks, i * (long) Words.BYTES);
        round.post().await();
        int freed = 0;
        for (int i = 0; i < held.size(); i++) {
            if (Words.plain(locks, i * (long) Words.BYTES) == 0) continue;
            Region region = pool.at(node, held.get(i));
            round.write(region, lockAt(held.get(i)), 0);
            freed++;
        }
        if (freed > 0) round.post().await();
        held.clear();
        return freed;
    }

    private static long lockAt(long pointer) {
        return Pointer.offset(pointer) + ObjectLayout.LOCK;
    }

    /** Makes all writes persistent, if the pool is durable. */
    protected final void flush() {
        pool.persist(round);
    }
}
