package tidepool.base;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mutual exclusion for rare work that may wait inside. If a strand waited inside a monitor, its carrier would stop.
 * Here other strands run meanwhile. For strands, plain threads and virtual threads alike. Not reentrant, not fair.
 */
public final class Mutex {
    private static final long PAUSE_NANOS = 20_000;

    private final AtomicBoolean held = new AtomicBoolean();

    public Mutex() {}

    /** Waits until the mutex is free, then runs the work while holding it. */
    public void run(Runnable work) {
        while (!held.compareAndSet(false, true)) Waiting.pause(PAUSE_NANOS);
        try {
            work.run();
        } finally {
            held.set(false);
        }
    }
}
