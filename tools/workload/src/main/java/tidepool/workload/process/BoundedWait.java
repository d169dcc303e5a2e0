package tidepool.workload.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions and threads. A wait that reaches its limit fails with a sentence. */
public final class BoundedWait {
    /** The limit where nothing else is said. A process that works on a busy machine needs seconds. */
    public static final Duration LIMIT = Duration.ofMinutes(2);

    private BoundedWait() {}

    /**
     * Waits until a condition holds. Looks at it again after each pause.
     *
     * @param what that does not happen if the limit is reached, such as "worker 3 does not end"
     * @param between called before each pause
     */
    public static void until(String what, Duration limit, Duration pause, BooleanSupplier done, Runnable between) {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) throw expired(what, limit);
            if (Thread.currentThread().isInterrupted()) throw new IllegalStateException("interrupted: " + what);
            between.run();
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    /** Waits for the end of a thread that has been told to end. */
    public static void join(Thread thread) throws InterruptedException {
        join(thread, LIMIT);
    }

    static void join(Thread thread, Duration limit) throws InterruptedException {
        if (!thread.join(limit)) throw expired("thread " + thread.getName() + " does not end", limit);
    }

    static IllegalStateException expired(String what, Duration limit) {
        return new IllegalStateException(what + " within " + TimeUnit.NANOSECONDS.toSeconds(limit.toNanos()) + " s");
    }
}
