package tidepool.tcp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import tidepool.base.Strand;

/**
 * Something that waits for answers: a round or a control call. It counts the frames that were not answered yet, and one
 * more while it is being sent. What answers bring is written before the last of them is counted off.
 */
abstract class Pending {
    private static final VarHandle OPEN;

    static {
        try {
            OPEN = MethodHandles.lookup().findVarHandle(Pending.class, "open", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through OPEN
    private int open;

    /** A thread or a strand that sleeps until this is done; null if nobody does. */
    private volatile Object waiter;

    /** When it is given up; on the clock of this machine. */
    long deadlineNanos;

    final void begin() {
        OPEN.setVolatile(this, 1);
    }

    /** One more frame is on its way. */
    final void sent() {
        OPEN.getAndAdd(this, 1);
    }

    /** A frame was answered or given up, or all were sent. True for the last one: then this is done. */
    final boolean countOff() {
        return (int) OPEN.getAndAdd(this, -1) == 1;
    }

    final boolean isDone() {
        return (int) OPEN.getAcquire(this) == 0;
    }

    final void waiter(Object sleeper) {
        waiter = sleeper;
    }

    final boolean hasWaiter() {
        return waiter != null;
    }

    final void wake() {
        Object sleeper = waiter;
        if (sleeper instanceof Strand strand) strand.unpark();
        else if (sleeper instanceof Thread thread) LockSupport.unpark(thread);
    }
}
