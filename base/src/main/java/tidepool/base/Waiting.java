package tidepool.base;

import java.util.concurrent.locks.LockSupport;

/** Waiting that works on a strand, in a plain thread and in a virtual one alike; the rooms above back off through it. */
public final class Waiting {
    /** A thread that sleeps wakes some fifty microseconds late, so a shorter wait yields until its time is over. */
    private static final long SPIN_NANOS = 50_000;

    private static final Runnable GIVE_WAY = Thread::yield;

    private Waiting() {}

    /**
     * Waits about so long; on a strand, in the time of its scheduler. An interrupted thread returns early and stays
     * interrupted, because backing off is no reason to ignore it; from a short wait it does not return early.
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
     * A plain thread gives its core away between two looks at the clock, once at least. Otherwise more waiting threads than cores
     * would keep the thread that they wait for from running until the kernel takes their cores away.
     */
    static void yieldFor(long nanos, Clock clock, Runnable giveWay) {
        long start = clock.nowNanos();
        do giveWay.run();
        while (clock.nowNanos() - start < nanos);
    }

    /**
     * A virtual thread does not spin: its carriers are few, and whoever it waits for may need one. Nor does it yield, because
     * it may be next again. Parking ends at once for somebody interrupted, and once more when it is told so again.
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
     * One turn of a loop that waits for somebody else. A strand lets the others run, since the one it waits for may
     * be among them; a thread tells the processor that it spins. It takes no simulated time: a loop that waits for
     * time to pass needs {@link #pause}.
     */
    public static void spin() {
        if (Strand.current() != null) {
            Strand.giveWay();
        } else {
            Thread.onSpinWait();
        }
    }
}
