package tidepool.tcp.node;

import java.util.Locale;

/**
 * Decides whether to look for the next arrival again and again or to sleep until it comes. Being woken up takes longer than
 * many a client takes to answer, so spinning pays if the next arrival is near; it is tried, and given up for longer and
 * longer as it fails. It never pays while others want the core.
 *
 * <p>{@code -Dtidepool.node.spin=} {@code auto}, {@code 0}, or so many microseconds, whatever it costs.
 */
final class Spinning implements AutoCloseable {
    static final String PROPERTY = "tidepool.node.spin";

    /** About what a sleep costs both sides together. */
    private static final long PAYS_NANOS = 50_000;

    /** A miss costs as much as this many hits bring. */
    private static final int MISS = 2;

    private static final int MOST_CREDIT = 32;
    private static final int FIRST_PAUSE = 64;
    private static final int MOST_PAUSE = 8192;

    private final long forcedNanos;
    private final IdleCores idleCores = new IdleCores();
    private int credit = 2 * MISS;
    private int pause = FIRST_PAUSE;
    private int waitsUntilTried;

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
        if (waitsUntilTried > 0) {
            waitsUntilTried--;
            return 0;
        }
        return idleCores.isOneSpare(nowNanos) ? PAYS_NANOS : 0;
    }

    /** Something came while it spun. */
    void hit() {
        if (credit < MOST_CREDIT) credit++;
        if (credit > 2 * MISS) pause = FIRST_PAUSE;
    }

    /** Nothing did. */
    void miss() {
        credit -= MISS;
        if (credit > 0) return;
        credit = MISS;
        waitsUntilTried = pause;
        pause = Math.min(2 * pause, MOST_PAUSE);
    }

    @Override
    public void close() {
        idleCores.close();
    }
}
