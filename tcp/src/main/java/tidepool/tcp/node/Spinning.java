package tidepool.tcp.node;

import java.util.Locale;

/**
 * Decides whether to look for the next arrival again and again or to sleep until it comes. Being woken up takes longer than
 * many a client takes to answer, so spinning pays while arrivals are near to each other, and a little longer than they
 * lately were; what is spun in vain may be a sixteenth of all time. It never pays while others want the core.
 *
 * <p>A client that sleeps itself, because this node does, comes late to the first spins. So it is tried again soon: two that
 * sleep for each other would never find out how fast they are.
 *
 * <p>{@code -Dtidepool.node.spin=} {@code auto}, {@code 0}, or so many microseconds, whatever it costs.
 */
final class Spinning implements AutoCloseable {
    static final String PROPERTY = "tidepool.node.spin";

    /** Arrivals that are farther apart are slept for: a sleep is not much of that. */
    private static final long NEAR_NANOS = 150_000;

    private static final long LEAST_NANOS = 50_000;
    private static final long MOST_NANOS = 100_000;

    /** A wait for somebody who was gone for long says no more than this. */
    private static final long FAR_NANOS = 1_000_000;

    /** Of all time, one part in so many may be spun in vain; what was not used is kept, up to a moment. */
    private static final int VAIN_PART = 16;

    private static final long MOST_ALLOWED_NANOS = 1_000_000;

    private final long forcedNanos;
    private final IdleCores idleCores = new IdleCores();
    private long averageNanos;
    private long allowedNanos = MOST_ALLOWED_NANOS;
    private long allowedAtNanos;

    Spinning() {
        this(System.getProperty(PROPERTY, "auto"));
    }

    Spinning(String setting) {
        this.forcedNanos = forced(setting);
    }

    private static long forced(String setting) {
        if (setting.toLowerCase(Locale.ROOT).equals("auto")) return -1;
        try {
            long micros = Long.parseLong(setting);
            if (micros >= 0 && micros <= 1_000_000) return micros * 1000;
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                PROPERTY + " is auto, or 0 to 1000000 microseconds, and not '" + setting + "'");
    }

    /** How long to spin before the next sleep; 0 for not at all. */
    long nanos(long nowNanos) {
        if (forcedNanos >= 0) return forcedNanos;
        long nanos = worthNanos(nowNanos);
        return nanos > 0 && idleCores.isOneSpare(nowNanos) ? nanos : 0;
    }

    /** The same for a machine that has a core to spare. */
    long worthNanos(long nowNanos) {
        long sinceNanos = Math.max(0, nowNanos - allowedAtNanos);
        allowedNanos = Math.min(MOST_ALLOWED_NANOS, allowedNanos + sinceNanos / VAIN_PART);
        allowedAtNanos = nowNanos;
        if (averageNanos > NEAR_NANOS) return 0;
        long nanos = Math.clamp(2 * averageNanos, LEAST_NANOS, MOST_NANOS);
        return nanos <= allowedNanos ? nanos : 0;
    }

    /** So long was spun, and nothing came. */
    void vain(long nanos) {
        allowedNanos -= nanos;
    }

    /** Something came after so long, spun or slept. */
    void waited(long nanos) {
        averageNanos += (Math.min(nanos, FAR_NANOS) - averageNanos) / 8;
    }

    @Override
    public void close() {
        idleCores.close();
    }
}
