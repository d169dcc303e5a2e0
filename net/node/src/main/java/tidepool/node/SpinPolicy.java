package tidepool.node;

import java.util.Locale;
import tidepool.wire.AdaptiveSpin;

/**
 * The choice between spinning and sleeping until the next arrival. The node spins while arrivals are near to each other
 * and {@link SpinTrial} has found that spinning pays. It then spins so long that it rarely sleeps, because a client
 * that sends to a sleeping node has to wake it.
 *
 * <p>{@code -Dtidepool.node.spin=} is {@code auto}, {@code 0}, or the microseconds to spin in any case.
 */
final class SpinPolicy {
    static final String PROPERTY = "tidepool.node.spin";

    private static final long SPIN_NANOS = 200_000;
    private static final long AUTO = -1;

    private final long toldNanos;
    private final SpinTrial trial = new SpinTrial();
    private final AdaptiveSpin adaptiveSpin = AdaptiveSpin.learning(); // how near arrivals are

    SpinPolicy() {
        this(System.getProperty(PROPERTY, "auto"));
    }

    SpinPolicy(String setting) {
        this.toldNanos = toldNanos(setting);
    }

    /** Parses the setting. With one processor the node never spins, because no client could send meanwhile. */
    private static long toldNanos(String setting) {
        if (setting.toLowerCase(Locale.ROOT).equals("auto"))
            return Runtime.getRuntime().availableProcessors() == 1 ? 0 : AUTO;
        try {
            long micros = Long.parseLong(setting);
            if (micros >= 0 && micros <= 1_000_000) return micros * 1000;
        } catch (NumberFormatException e) {
            // The exception below reports it.
        }
        throw new IllegalArgumentException(
                PROPERTY + " is auto, or 0 to 1000000 microseconds, and not '" + setting + "'");
    }

    /**
     * Returns the time to spin before the next sleep; 0 for none.
     *
     * @param served rounds so far
     */
    long nanos(long nowNanos, long served) {
        if (toldNanos != AUTO) return toldNanos;
        return trial.isToSpin(nowNanos, served) && adaptiveSpin.isNear() ? SPIN_NANOS : 0;
    }

    /** Records nanoseconds spun until an arrival. */
    void spun(long nanos) {
        adaptiveSpin.waited(nanos);
    }

    /** Records nanoseconds slept until an arrival. */
    void slept(long nanos) {
        spun(nanos);
        trial.slept(nanos);
    }
}
