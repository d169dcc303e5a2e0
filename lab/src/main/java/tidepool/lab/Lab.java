package tidepool.lab;

/**
 * How figures are made.
 *
 * @param profile what everything costs
 * @param quick fewer points and shorter windows, for a look in under a minute
 * @param seed of everything that is drawn
 */
public record Lab(LabProfile profile, boolean quick, long seed) {
    /** For figures of the Motor paper: its testbed, unless costs of one's own were given. */
    LabProfile motorProfile() {
        return profile.name().equals("ford") ? ProfileFile.motor() : profile;
    }

    /** Windows in which short transactions are counted. */
    Window shortWindow() {
        return quick ? new Window(60_000, 250_000) : new Window(200_000, 1_500_000);
    }

    /** The same for one coordinator alone, who does little in a microsecond. */
    Window loneWindow() {
        return quick ? new Window(50_000, 1_000_000) : new Window(200_000, 8_000_000);
    }

    /** The same for transactions that take hundreds of microseconds. */
    Window longWindow() {
        return quick ? new Window(300_000, 1_000_000) : new Window(2_000_000, 10_000_000);
    }

    /**
     * A window of virtual time.
     *
     * @param warmNanos before it, when nothing is counted
     * @param nanos its length
     */
    record Window(long warmNanos, long nanos) {}
}
