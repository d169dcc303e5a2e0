package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.memory.MemoryNodeException.Reason;

/**
 * The lock under which regions and extents of a node change. The word names the session that holds it, so that a dead
 * holder can be told from a slow one. A session that takes over the lock of a dead one repairs the node first.
 */
final class ControlLock {
    private static final long MAX_WAIT_NANOS = 10_000_000_000L;
    private static final long PAUSE_NANOS = 50_000;

    private final MemorySegment meta;
    private final int session;
    private final SessionLiveness liveness;

    ControlLock(MemorySegment meta, int session, SessionLiveness liveness) {
        Checks.argument(session > 0, "session 0 would hold the lock and leave it free");
        this.meta = meta;
        this.session = session;
        this.liveness = liveness;
    }

    /** Waits until no other session holds the lock. Runs {@code repair} if the lock was taken from a dead session. */
    void acquire(Runnable repair) {
        // Counted, not measured: this module has no clock of its own, and a pause is long enough to count.
        long waitedNanos = 0;
        while (true) {
            long holder = Words.compareAndSwap(meta, NodeLayout.CONTROL_LOCK, 0, session);
            if (holder == 0) return;
            if (liveness.isDead((int) holder)
                    && Words.compareAndSwap(meta, NodeLayout.CONTROL_LOCK, holder, session) == holder) {
                repairOrGiveBack(repair, holder);
                return;
            }
            if (waitedNanos >= MAX_WAIT_NANOS)
                throw new MemoryNodeException(Reason.BUSY, "session " + holder + " holds the control lock");
            Waiting.pause(PAUSE_NANOS);
            waitedNanos += PAUSE_NANOS;
        }
    }

    /**
     * Runs the repair. If it fails, the lock names the dead session again. Otherwise the next session would work on
     * memory that is still broken.
     */
    private void repairOrGiveBack(Runnable repair, long deadHolder) {
        boolean repaired = false;
        try {
            repair.run();
            repaired = true;
        } finally {
            if (!repaired) Words.compareAndSwap(meta, NodeLayout.CONTROL_LOCK, session, deadHolder);
        }
    }

    void release() {
        long holder = Words.compareAndSwap(meta, NodeLayout.CONTROL_LOCK, session, 0);
        Checks.invariant(holder == session, "only the holder releases the control lock", holder);
    }
}
