package tidepool.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Carrier;
import tidepool.base.Strand;

/**
 * A request that waits for answers: a round or a control call. It counts the frames that are not answered yet; while it
 * is being sent, the count is higher than any round can reach. The contents of the answers are written before the last
 * answer is counted off.
 *
 * <p>The sender sets the count before the reader can see the frames. From then on only the reader changes it, and there
 * is one reader at a time, so the count needs no atomic instruction.
 */
abstract class PendingReply {
    /** More frames than one round can have. */
    private static final int BEING_SENT = 1 << 24;

    private static final VarHandle OPEN;
    private static final VarHandle WAITER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OPEN = lookup.findVarHandle(PendingReply.class, "open", int.class);
            WAITER = lookup.findVarHandle(PendingReply.class, "waiter", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through OPEN
    private int open;

    /** The number of frames sent. Used by the sender under the write lock. */
    private int frames;

    /** The thread or strand that sleeps until this request is done; null if none does. */
    private volatile Object waiter;

    /** The time at which this request fails if it is not done, on the clock of this machine. */
    long deadlineNanos;

    final void begin() {
        frames = 0;
        OPEN.setRelease(this, BEING_SENT);
    }

    /** Counts one more frame that is sent, or one backlog entry that waits for room. */
    final void sent() {
        frames++;
    }

    /**
     * Ends sending. No frame is visible to the reader yet. Returns true if there are no frames; then this request is
     * done.
     */
    final boolean allSent() {
        OPEN.setRelease(this, frames);
        return frames == 0;
    }

    /** Called by the reader before it sends frames that had waited for room. */
    final void resume() {
        frames = 0;
    }

    /**
     * Called by the reader to add the frames that it has just sent to the count, before these frames become visible.
     */
    final void resumed() {
        OPEN.setRelease(this, (int) OPEN.get(this) + frames);
    }

    /**
     * Called by the reader when a frame was answered or has failed. Returns true for the last frame; then this request
     * is done.
     */
    final boolean countOff() {
        int left = (int) OPEN.get(this) - 1;
        OPEN.setRelease(this, left);
        return left == 0;
    }

    final boolean isDone() {
        return (int) OPEN.getAcquire(this) == 0;
    }

    /** Registers a sleeper. The sleeper checks once more whether this request is done before it sleeps. */
    final void waiter(Object sleeper) {
        waiter = sleeper;
    }

    /** Unregisters the sleeper. A sleeper that is woken anyway checks again whether the request is done. */
    final void awake() {
        WAITER.setRelease(this, null);
    }

    final boolean hasWaiter() {
        return waiter != null;
    }

    /**
     * Wakes the sleeper from another thread. The fence orders the completion before the read of the waiter, so either
     * the sleeper sees the completion or this thread sees the sleeper.
     */
    final void wakeElsewhere() {
        VarHandle.fullFence();
        wake(waiter);
    }

    /** Wakes the sleeper on the carrier's own thread, where its strands register themselves. */
    final void wakeHere(Carrier carrier) {
        Object sleeper = waiter;
        if (sleeper instanceof Strand strand) carrier.unpark(strand);
        else wake(sleeper);
    }

    private static void wake(Object sleeper) {
        if (sleeper instanceof Strand strand) strand.unpark();
        else if (sleeper instanceof Thread thread) LockSupport.unpark(thread);
    }
}
