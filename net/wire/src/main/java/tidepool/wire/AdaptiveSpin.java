package tidepool.wire;

/**
 * Decides how long a thread spins for the next arrival before it sleeps. Sleeping and waking takes some tens of
 * microseconds, longer than many answers. So spinning pays while arrivals are close together. A thread then spins for
 * twice the recent average, within bounds. Time spun in vain is bounded to one sixteenth of all time.
 *
 * <p>Two threads that sleep for each other never find out how fast they are: each arrives late because the other does.
 * For this reason a single long wait counts for at most {@code FAR_NANOS}, so that spinning is tried again soon.
 *
 * <p>A spinning thread yields its core from time to time, see {@link #giveWayAfter}. The class is not synchronized: two
 * threads that use it at once may learn a little less.
 */
public final class AdaptiveSpin {
    /** Arrivals that are farther apart than this are slept for: a sleep is a small part of that time. */
    private static final long NEAR_NANOS = 150_000;

    private static final long MIN_NANOS = 50_000;
    private static final long MAX_NANOS = 100_000;

    /** A longer wait counts as this long in the average. */
    private static final long FAR_NANOS = 1_000_000;

    /**
     * One part in {@code VAIN_PART} of all time may be spun in vain. Unused time is kept, up to
     * {@code MAX_ALLOWED_NANOS}.
     */
    private static final int VAIN_PART = 16;

    private static final long MAX_ALLOWED_NANOS = 1_000_000;

    private static final int LOOKS_ALONE = 8;

    private final long fixedNanos;
    private long averageNanos;
    private long allowedNanos = MAX_ALLOWED_NANOS;
    private long allowedAtNanos;

    private AdaptiveSpin(long fixedNanos) {
        this.fixedNanos = fixedNanos;
    }

    /** Returns a spin that adapts to the observed arrivals. */
    public static AdaptiveSpin learning() {
        return new AdaptiveSpin(-1);
    }

    /** Returns a spin that adapts to the observed arrivals; on a machine with one processor, one that never spins. */
    public static AdaptiveSpin ofThisMachine() {
        return Runtime.getRuntime().availableProcessors() == 1 ? of(0) : learning();
    }

    /** Returns a spin of a fixed time; 0 never spins. */
    public static AdaptiveSpin of(long nanos) {
        return new AdaptiveSpin(nanos);
    }

    /** Returns how long to spin this time; 0 for not at all. */
    public long nanos(long nowNanos) {
        if (fixedNanos >= 0) return fixedNanos;
        long sinceNanos = Math.max(0, nowNanos - allowedAtNanos);
        allowedNanos = Math.min(MAX_ALLOWED_NANOS, allowedNanos + sinceNanos / VAIN_PART);
        allowedAtNanos = nowNanos;
        if (!isNear()) return 0;
        long nanos = Math.clamp(2 * averageNanos, MIN_NANOS, MAX_NANOS);
        return nanos <= allowedNanos ? nanos : 0;
    }

    /** Returns whether recent arrivals were so close together that a sleep would be much of the time between them. */
    public boolean isNear() {
        return averageNanos <= NEAR_NANOS;
    }

    /**
     * Returns whether a spinning thread yields its core after this many polls in vain. The thread that it waits for may
     * need that core: kernels tend to wake a thread on the core of the thread that woke it. Two threads that spin for
     * each other on one core would wait for their time slices to end. While both are runnable, the kernel sees the
     * conflict and moves one of them.
     */
    public static boolean giveWayAfter(int looks) {
        return looks % LOOKS_ALONE == LOOKS_ALONE - 1;
    }

    /** Records nanoseconds spun without an arrival. */
    public void vain(long nanos) {
        allowedNanos -= nanos;
    }

    /** Records nanoseconds until an arrival, spun or slept. */
    public void waited(long nanos) {
        averageNanos += (Math.min(nanos, FAR_NANOS) - averageNanos) / 8;
    }
}
