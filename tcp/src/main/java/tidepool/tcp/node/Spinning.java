package tidepool.tcp.node;

import java.util.Locale;
import tidepool.tcp.wire.Patience;

/**
 * Whether a node looks for the next arrival again and again or sleeps until it comes. It spins while arrivals are near to each
 * other and {@link SpinTrial} has found that it pays; then for so long that it hardly sleeps, because a client that sends to one
 * that sleeps has to wake it.
 *
 * <p>{@code -Dtidepool.node.spin=} {@code auto}, {@code 0}, or so many microseconds, whatever it costs.
 */
final class Spinning {
    static final String PROPERTY = "tidepool.node.spin";

    private static final long SPIN_NANOS = 200_000;
    private static final long AUTO = -1;

    private final long toldNanos;
    private final SpinTrial trial = new SpinTrial();
    private final Patience patience = Patience.learning(); // how near arrivals are

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
        return trial.isToSpin(nowNanos, served) && patience.isNear() ? SPIN_NANOS : 0;
    }

    /** So long was spun until something came. */
    void spun(long nanos) {
        patience.waited(nanos);
    }

    /** The same, slept. */
    void slept(long nanos) {
        spun(nanos);
        trial.slept(nanos);
    }
}
