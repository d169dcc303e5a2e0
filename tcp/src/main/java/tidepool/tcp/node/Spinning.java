package tidepool.tcp.node;

import java.util.Locale;
import tidepool.tcp.wire.Patience;

/**
 * Whether a node looks for the next arrival again and again or sleeps until it comes: as long as {@link Patience} thinks it
 * pays, and not while others want the core, unless arrivals are so near that they could not use it.
 *
 * <p>{@code -Dtidepool.node.spin=} {@code auto}, {@code 0}, or so many microseconds, whatever it costs.
 */
final class Spinning implements AutoCloseable {
    static final String PROPERTY = "tidepool.node.spin";

    private final Patience patience;
    private final boolean forced;
    private final IdleCores idleCores = new IdleCores();

    Spinning() {
        this(System.getProperty(PROPERTY, "auto"));
    }

    Spinning(String setting) {
        this.forced = !setting.toLowerCase(Locale.ROOT).equals("auto");
        this.patience = forced ? Patience.of(nanosOf(setting)) : Patience.ofThisMachine();
    }

    private static long nanosOf(String setting) {
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
        long nanos = patience.nanos(nowNanos);
        return nanos == 0 || forced || patience.isAtOnce() || idleCores.isOneSpare(nowNanos) ? nanos : 0;
    }

    /** So long was spun, and nothing came. */
    void vain(long nanos) {
        patience.vain(nanos);
    }

    /** Something came after so long, spun or slept. */
    void waited(long nanos) {
        patience.waited(nanos);
    }

    @Override
    public void close() {
        idleCores.close();
    }
}
