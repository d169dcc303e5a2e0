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
    private final long timeoutNanos;
    private final ConcurrentLinkedQueue<Coordinator> idle = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Coordinator> all = new ConcurrentLinkedQueue<>();

    Coordinators(Sessions sessions, long timeoutNanos) {
        this.sessions = sessions;
        this.timeoutNanos = timeoutNanos;
        sessions.whenReplaced(this::forget);
    }

    /** A coordinator for the caller alone, until it is given back. Waits. */
    Coordinator take() {
        sessions.requireOpen();
        Coordinator coordinator = takeIdle();
        return coordinator != null ? coordinator : make();
    }

    /** The caller is done with it. One that is broken is nobody's any more: its session is recovered as a whole. */
    void giveBack(Coordinator coordinator) {
        if (!coordinator.isBroken()) idle.add(coordinator);
    }

    private Coordinator takeIdle() {
        Coordinator coordinator = idle.poll();
        while (coordinator != null && coordinator.isBroken()) coordinator = idle.poll();
        return coordinator;
    }

    private Coordinator make() {
        try {
            return sessions.alone(this::add);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.FULL) throw e;
            return await(e);
        }
    }

    /** There may be many more threads than coordinators; one that finds none waits until another has ended. */
    private Coordinator await(StoreException full) {
        long deadline = Clock.current().nowNanos() + timeoutNanos;
        while (Clock.current().nowNanos() < deadline) {
            sessions.requireOpen();
            Coordinator coordinator = takeIdle();
            if (coordinator != null) return coordinator;
            Waiting.pause(PAUSE_NANOS);
        }
        throw full;
    }

    private Coordinator add() {
        Coordinator coordinator = claim();
        all.add(coordinator);
        return coordinator;
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
    private void forget() {
        idle.clear();
        all.clear();
    }

    /** What all of them have sent. */
    Traffic traffic() {
        Traffic sum = new Traffic();
        for (Coordinator coordinator : all) sum.add(coordinator.traffic());
        return sum;
    }

    /** Lets each clean up behind itself; false if one could not. */
    boolean close() {
        for (Coordinator coordinator : all) coordinator.close();
        boolean clean = true;
        for (Coordinator coordinator : all) clean &= !coordinator.isBroken();
        return clean;
    }
}
