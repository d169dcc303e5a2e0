package tidepool.base;

import java.util.concurrent.locks.LockSupport;

/**
 * Waiting that works on a strand, in a plain thread and in a virtual thread alike; upper modules back off through it.
 */
public final class Waiting {
    /** A sleeping thread wakes some fifty microseconds late, so a shorter wait yields until its time is over. */
    private static final long SPIN_NANOS = 50_000;

    private static final Runnable GIVE_WAY = Thread::yield;

    private Waiting() {}

    /**
     * Waits about {@code nanos}; on a strand, in the time of its scheduler. An interrupted thread returns early and
     * stays interrupted, because a back-off is no reason to ignore an interrupt. A wait shorter than 50 microseconds
     * does not return early.
     */
    public static void pause(long nanos) {
        Strand strand = Strand.current();
        if (strand != null) {
            strand.scheduler().sleep(nanos);
        } else if (nanos >= SPIN_NANOS) {
            LockSupport.parkNanos(nanos);
        } else if (Thread.currentThread().isVirtual()) {
            parkShortly(nanos);
        } else {
            yieldFor(nanos, Clock.system(), GIVE_WAY);
        }
    }

    /**
     * Yields the core between two readings of the clock, at least once. Otherwise, with more waiting threads than
     * cores, the thread that they wait for would not run until the kernel takes their cores away.
     */
    static void yieldFor(long nanos, Clock clock, Runnable giveWay) {
        long start = clock.nowNanos();
        do giveWay.run();
        while (clock.nowNanos() - start < nanos);
    }

    /**
     * Parks for a short time. A virtual thread does not spin: its carriers are few, and the thread that it waits for
     * may need one. It does not yield either, because it may be scheduled next again. An interrupt ends a park at once,
     * so the interrupt is cleared and restored at the end.
     */
    private static void parkShortly(long nanos) {
        boolean interrupted = false;
        long start = Clock.system().nowNanos();
        for (long left = nanos; left > 0; left = nanos - (Clock.system().nowNanos() - start)) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(left);
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /**
     * One turn of a loop that waits for another strand or thread. A strand lets other strands run, since the one it
     * waits for may be among them. A thread tells the processor that it spins. This takes no simulated time: a loop
     * that waits for time to pass needs {@link #pause}.
     */
    public static void spin() {
        if (Strand.current() != null) {
            Strand.giveWay();
        } else {
            Thread.onSpinWait();
        }
    }
}
