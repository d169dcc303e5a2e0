package tidepool;

import java.util.concurrent.ConcurrentLinkedQueue;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.store.StoreException;

/** The coordinators of this process: made when a thread finds none idle, as far as the pool has places for them. */
final class Coordinators {
    private static final long PAUSE_NANOS = 100_000;

    private final Sessions sessions;
    private final Statistics statistics;
    private final ConcurrentLinkedQueue<Seat> idle = new ConcurrentLinkedQueue<>();

    /** Idle or in use; those of a session that was replaced leave when they are given back. */
    private final ConcurrentLinkedQueue<Seat> all = new ConcurrentLinkedQueue<>();

    private final Traffic retiredTraffic = new Traffic(); // guarded by itself

    Coordinators(Sessions sessions, Statistics statistics) {
        this.sessions = sessions;
        this.statistics = statistics;
        sessions.whenReplaced(this::retireIdle);
    }

    /** A coordinator for the caller alone, until it is given back. Waits, at most until the deadline. */
    Seat take(long deadline) {
        sessions.requireWhole(deadline);
        Seat seat = takeIdleAtHome();
        return seat != null ? seat : make(deadline);
    }

    /** Of those that were made here; the others are taken only when no more can be made. */
    private Seat takeIdleAtHome() {
        for (Seat seat : idle) {
            if (!seat.isAtHome() || !idle.remove(seat)) continue;
            if (isGood(seat)) return seat;
            retire(seat);
        }
        return null;
    }

    /** Whether a seat that was taken can still be used: neither did it break, nor was its session replaced. */
    boolean isGood(Seat seat) {
        return !seat.isBroken() && seat.session() == sessions.number();
    }

    /** The caller is done with it. One that is no good any more is nobody's: its session is recovered as a whole. */
    void giveBack(Seat seat) {
        if (isGood(seat)) {
            idle.add(seat);
            return;
        }
        if (seat.isBroken()) sessions.broke(seat.session());
        retire(seat);
    }

    private Seat takeIdle() {
        Seat seat = idle.poll();
        while (seat != null && !isGood(seat)) {
            retire(seat);
            seat = idle.poll();
        }
        if (seat != null) seat.moveHere();
        return seat;
    }

    private Seat make(long deadline) {
        try {
            return sessions.alone(this::add);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.FULL) throw e;
            return await(deadline, e);
        }
    }

    /** There may be many more threads than coordinators; one that finds none waits until another has ended. */
    private Seat await(long deadline, StoreException full) {
        while (Clock.current().nowNanos() < deadline) {
            sessions.requireOpen();
            Seat seat = takeIdle();
            if (seat != null) return seat;
            Waiting.pause(PAUSE_NANOS);
        }
        throw full;
    }

    private Seat add() {
        Coordinator coordinator = claim();
        Seat seat = new Seat(coordinator, sessions.number(), statistics.open());
        for (Seat other : all) seat.shareAddresses(other);
        all.add(seat);
        return seat;
    }

    /** If all places are taken, and some by the dead, these are recovered first. */
    private Coordinator claim() {
        while (true) {
            try {
                return sessions.coordinator();
            } catch (StoreException full) {
                if (full.reason() != StoreException.Reason.FULL || !sessions.anyOver()) throw full;
                if (sessions.recoverAllAlone() == 0) Waiting.pause(PAUSE_NANOS); // somebody else is at it
            }
        }
    }

    /** Their session has failed, and is recovered with all that they left. */
    private void retireIdle() {
        for (Seat seat = idle.poll(); seat != null; seat = idle.poll()) retire(seat);
    }

    /** What it has counted stays. */
    private void retire(Seat seat) {
        if (!all.remove(seat)) return;
        statistics.retire(seat.counts());
        synchronized (retiredTraffic) {
            retiredTraffic.add(seat.traffic());
        }
    }

    /** What all of them have sent. */
    Traffic traffic() {
        Traffic sum;
        synchronized (retiredTraffic) {
            sum = retiredTraffic.snapshot();
        }
        for (Seat seat : all) sum.add(seat.traffic());
        return sum;
    }

    /**
     * Lets each that is idle clean up behind itself. False if one could not, or is in use: what that one holds is left to
     * a recovery, because only its own thread may touch it.
     */
    boolean close() {
        boolean clean = true;
        for (Seat seat = idle.poll(); seat != null; seat = idle.poll()) {
            seat.close();
            clean &= !seat.isBroken();
            retire(seat);
        }
        return clean && all.isEmpty();
    }
}
