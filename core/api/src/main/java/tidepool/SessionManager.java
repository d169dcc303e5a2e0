package tidepool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tidepool.base.Clock;
import tidepool.base.Mutex;
import tidepool.base.Waiting;
import tidepool.events.RecoveryEvent;
import tidepool.events.SessionReplacedEvent;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.store.TxnId;

/**
 * The session of this process, its failed predecessors, and the recovery of its own and of other sessions. A failure of
 * the fabric ends a session, because verbs that it sent may still land. The next session revokes and recovers it.
 */
final class SessionManager {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long FAILURE_PAUSE_NANOS = 100_000;
    private static final long MAX_PAUSE_NANOS = 10_000_000;
    private static final int CLOSE_TRIES = 100;

    /**
     * The number of own sessions that are remembered. Of transactions of earlier sessions only the recorded outcome is
     * known.
     */
    private static final int REMEMBERED = 256;

    private final PoolNodes nodes;
    private final PoolOptions options;
    private final Protocol protocol;
    private final long timeoutNanos;
    private final Consumer<Recovery.Report> recovered; // called in the thread that recovered
    private final Mutex mutex = new Mutex();

    /** Own sessions that failed and are still to be recovered; no other process does it while this one lives. */
    private final Set<Integer> lost = new LinkedHashSet<>();

    /** For each own session: how many outcomes were recorded before any of its own could be. */
    private final Map<Integer, Long> outcomesBefore = new LinkedHashMap<>();

    /** Own sessions that ended by changes of tables, and are still to be closed. */
    private final List<Session> ended = new ArrayList<>();

    private volatile Session session;
    private Catalog catalog;
    private TxnCounter counters;
    private Recovery recovery;
    private Runnable replaced = () -> {};
    private Consumer<Catalog> tablesChanged = _ -> {};
    private long changes; // of tables, as the current session knows them

    /** The session that failed and could not be replaced in time; 0 if there is none. The next thread tries again. */
    private volatile int unmended;

    private volatile boolean closed;

    /** Attaches, and waits for that. */
    SessionManager(
            PoolNodes nodes,
            PoolOptions options,
            Protocol protocol,
            long timeoutNanos,
            Consumer<Recovery.Report> recovered) {
        this.nodes = nodes;
        this.options = options;
        this.protocol = protocol;
        this.timeoutNanos = timeoutNanos;
        this.recovered = recovered;
        try {
            attach();
        } catch (FabricException e) {
            revokeLost(); // so that the next session takes over its locks
            throw e;
        }
    }

    /** Sets the action for when a session replaces another; it runs under the mutex. */
    void whenReplaced(Runnable work) {
        replaced = work;
    }

    /**
     * Sets the action for when tables were changed since the session before; it runs under the mutex, before any
     * transaction of the new session begins.
     */
    void whenTablesChanged(Consumer<Catalog> work) {
        tablesChanged = work;
    }

    int number() {
        return session.number();
    }

    void requireOpen() {
        if (closed) throw new PoolClosedException("the pool was closed");
    }

    /**
     * Requires an open pool before new work. If an earlier failure was not repaired, replaces the session and waits for
     * that.
     */
    void requireWhole(long deadline) {
        requireOpen();
        int failed = unmended;
        if (failed != 0) afterFailure(failed, cutOff("an earlier failure was not mended"), deadline);
    }

    /**
     * Called when a coordinator broke and is used no more. A recovery of its session releases its locks. The next
     * transaction, or the end of the pool, runs it, unless the failure is repaired before.
     */
    void markBroken(int number) {
        if (number == session.number()) unmended = number;
    }

    /** Returns whether no failure is left to be repaired. */
    boolean isWhole() {
        return unmended == 0;
    }

    long defaultDeadline() {
        return Clock.current().nowNanos() + timeoutNanos;
    }

    // ---- work shared by the whole process

    /** Returns how many coordinators the pool can have at one time. Waits for the catalog. */
    int coordinatorsOfPool() {
        return retryAfterFabricFailure(() -> catalog.coordinators());
    }

    /** Returns the catalog of the current session; only inside {@link #alone} and {@link #retryAfterFabricFailure}. */
    Catalog catalog() {
        return catalog;
    }

    /** Returns the usage of a table; only inside {@link #retryAfterFabricFailure}. */
    TableUsage usage(TableLayout table, long buckets) {
        return TableUsage.of(session, catalog, table, buckets);
    }

    /** Makes a coordinator of the current session; only inside {@link #alone}. */
    Coordinator coordinator() {
        return protocol.coordinator(session, catalog, counters);
    }

    /** Runs rare work on state that the whole process shares: one at a time, even while it waits. */
    <R> R alone(Supplier<R> work) {
        List<R> result = new ArrayList<>(1);
        mutex.run(() -> {
            requireOpen();
            result.add(work.get());
        });
        return result.getFirst();
    }

    /**
     * Runs work as {@link #alone} does. The work may run twice: after a failure of the fabric, replaces the session and
     * retries.
     */
    <R> R retryAfterFabricFailure(Supplier<R> work) {
        long deadline = defaultDeadline();
        while (true) {
            requireWhole(deadline);
            int used = session.number();
            try {
                return alone(work);
            } catch (FabricException e) {
                if (Clock.current().nowNanos() > deadline) throw e;
                afterFailure(used, e, deadline);
            }
        }
    }

    // ---- dead sessions

    /**
     * Returns whether a session is dead, or was revoked by its own process, which may have died during its recovery or
     * given it up.
     */
    boolean isOver(int number) {
        return fabric().isDead(number) || fabric().control(0).isRevoked(number);
    }

    Fabric fabric() {
        return nodes.fabric();
    }

    /** Recovers every session that is over and left something; returns how many. */
    int recoverAll() {
        return retryAfterFabricFailure(this::recoverAllAlone);
    }

    /** Recovers every session that is over and left something; returns how many. Only inside {@link #alone}. */
    int recoverAllAlone() {
        int count = 0;
        for (int number : fabric().control(0).sessions())
            if (number != session.number() && isOver(number) && recoverAlone(number) != null) count++;
        forgetLeftovers();
        fabric().tidy();
        return count;
    }

    /**
     * Forgets sessions that were revoked too late. A recoverer that was stopped, and was recovered itself, may revoke a
     * session at some node after another recoverer has finished and forgotten it. Node 0 knows a session first and
     * forgets it last.
     */
    private void forgetLeftovers() {
        Fabric fabric = fabric();
        for (int node = 1; node < fabric.nodes(); node++) {
            NodeControl control = fabric.control(node);
            // A session that was revoked there knows an older roster. Its node 0 may no longer be the first.
            if (!isListed(control, session.number()) || control.isRevoked(session.number())) return;
            for (int number : control.sessions())
                if (control.isRevoked(number) && !isListed(fabric.control(0), number)) control.forget(number);
        }
    }

    private static boolean isListed(NodeControl control, int number) {
        return Arrays.stream(control.sessions()).anyMatch(known -> known == number);
    }

    boolean anyOver() {
        for (int number : fabric().control(0).sessions()) if (isOver(number)) return true;
        return false;
    }

    /**
     * Recovers a session that is over, and waits for that. Returns null if another recoverer is at work. Only inside
     * {@link #alone}.
     */
    Recovery.Report recoverAlone(int number) {
        RecoveryEvent event = new RecoveryEvent();
        event.begin();
        Recovery.Report report = recovery().recover(number);
        if (report != null) {
            event.done(report);
            recovered.accept(report);
            // In another thread: the first line that a process logs takes a tenth of a second, and a transaction waits
            // for this recovery.
            // A session without coordinators had nothing to recover: every change of tables ends some of these.
            var level = report.coordinators() > 0 ? System.Logger.Level.INFO : System.Logger.Level.DEBUG;
            Thread.ofVirtual().start(() -> LOG.log(level, "session recovered: {0}", report));
            countOutcomes(session, catalog);
        }
        return report;
    }

    /**
     * Records how many outcomes there are now. Outcomes of the session come after those that it can read now; see
     * {@link Catalog#outcomesRecorded}.
     */
    private void countOutcomes(Session of, Catalog by) {
        outcomesBefore.put(of.number(), by.outcomesRecorded());
        if (outcomesBefore.size() > REMEMBERED)
            outcomesBefore.remove(outcomesBefore.keySet().iterator().next());
    }

    /** Touches all code and data that the recovery of a session touches, with a session that has done nothing. */
    Recovery.Report rehearseAlone(int trial) {
        new RecoveryEvent().begin();
        return recovery().rehearse(trial);
    }

    private Recovery recovery() {
        if (recovery == null) recovery = protocol.recovery(session, catalog);
        return recovery;
    }

    // ---- failed own sessions

    /**
     * Called when the fabric has failed, which ends the session. Its verbs in flight may still land, so it is revoked
     * and recovered. The session that replaces it may fail during that. Then it is replaced in turn, until the
     * deadline. Waits for the replacement.
     */
    void afterFailure(int used, FabricException e, long deadline) {
        LOG.log(
                System.Logger.Level.WARNING,
                "the fabric failed, session {0} is replaced: {1}",
                "" + used,
                e.getMessage());
        nodes.failed();
        for (int failed = used; ; failed = session.number()) {
            int number = failed;
            try {
                alone(() -> {
                    replace(number, e.getMessage(), deadline);
                    return null;
                });
                return;
            } catch (FabricException again) {
                nodes.failed();
                if (Clock.current().nowNanos() > deadline) throw again;
                Waiting.pause(FAILURE_PAUSE_NANOS);
            }
        }
    }

    /**
     * Replaces a session, unless another thread has replaced it already. Recovers all sessions that were replaced and
     * not yet recovered.
     */
    private void replace(int failed, String why, long deadline) {
        SessionReplacedEvent event = new SessionReplacedEvent();
        event.begin();
        boolean first = session.number() == failed;
        try {
            if (first) lost.add(failed);
            if (nodes.follow(deadline)) moved();
            // All lost sessions are revoked first. Otherwise one that is recovered later could hold the lock that
            // recovery needs.
            revokeLost();
            if (first) {
                replaced.run();
                attach();
            }
            recoverLost();
            closeEnded();
            unmended = 0;
        } catch (FabricException e) {
            unmended = session.number();
            throw e;
        }
        if (first) event.done(failed, session.number(), why);
    }

    /**
     * Called when the roster has changed. The steward that changed it has revoked every earlier session, and resolved
     * all that they left.
     */
    private void moved() {
        lost.clear();
    }

    /** Closes the sessions that ended by changes of tables. A process may live through many, and each has memory. */
    private void closeEnded() {
        for (Session one : ended) one.close();
        ended.clear();
    }

    private void recoverLost() {
        for (int number : List.copyOf(lost)) {
            while (recoverAlone(number) == null) Waiting.pause(FAILURE_PAUSE_NANOS);
            lost.remove(number);
        }
    }

    /** Attaches the session of this process, and waits for that. */
    private void attach() {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        while (true) {
            Visit visit = enter();
            try {
                take(visit);
                return;
            } catch (FabricException e) {
                if (e.refusal() != Refusal.EPOCH) lost.add(visit.session().number());
                if (e.refusal() != Refusal.EPOCH || Clock.current().nowNanos() > deadline) throw e;
            }
        }
    }

    private void take(Visit visit) {
        Catalog opened = visit.catalog();
        countOutcomes(visit.session(), opened);
        long seen = opened.changes();
        if (seen != changes) {
            tablesChanged.accept(opened);
            if (session != null) ended.add(session);
        }
        changes = seen;
        catalog = opened;
        session = visit.session();
        counters = new TxnCounter();
        recovery = null;
    }

    /** A session with the catalog that it has opened. */
    record Visit(Session session, Catalog catalog) {}

    /** Attaches a session in addition to that of this process, and waits for that. */
    Visit visit() {
        return retryAfterFabricFailure(this::enter);
    }

    /**
     * Attaches a session, and waits for that. A session that repairs the pool after a loss of power revokes every
     * session that it finds, even one that has just attached and only waits. A session that attaches slowly may be
     * suspected before it is in. Both attach again. While tables are being changed, sessions leave and come again.
     */
    private Visit enter() {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        for (long pause = FAILURE_PAUSE_NANOS; ; pause = Math.min(2 * pause, MAX_PAUSE_NANOS)) {
            Session fresh = null;
            Catalog opened = null;
            boolean changing = false;
            try {
                fresh = fabric().attach();
                opened = Catalog.open(fabric(), fresh, options, protocol.flush(), nodes.roster())
                        .withRows(protocol::rows);
                changing = opened.isChanging();
                if (!changing && (!opened.flush().isDurable() || isRepaired(fresh, opened)))
                    return new Visit(fresh, opened);
                fresh.close();
            } catch (FabricException e) {
                // The session was refused and not revoked. It leaves cleanly; otherwise the session slots of the nodes
                // would be used up.
                if (fresh != null && opened == null && e.reason() == FabricException.Reason.UNAVAILABLE) fresh.close();
                else if (fresh != null && e.refusal() != Refusal.EPOCH) lost.add(fresh.number());
                if (e.refusal() != Refusal.EPOCH || Clock.current().nowNanos() > deadline) throw e;
                if (nodes.follow(deadline)) moved();
            }
            if (Clock.current().nowNanos() > deadline)
                throw FabricException.unavailable(
                        changing
                                ? "the tables of the pool are being changed, and nobody is done"
                                : "the pool has lost its power, and nobody has repaired it in time");
            Waiting.pause(changing ? pause : FAILURE_PAUSE_NANOS);
        }
    }

    /** Makes a recoverer that works in the name of a visit. */
    Recovery recovery(Visit visit) {
        return protocol.recovery(visit.session(), visit.catalog());
    }

    /** Ends a session of this process that failed, so that others take over what it holds. */
    void abandon(Session failed) {
        for (int node = 0; node < fabric().nodes(); node++) {
            try {
                fabric().control(node).revoke(failed.number());
            } catch (FabricException e) {
                LOG.log(System.Logger.Level.DEBUG, "not revoked where nobody answers: {0}", e.getMessage());
            }
        }
    }

    /** Called when the tables were changed by this process, which revoked its session. Replaces it now. */
    void renew(int used, String why) {
        alone(() -> {
            replace(used, why, defaultDeadline());
            return null;
        });
    }

    /**
     * Leaves the pool and comes again if a change of tables is announced, on fabrics where living sessions cannot be
     * revoked. Returns false once the pool is closed.
     */
    boolean giveWay() {
        int used = session.number();
        try {
            if (!alone(() -> catalog.isChangeAnnounced())) return true;
            LOG.log(System.Logger.Level.DEBUG, "session {0} gives way to a change of tables", "" + used);
            renew(used, "tables are being changed");
            return true;
        } catch (PoolClosedException e) {
            return false;
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.DEBUG, "it is not clear whether tables are changed: {0}", e.getMessage());
            return !closed;
        }
    }

    /** Returns whether no damage of a loss of power is left. Repairs the pool if no other session does. */
    private boolean isRepaired(Session fresh, Catalog opened) {
        if (!opened.hasLostPower()) return true;
        Recovery.Restart report = protocol.recovery(fresh, opened).afterPowerLoss();
        if (report != null)
            Thread.ofVirtual()
                    .start(() -> LOG.log(System.Logger.Level.WARNING, "repaired after a loss of power: {0}", report));
        return !opened.hasLostPower();
    }

    private void revokeLost() {
        Fabric fabric = fabric();
        for (int number : lost)
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(number);
    }

    // ---- interrupted transactions

    /** Called when a transaction has committed, and its coordinator could not release its locks. */
    void mend(long txn, String why, long deadline) {
        try {
            afterFailure(TxnId.session(txn), cutOff("release was cut off: " + why), deadline);
        } catch (PoolClosedException e) {
            // The thread that closes the pool recovers the locks.
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.WARNING, "locks are left for whoever comes next: {0}", e.getMessage());
        }
    }

    /** Returns whether an own transaction with unknown outcome has committed. Waits for its recovery. */
    boolean settleUnknown(long txn, String why, long deadline) {
        Boolean happened;
        try {
            afterFailure(TxnId.session(txn), cutOff("commit was cut off: " + why), deadline);
            happened = outcome(txn);
        } catch (FabricException | PoolClosedException e) {
            throw new UnknownOutcomeException(txn, e);
        }
        if (happened == null) throw new UnknownOutcomeException(txn, null);
        return happened;
    }

    /** Returns whether a transaction whose outcome was unknown has committed; null if that is not known. */
    Boolean outcome(long txn) {
        Known known = retryAfterFabricFailure(() -> known(txn));
        return known == Known.NOT ? null : Boolean.valueOf(known == Known.HAPPENED);
    }

    private enum Known {
        HAPPENED,
        NEVER_HAPPENED,
        NOT
    }

    /**
     * Recovery records every transaction that it finds open. If a session was recovered and has no record for the
     * transaction, the transaction had touched nothing. That holds only if the pool still keeps all outcomes recorded
     * since.
     */
    private Known known(long txn) {
        return switch (catalog.outcome(txn)) {
            case 1 -> Known.HAPPENED;
            case 2 -> Known.NEVER_HAPPENED;
            default -> {
                int number = TxnId.session(txn);
                Long before = outcomesBefore.get(number);
                boolean recovered = before != null && number != session.number() && !lost.contains(number);
                yield recovered && catalog.keepsOutcomesAfter(before) ? Known.NEVER_HAPPENED : Known.NOT;
            }
        };
    }

    private static FabricException cutOff(String what) {
        return new FabricException(FabricException.Reason.DISCONNECTED, Effect.UNKNOWN, what);
    }

    // ---- closing

    /** Refuses new work from here on. Returns false if the pool was closed before. */
    boolean startClosing() {
        boolean[] first = new boolean[1];
        mutex.run(() -> {
            first[0] = !closed;
            closed = true;
        });
        return first[0];
    }

    /**
     * Leaves the pool. If some coordinator could not clean up, a fresh session recovers what it left, and leaves
     * nothing of its own.
     */
    void close(boolean brokenCoordinators) {
        boolean dirty = brokenCoordinators || unmended != 0 || !lost.isEmpty();
        for (int tries = 0; dirty && tries < CLOSE_TRIES; tries++) {
            try {
                mutex.run(() -> replace(session.number(), "the pool is closed", defaultDeadline()));
                dirty = false;
            } catch (FabricException e) {
                LOG.log(System.Logger.Level.WARNING, "closing, the fabric failed: {0}", e.getMessage());
                Waiting.pause(FAILURE_PAUSE_NANOS);
            }
        }
        if (dirty) abandon();
        session.close();
    }

    /**
     * Revokes the sessions at all nodes that answer, and leaves them to other processes. Otherwise those would not look
     * for a session that left.
     */
    private void abandon() {
        lost.add(session.number());
        Fabric fabric = fabric();
        for (int node = 0; node < fabric.nodes(); node++)
            for (int number : lost) {
                try {
                    fabric.control(node).revoke(number);
                } catch (FabricException e) {
                    LOG.log(System.Logger.Level.DEBUG, "not revoked where nobody answers: {0}", e.getMessage());
                }
            }
    }
}
