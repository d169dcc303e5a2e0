package tidepool.base;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mutual exclusion for rare work that may wait inside. A monitor would stop the carrier of a strand that waits while it
 * holds it; this lets others run, and is for strands, plain threads and virtual ones alike. Not reentrant, not fair.
 */
public final class Mutex {
    private static final long PAUSE_NANOS = 20_000;

    private final AtomicBoolean held = new AtomicBoolean();

    public Mutex() {}

    /** Runs the work while nobody else does. Waits. */
    public void run(Runnable work) {
        while (!held.compareAndSet(false, true)) Waiting.pause(PAUSE_NANOS);
        try {
            work.run();
        } finally {
            held.set(false);
        }
    }
}
