package tidepool.node;

/**
 * A repeated experiment that finds whether spinning pays. In a trial the node spins and sleeps in turns and counts the
 * rounds that it serves. Then it keeps the mode that served more, for {@link #MIN_KEPT_NANOS} to
 * {@link #MAX_KEPT_NANOS}, until the next trial:
 *
 * <pre>
 *   spin sleep sleep spin spin sleep sleep spin ... | the better one ...... | spin sleep ...
 * </pre>
 *
 * No other signal answers the question. Spinning saves a wake-up for each round, but takes a core from clients and
 * other nodes on this machine. A node that sleeps finds more rounds at once when it wakes. Whether a core was idle a
 * moment ago does not show which effect is larger. A client that waits for answers before its next request, as
 * coordinators do, shows it by its rate of requests.
 */
final class SpinTrial {
    static final long WINDOW_NANOS = 4_000_000;

    /** Windows of a trial. A multiple of four, so that a slow trend of the load affects both modes alike. */
    static final int WINDOWS = 24;

    /** A node that slept longer than this had no load. The time is not counted. */
    static final long PAUSE_NANOS = 10_000_000;

    static final long MIN_KEPT_NANOS = 250_000_000;
    static final long MAX_KEPT_NANOS = 4_000_000_000L;

    /** The part by which spinning has to serve more rounds, because it costs more. */
    private static final double WORTH = 1.0 / 64;

    /** Limit of a measured advantage. A larger one is chance, such as a client that started in the middle. */
    private static final double MAX_ADVANTAGE = 0.5;

    private final double[] rounds = new double[2]; // in windows of sleeping, in windows of spinning
    private final double[] nanos = new double[2];
    private int window = -1; // -1 before the first; WINDOWS while the better mode is kept
    private boolean spins;
    private double advantage; // of spinning: the part by which it served more rounds, over the last trials
    private long lastsNanos;
    private long keptNanos = MIN_KEPT_NANOS;
    private long beganNanos;
    private long servedBefore;

    /**
     * Returns whether to spin now. Called whenever the node has nothing to do.
     *
     * @param served rounds so far
     */
    boolean isToSpin(long nowNanos, long served) {
        if (window < 0 || nowNanos - beganNanos >= lastsNanos) next(nowNanos, served);
        return spins;
    }

    private void next(long nowNanos, long served) {
        if (window >= 0 && window < WINDOWS) {
            int which = spins ? 1 : 0;
            rounds[which] += served - servedBefore;
            nanos[which] += nowNanos - beganNanos;
        }
        window = window == WINDOWS ? 0 : window + 1;
        if (window == WINDOWS) {
            decide();
            lastsNanos = keptNanos;
        } else {
            spins = window % 4 == 0 || window % 4 == 3;
            lastsNanos = WINDOW_NANOS;
        }
        beganNanos = nowNanos;
        servedBefore = served;
    }

    /**
     * Ends a trial. One trial proves little, so it counts as much as all earlier ones together. While trials agree, the
     * time until the next one doubles.
     */
    private void decide() {
        boolean before = advantage > WORTH;
        double sleeping = rounds[0] / nanos[0];
        double spinning = rounds[1] / nanos[1];
        double seen = sleeping == 0 ? 0 : Math.clamp(spinning / sleeping - 1, -MAX_ADVANTAGE, MAX_ADVANTAGE);
        advantage = (advantage + seen) / 2;
        spins = advantage > WORTH;
        boolean sure = spins == before && spins == seen > WORTH;
        keptNanos = sure ? Math.min(2 * keptNanos, MAX_KEPT_NANOS) : MIN_KEPT_NANOS;
        for (int i = 0; i < 2; i++) rounds[i] = nanos[i] = 0;
    }

    /** Records nanoseconds slept until an arrival. */
    void slept(long sleptNanos) {
        if (sleptNanos > PAUSE_NANOS) beganNanos += sleptNanos;
    }
}
