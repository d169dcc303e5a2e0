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
import tidepool.store.TableInfo;
import tidepool.store.TableUse;
import tidepool.store.TxnId;

/**
 * The session of this process, the ones before it that failed, and the recovery of its own and of others'. A failure of
 * the fabric ends a session, because what it sent may still land: it is revoked and recovered by the one that follows.
 */
final class Sessions {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long FAILURE_PAUSE_NANOS = 100_000;
    private static final int CLOSE_TRIES = 100;

    /** So many sessions of ours are remembered; of transactions of earlier ones only what is recorded is known. */
    private static final int REMEMBERED = 256;

    private final Nodes nodes;
    private final PoolOptions options;
    private final Protocol protocol;
    private final long timeoutNanos;
    private final Consumer<Recovery.Report> recovered; // told in the thread in which it happened
    private final Mutex mutex = new Mutex();

    /** Sessions of ours that failed and are still to be recovered; nobody else does it while this process lives. */
    private final Set<Integer> lost = new LinkedHashSet<>();

    /** By each session of ours: how many outcomes were recorded before any of its own could be. */
    private final Map<Integer, Long> outcomesBefore = new LinkedHashMap<>();

    private volatile Session session;
    private Catalog catalog;
    private TxnCounter counters;
    private Recovery recovery;
    private Runnable replaced = () -> {};

    /** The session that failed and could not be replaced in time; 0 if there is none. Whoever comes next tries again. */
    private volatile int unmended;

    private volatile boolean closed;

    /** Attaches. Waits. */
    Sessions(
            Nodes nodes,
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
            revokeLost(); // so that whoever comes next takes over what it held
            throw e;
        }
    }

    /** What is to be done when a session takes the place of another; the mutex is held then. */
    void whenReplaced(Runnable work) {
        replaced = work;
    }

    int number() {
        return session.number();
    }

    void requireOpen() {
        if (closed) throw new PoolClosedException("the pool was closed");
    }

    /** The same, before new work: what an earlier failure left is mended first. Waits, if there is such. */
    void requireWhole(long deadline) {
        requireOpen();
        int failed = unmended;
        if (failed != 0) afterFailure(failed, cutOff("an earlier failure was not mended"), deadline);
    }

    /**
     * A coordinator broke and is used no more. Its locks are released by a recovery of its session, which the next
     * transaction does, or the end of the pool, unless the failure is mended before.
     */
    void broke(int number) {
        if (number == session.number()) unmended = number;
    }

    /** Whether no failure is left to be mended. */
    boolean isWhole() {
        return unmended == 0;
    }

    long defaultDeadline() {
        return Clock.current().nowNanos() + timeoutNanos;
    }

    // ---- work that the whole process shares

    /** The catalog in the name of the session of today; only inside {@link #alone} and {@link #mending}. */
    Catalog catalog() {
        return catalog;
    }

    /** What lies in a table; only inside {@link #mending}. */
    TableUse use(TableInfo table, long buckets) {
        return TableUse.of(session, catalog, table, buckets);
    }

    /** A coordinator of the session of today; only inside {@link #alone}. */
    Coordinator coordinator() {
        return protocol.coordinator(session, catalog, counters);
    }

    /** Rare work on what the whole pool shares in this process: one at a time, also if it waits. */
    <R> R alone(Supplier<R> work) {
        List<R> result = new ArrayList<>(1);
        mutex.run(() -> {
            requireOpen();
            result.add(work.get());
        });
        return result.getFirst();
    }

    /** The same for work that may be done twice: a failure of the fabric is mended, and it is tried again. */
    <R> R mending(Supplier<R> work) {
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

    // ---- sessions that are dead

    /** Dead, or revoked by its own process, which may have died over its recovery or given it up. */
    boolean isOver(int number) {
        return fabric().isDead(number) || fabric().control(0).isRevoked(number);
    }

    Fabric fabric() {
        return nodes.fabric();
    }

    /** Recovers every session that is over and left something; tells how many. */
    int recoverAll() {
        return mending(this::recoverAllAlone);
    }

    /** The same inside {@link #alone}. */
    int recoverAllAlone() {
        int count = 0;
        for (int number : fabric().control(0).sessions())
            if (number != session.number() && isOver(number) && recoverAlone(number) != null) count++;
        forgetLeftovers();
        fabric().tidy();
        return count;
    }

    /**
     * A recoverer that stood still, and was recovered itself, may revoke a session at some node after another has
     * finished its work and forgotten it. Node 0 knows a session first and forgets it last.
     */
    private void forgetLeftovers() {
        Fabric fabric = fabric();
        for (int node = 1; node < fabric.nodes(); node++) {
            NodeControl control = fabric.control(node);
            // Who was shut out there knows an older roster, and its node 0 may no longer be the first.
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

    /** Recovers a session that is over. Waits. Null if somebody else is at it. Only inside {@link #alone}. */
    Recovery.Report recoverAlone(int number) {
        RecoveryEvent event = new RecoveryEvent();
        event.begin();
        Recovery.Report report = recovery().recover(number);
        if (report != null) {
            event.done(report);
            recovered.accept(report);
            // Elsewhere: the first line that a process logs takes a tenth of a second, and somebody waits for us.
            Thread.ofVirtual().start(() -> LOG.log(System.Logger.Level.INFO, "session recovered: {0}", report));
            countOutcomes(session, catalog);
        }
        return report;
    }

    /** Our own outcomes come after as many as the session can read now; see {@link Catalog#outcomesRecorded}. */
    private void countOutcomes(Session of, Catalog by) {
        outcomesBefore.put(of.number(), by.outcomesRecorded());
        if (outcomesBefore.size() > REMEMBERED)
            outcomesBefore.remove(outcomesBefore.keySet().iterator().next());
    }

    /** Touches all that the recovery of a session touches, with a session that has done nothing. */
    Recovery.Report rehearseAlone(int trial) {
        new RecoveryEvent().begin();
        return recovery().rehearse(trial);
    }

    private Recovery recovery() {
        if (recovery == null) recovery = protocol.recovery(session, catalog);
        return recovery;
    }

    // ---- a session of ours that failed

    /**
     * A failure of the fabric ends the session: what flies may still land, so it is revoked and recovered. The one that
     * takes its place may fail over that; then it is the next to be replaced, until the time is up. Waits.
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

    /** Does nothing to a session that somebody replaced already; recovers all that were replaced and not yet recovered. */
    private void replace(int failed, String why, long deadline) {
        SessionReplacedEvent event = new SessionReplacedEvent();
        event.begin();
        boolean first = session.number() == failed;
        try {
            if (first) lost.add(failed);
            if (nodes.follow(deadline)) moved();
            // All of them first: one that is recovered later may hold the lock that recovering needs.
            revokeLost();
            if (first) {
                replaced.run();
                attach();
            }
            recoverLost();
            unmended = 0;
        } catch (FabricException e) {
            unmended = session.number();
            throw e;
        }
        if (first) event.done(failed, session.number(), why);
    }

    /** Whoever changed the nodes has shut out every session of before, and resolved all that they left. */
    private void moved() {
        lost.clear();
    }

    private void recoverLost() {
        for (int number : List.copyOf(lost)) {
            while (recoverAlone(number) == null) Waiting.pause(FAILURE_PAUSE_NANOS);
            lost.remove(number);
        }
    }

    /**
     * Waits. Whoever repairs the pool after a loss of power shuts out every session that it finds, also one that has just
     * come and only waits; and one that takes long to come in may be suspected before it is. It comes again.
     */
    private void attach() {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        while (true) {
            Session fresh = null;
            Catalog opened = null;
            try {
                fresh = fabric().attach();
                opened = Catalog.open(fabric(), fresh, options, protocol.flush(), nodes.roster())
                        .withRows(protocol::rows);
                if (!opened.flush().isDurable() || isRepaired(fresh, opened)) {
                    countOutcomes(fresh, opened);
                    catalog = opened;
                    session = fresh;
                    counters = new TxnCounter();
                    recovery = null;
                    return;
                }
                fresh.close();
            } catch (FabricException e) {
                // Judged unfit, and not cut off: it leaves in peace, or the places for sessions would be used up.
                if (fresh != null && opened == null && e.reason() == FabricException.Reason.UNAVAILABLE) fresh.close();
                else if (fresh != null && e.refusal() != Refusal.EPOCH) lost.add(fresh.number());
                if (e.refusal() != Refusal.EPOCH || Clock.current().nowNanos() > deadline) throw e;
                if (nodes.follow(deadline)) moved();
            }
            if (Clock.current().nowNanos() > deadline)
                throw FabricException.unavailable("the pool has lost its power, and nobody has repaired it in time");
            Waiting.pause(FAILURE_PAUSE_NANOS);
        }
    }

    /** Whether nothing is left of a loss of power; repairs the pool if nobody else does. */
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

    // ---- a transaction that the fabric cut off

    /** A transaction has committed, and its coordinator could not release its locks. */
    void mend(long txn, String why, long deadline) {
        try {
            afterFailure(TxnId.session(txn), cutOff("release was cut off: " + why), deadline);
        } catch (PoolClosedException e) {
            // Whoever closes the pool recovers what is left.
        } catch (FabricException e) {
            LOG.log(System.Logger.Level.WARNING, "locks are left for whoever comes next: {0}", e.getMessage());
        }
    }

    /**
     * Returns whether a transaction of ours has happened of which the fabric could not tell. Waits for its recovery.
     */
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

    /** Whether a transaction whose outcome was unknown has happened; null if it is not known. */
    Boolean outcome(long txn) {
        Known known = mending(() -> known(txn));
        return known == Known.NOT ? null : Boolean.valueOf(known == Known.HAPPENED);
    }

    private enum Known {
        HAPPENED,
        NEVER_HAPPENED,
        NOT
    }

    /**
     * Recovery records every transaction that it finds open. If none is recorded of a session that was recovered, the
     * transaction had touched nothing; but only if no more outcomes were recorded since than the pool keeps.
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

    // ---- the end

    /** Nobody gets in from here on. False if the pool was closed before. */
    boolean startClosing() {
        boolean[] first = new boolean[1];
        mutex.run(() -> {
            first[0] = !closed;
            closed = true;
        });
        return first[0];
    }

    /**
     * Leaves the pool. If some coordinator could not clean up behind itself, a fresh session does, and leaves nothing of
     * its own.
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

    /** It cannot clean up: revoked wherever somebody answers, it is left to others, who would not look for one that left. */
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
