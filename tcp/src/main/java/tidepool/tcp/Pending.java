package tidepool.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Carrier;
import tidepool.base.Strand;

/**
 * Something that waits for answers: a round or a control call. It counts the frames that were not answered yet, and more
 * than there can be while it is being sent. What answers bring is written before the last of them is counted off.
 *
 * <p>Whoever sends it sets the number before its frames can be seen by whoever reads, and from then on it is the reader's:
 * one at a time changes it, so that takes no atomic instruction.
 */
abstract class Pending {
    /** More frames than one round can have. */
    private static final int BEING_SENT = 1 << 24;

    private static final VarHandle OPEN;
    private static final VarHandle WAITER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OPEN = lookup.findVarHandle(Pending.class, "open", int.class);
            WAITER = lookup.findVarHandle(Pending.class, "waiter", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through OPEN
    private int open;

    /** How many were sent; for whoever sends, under the write lock. */
    private int frames;

    /** A thread or a strand that sleeps until this is done; null if nobody does. */
    private volatile Object waiter;

    /** When it is given up; on the clock of this machine. */
    long deadlineNanos;

    final void begin() {
        frames = 0;
        OPEN.setRelease(this, BEING_SENT);
    }

    /** One more frame is on its way, or some wait for room together. */
    final void sent() {
        frames++;
    }

    /** No more frames follow, and nobody has seen those that there are. True if there are none: then this is done. */
    final boolean allSent() {
        OPEN.setRelease(this, frames);
        return frames == 0;
    }

    /** By the reader, before it sends what had waited for room. */
    final void resume() {
        frames = 0;
    }

    /** By the reader: so many frames more are on their way. Nobody has seen them yet. */
    final void resumed() {
        OPEN.setRelease(this, (int) OPEN.get(this) + frames);
    }

    /** By the reader: a frame was answered or given up. True for the last one: then this is done. */
    final boolean countOff() {
        int left = (int) OPEN.get(this) - 1;
        OPEN.setRelease(this, left);
        return left == 0;
    }

    final boolean isDone() {
        return (int) OPEN.getAcquire(this) == 0;
    }

    /** Says that somebody sleeps, who then asks once more whether this is done. */
    final void waiter(Object sleeper) {
        waiter = sleeper;
    }

    /** Nobody sleeps any more; one who is woken all the same looks again. */
    final void awake() {
        WAITER.setRelease(this, null);
    }

    final boolean hasWaiter() {
        return waiter != null;
    }

    /** By somebody on another thread than whoever waits: one of the two sees what the other has done. */
    final void wakeElsewhere() {
        VarHandle.fullFence();
        wake(waiter);
    }

    /** By the carrier, on whose strands whoever waits has said so. */
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
