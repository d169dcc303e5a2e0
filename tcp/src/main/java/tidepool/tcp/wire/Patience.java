package tidepool.tcp.wire;

/**
 * How long it pays to look for the next arrival again and again before one sleeps. To sleep and be woken takes some tens of
 * microseconds, longer than many an answer, so spinning pays while arrivals are near to each other, and a little longer than
 * they lately were; what is spun in vain may be a sixteenth of all time.
 *
 * <p>Two that sleep for each other never find out how fast they are: each comes late because the other does. So what is far
 * by its average is tried again soon.
 *
 * <p>Whoever spins gives way now and then, see {@link #giveWayAfter}. Two threads that ask at once may learn a little less.
 */
public final class Patience {
    /** Arrivals that are farther apart are slept for: a sleep is not much of that. */
    private static final long NEAR_NANOS = 150_000;

    private static final long LEAST_NANOS = 50_000;
    private static final long MOST_NANOS = 100_000;

    /** A wait for somebody who was gone for long says no more than this. */
    private static final long FAR_NANOS = 1_000_000;

    /** Of all time, one part in so many may be spun in vain; what was not used is kept, up to a moment. */
    private static final int VAIN_PART = 16;

    private static final long MOST_ALLOWED_NANOS = 1_000_000;

    private static final int LOOKS_ALONE = 8;

    private final long fixedNanos;
    private long averageNanos;
    private long allowedNanos = MOST_ALLOWED_NANOS;
    private long allowedAtNanos;

    private Patience(long fixedNanos) {
        this.fixedNanos = fixedNanos;
    }

    /** Learns by itself. */
    public static Patience learning() {
        return new Patience(-1);
    }

    /** The same, but never spins on a machine with one processor. */
    public static Patience ofThisMachine() {
        return Runtime.getRuntime().availableProcessors() == 1 ? of(0) : learning();
    }

    /** Always spins so long; 0 is never. */
    public static Patience of(long nanos) {
        return new Patience(nanos);
    }

    /** How long to spin this time; 0 for not at all. */
    public long nanos(long nowNanos) {
        if (fixedNanos >= 0) return fixedNanos;
        long sinceNanos = Math.max(0, nowNanos - allowedAtNanos);
        allowedNanos = Math.min(MOST_ALLOWED_NANOS, allowedNanos + sinceNanos / VAIN_PART);
        allowedAtNanos = nowNanos;
        if (!isNear()) return 0;
        long nanos = Math.clamp(2 * averageNanos, LEAST_NANOS, MOST_NANOS);
        return nanos <= allowedNanos ? nanos : 0;
    }

    /** Whether arrivals were lately so near to each other that a sleep would be much of the time between them. */
    public boolean isNear() {
        return averageNanos <= NEAR_NANOS;
    }

    /**
     * After so many looks in vain whoever spins lets others have its core. One of them may be the one it waits for: a kernel
     * likes to wake a thread beside the one that woke it, and two that spin for each other on one core wait for their clocks
     * to run out. And as long as both want to run, the kernel sees it and moves one of them.
     */
    public static boolean giveWayAfter(int looks) {
        return looks % LOOKS_ALONE == LOOKS_ALONE - 1;
    }

    /** So long was spun, and nothing came. */
    public void vain(long nanos) {
        allowedNanos -= nanos;
    }

    /** Something came after so long, spun or slept. */
    public void waited(long nanos) {
        averageNanos += (Math.min(nanos, FAR_NANOS) - averageNanos) / 8;
    }
}
