package tidepool;

import java.util.concurrent.ConcurrentLinkedQueue;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.SplitListener;
import tidepool.store.StoreException;

/**
 * The coordinators of this process. A coordinator is made when a thread finds none idle, as long as the pool has free
 * ones.
 */
final class CoordinatorPool {
    private static final long PAUSE_NANOS = 100_000;

    private final SessionManager sessions;
    private final Statistics statistics;
    private final ConcurrentLinkedQueue<PooledCoordinator> idle = new ConcurrentLinkedQueue<>();

    /** Idle or in use. Coordinators of a session that was replaced are removed when they are given back. */
    private final ConcurrentLinkedQueue<PooledCoordinator> all = new ConcurrentLinkedQueue<>();

    private final Traffic retiredTraffic = new Traffic(); // guarded by itself
    private volatile SplitListener splitListener; // null if there is none

    CoordinatorPool(SessionManager sessions, Statistics statistics) {
        this.sessions = sessions;
        this.statistics = statistics;
        sessions.whenReplaced(this::retireIdle);
    }

    /** Sets the listener of splits. Called while no transaction runs; waits until idle coordinators have ended. */
    void splitListener(SplitListener listener) {
        splitListener = listener;
        close(); // idle ones were made without it
    }

    /**
     * Returns a coordinator for the caller alone, until it is given back. Waits for one, at most until the deadline.
     */
    PooledCoordinator take(long deadline) {
        sessions.requireWhole(deadline);
        PooledCoordinator pooled = takeIdleAtHome();
        return pooled != null ? pooled : make(deadline);
    }

    /**
     * Takes an idle coordinator that was made by the caller's thread or carrier. Others are taken only when no more can
     * be made.
     */
    private PooledCoordinator takeIdleAtHome() {
        for (PooledCoordinator pooled : idle) {
            if (!pooled.isAtHome() || !idle.remove(pooled)) continue;
            if (isGood(pooled)) return pooled;
            retire(pooled);
        }
        return null;
    }

    /** Returns whether a coordinator can still be used: it is not broken, and its session was not replaced. */
    boolean isGood(PooledCoordinator pooled) {
        return !pooled.isBroken() && pooled.session() == sessions.number();
    }

    /** Takes a coordinator back. One that can no longer be used is dropped: its session is recovered as a whole. */
    void giveBack(PooledCoordinator pooled) {
        if (isGood(pooled)) {
            idle.add(pooled);
            return;
        }
        if (pooled.isBroken()) sessions.markBroken(pooled.session());
        retire(pooled);
    }

    private PooledCoordinator takeIdle() {
        PooledCoordinator pooled = idle.poll();
        while (pooled != null && !isGood(pooled)) {
            retire(pooled);
            pooled = idle.poll();
        }
        if (pooled != null) pooled.moveHere();
        return pooled;
    }

    private PooledCoordinator make(long deadline) {
        try {
            return sessions.alone(this::add);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.FULL) throw e;
            return await(deadline, e);
        }
    }

    /** Waits until another thread gives a coordinator back: there may be many more threads than coordinators. */
    private PooledCoordinator await(long deadline, StoreException full) {
        while (Clock.current().nowNanos() < deadline) {
            sessions.requireOpen();
            PooledCoordinator pooled = takeIdle();
            if (pooled != null) return pooled;
            Waiting.pause(PAUSE_NANOS);
        }
        throw full;
    }

    private PooledCoordinator add() {
        Coordinator coordinator = claim();
        if (splitListener != null && coordinator instanceof RecordCoordinator records)
            records.splitListener(splitListener);
        PooledCoordinator pooled = new PooledCoordinator(coordinator, sessions.number(), statistics.open());
        for (PooledCoordinator other : all) pooled.shareAddresses(other);
        all.add(pooled);
        return pooled;
    }

    /** Claims a coordinator. If all are taken, and some by dead sessions, recovers those sessions first. */
    private Coordinator claim() {
        while (true) {
            try {
                return sessions.coordinator();
            } catch (StoreException full) {
                if (full.reason() != StoreException.Reason.FULL || !sessions.anyOver()) throw full;
                if (sessions.recoverAllAlone() == 0) Waiting.pause(PAUSE_NANOS); // another recoverer is at work
            }
        }
    }

    /** Drops the idle coordinators of a failed session. It is recovered with all that they left. */
    private void retireIdle() {
        for (PooledCoordinator pooled = idle.poll(); pooled != null; pooled = idle.poll()) retire(pooled);
    }

    /** Drops a coordinator and keeps its counts. */
    private void retire(PooledCoordinator pooled) {
        if (!all.remove(pooled)) return;
        statistics.retire(pooled.counts());
        synchronized (retiredTraffic) {
            retiredTraffic.add(pooled.traffic());
        }
    }

    /** Returns the traffic of all coordinators. */
    Traffic traffic() {
        Traffic sum;
        synchronized (retiredTraffic) {
            sum = retiredTraffic.snapshot();
        }
        for (PooledCoordinator pooled : all) sum.add(pooled.traffic());
        return sum;
    }

    /**
     * Closes each idle coordinator, which cleans up its logs and intents. Returns false if one could not, or is in use.
     * A coordinator in use is left to a recovery, because only its own thread may touch it.
     */
    boolean close() {
        boolean clean = true;
        for (PooledCoordinator pooled = idle.poll(); pooled != null; pooled = idle.poll()) {
            pooled.close();
            clean &= !pooled.isBroken();
            retire(pooled);
        }
        return clean && all.isEmpty();
    }
}
