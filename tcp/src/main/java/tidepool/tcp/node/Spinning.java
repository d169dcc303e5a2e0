package tidepool.tcp.node;

import java.util.Locale;

/**
 * Whether a node looks for the next arrival again and again or sleeps until it comes. It spins while arrivals are near to each
 * other and {@link SpinTrial} has found that it pays; then for so long that it hardly sleeps, because a client that sends to one
 * that sleeps has to wake it.
 *
 * <p>{@code -Dtidepool.node.spin=} {@code auto}, {@code 0}, or so many microseconds, whatever it costs.
 */
final class Spinning {
    static final String PROPERTY = "tidepool.node.spin";

    /** Arrivals that are farther apart are slept for: a sleep is not much of that. */
    static final long NEAR_NANOS = 150_000;

    static final long SPIN_NANOS = 200_000;

    /** A wait for somebody who was gone for long says no more than this. */
    private static final long FAR_NANOS = 1_000_000;

    private static final long AUTO = -1;

    private final long toldNanos;
    private final SpinTrial trial = new SpinTrial();
    private long averageNanos;

    Spinning() {
        this(System.getProperty(PROPERTY, "auto"));
    }

    Spinning(String setting) {
        this.toldNanos = toldNanos(setting);
    }

    /** On a machine with one processor nobody comes while one spins. */
    private static long toldNanos(String setting) {
        if (setting.toLowerCase(Locale.ROOT).equals("auto"))
            return Runtime.getRuntime().availableProcessors() == 1 ? 0 : AUTO;
        try {
            long micros = Long.parseLong(setting);
            if (micros >= 0 && micros <= 1_000_000) return micros * 1000;
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                PROPERTY + " is auto, or 0 to 1000000 microseconds, and not '" + setting + "'");
    }

    /**
     * How long to spin before the next sleep; 0 for not at all.
     *
     * @param served rounds so far
     */
    long nanos(long nowNanos, long served) {
        if (toldNanos != AUTO) return toldNanos;
        return trial.isToSpin(nowNanos, served) && averageNanos <= NEAR_NANOS ? SPIN_NANOS : 0;
    }

    /** So long was spun until something came. */
    void spun(long nanos) {
        averageNanos += (Math.min(nanos, FAR_NANOS) - averageNanos) / 8;
    }

    /** The same, slept. */
    void slept(long nanos) {
        spun(nanos);
        trial.slept(nanos);
    }
}
