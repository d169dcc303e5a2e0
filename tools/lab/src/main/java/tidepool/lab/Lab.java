package tidepool.lab;

/**
 * The options of figures.
 *
 * @param profile all costs
 * @param quick fewer points and shorter windows, for a run of under a minute
 * @param seed of all random choices
 */
public record Lab(LabProfile profile, boolean quick, long seed) {
    /** Returns the profile for figures of the Motor paper: its testbed, unless the user gave a profile. */
    LabProfile motorProfile() {
        return profile.name().equals("ford") ? ProfileFile.motor() : profile;
    }

    /** Returns the window for short transactions. */
    Window shortWindow() {
        return quick ? new Window(60_000, 250_000) : new Window(200_000, 1_500_000);
    }

    /** Returns the window for a single coordinator, which does little in a microsecond. */
    Window loneWindow() {
        return quick ? new Window(50_000, 1_000_000) : new Window(200_000, 8_000_000);
    }

    /** Returns the window for transactions that take hundreds of microseconds. */
    Window longWindow() {
        return quick ? new Window(300_000, 1_000_000) : new Window(2_000_000, 10_000_000);
    }

    /**
     * A window of virtual time.
     *
     * @param warmNanos the time before it, in which nothing is counted
     * @param nanos its length
     */
    record Window(long warmNanos, long nanos) {}
}
