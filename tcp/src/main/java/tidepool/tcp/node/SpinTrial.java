package tidepool.tcp.node;

/**
 * Whether it pays to spin, found out by doing both. For a moment the node spins and sleeps in turns, and counts the rounds that
 * it serves; then it keeps to what served more, and tries again after a while:
 *
 * <pre>
 *   spin sleep sleep spin spin sleep sleep spin ... | the better one ...... | spin sleep ...
 * </pre>
 *
 * Nothing else says it. Spinning spares a wake-up for each round, but takes a core from clients and other nodes of the same
 * machine, and a node that sleeps finds more rounds at once when it wakes; whether a core was idle a moment ago does not tell
 * which of them is more. Whoever waits for answers before it asks again, as coordinators do, shows it by how much it asks.
 */
final class SpinTrial {
    static final long WINDOW_NANOS = 4_000_000;

    /** A multiple of four: what gets slowly better or worse meanwhile counts for both alike. */
    static final int WINDOWS = 24;

    /** Whoever slept so long was not needed: that time says nothing. */
    static final long PAUSE_NANOS = 10_000_000;

    static final long LEAST_KEPT_NANOS = 250_000_000;
    static final long MOST_KEPT_NANOS = 4_000_000_000L;

    /** Spinning has to serve so much more: it costs more. */
    private static final double WORTH = 1.0 / 64;

    /** More than that is chance, such as a client that came in the middle. */
    private static final double MOST_ADVANTAGE = 0.5;

    private final double[] rounds = new double[2]; // while it slept, while it spun
    private final double[] nanos = new double[2];
    private int window = -1; // none yet; behind the last one the better one is kept
    private boolean spins;
    private double advantage; // of spinning: so much more was served, by the last trials
    private long lastsNanos;
    private long keptNanos = LEAST_KEPT_NANOS;
    private long beganNanos;
    private long servedBefore;

    /**
     * Whether to spin now. Asked whenever there is nothing to do.
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

    /** One trial says little, so it counts as much as those before it; the longer they agree, the later is the next. */
    private void decide() {
        boolean before = advantage > WORTH;
        double sleeping = rounds[0] / nanos[0];
        double spinning = rounds[1] / nanos[1];
        double seen = sleeping == 0 ? 0 : Math.clamp(spinning / sleeping - 1, -MOST_ADVANTAGE, MOST_ADVANTAGE);
        advantage = (advantage + seen) / 2;
        spins = advantage > WORTH;
        boolean sure = spins == before && spins == seen > WORTH;
        keptNanos = sure ? Math.min(2 * keptNanos, MOST_KEPT_NANOS) : LEAST_KEPT_NANOS;
        for (int i = 0; i < 2; i++) rounds[i] = nanos[i] = 0;
    }

    /** The node has slept for so long before somebody came. */
    void slept(long sleptNanos) {
        if (sleptNanos > PAUSE_NANOS) beganNanos += sleptNanos;
    }
}
