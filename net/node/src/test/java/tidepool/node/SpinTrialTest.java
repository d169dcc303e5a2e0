package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The trial under simulated clients, with one rate of requests while the node spins and another while it sleeps. */
class SpinTrialTest {
    private static final long STEP_NANOS = 20_000;
    private static final long SECOND = 1_000_000_000L;

    private final SpinTrial trial = new SpinTrial();
    private long now = 17 * SECOND;
    private double served;

    /** Returns the part of the time in which the node spun. */
    private double spun(long nanos, double whileSpinning, double whileSleeping) {
        long steps = nanos / STEP_NANOS;
        long spun = 0;
        for (long i = 0; i < steps; i++) {
            boolean spins = trial.isToSpin(now, (long) served);
            if (spins) spun++;
            served += (spins ? whileSpinning : whileSleeping) * STEP_NANOS / SECOND;
            now += STEP_NANOS;
        }
        return (double) spun / steps;
    }

    @Test
    void whatServesMoreIsKept() {
        double before = spun(10 * SECOND, 200_000, 180_000);
        assertTrue(before > 0.95, "" + before);

        spun(10 * SECOND, 180_000, 200_000);
        double after = spun(10 * SECOND, 180_000, 200_000);
        assertTrue(after < 0.05, "" + after);
    }

    @Test
    void itIsFoundOutAgainWithinSeconds() {
        spun(60 * SECOND, 180_000, 200_000);
        spun(SpinTrial.MAX_KEPT_NANOS + SECOND, 200_000, 180_000);
        assertTrue(trial.isToSpin(now, (long) served));
    }

    /** If the rate of requests does not depend on the mode, the node chooses the cheaper mode. */
    @Test
    void whereItIsTheSameTheNodeSleeps() {
        double spun = spun(20 * SECOND, 10_000, 10_000);
        assertTrue(spun > 0 && spun < 0.05, "" + spun);
    }

    /** Load that grows during a trial does not count as an advantage of the mode that was tried later. */
    @Test
    void growingLoadIsNoAdvantageOfTheLaterMode() {
        double rate = 10_000;
        for (int i = 0; i < (SpinTrial.WINDOWS + 2) * SpinTrial.WINDOW_NANOS / STEP_NANOS; i++) {
            boolean spins = trial.isToSpin(now, (long) served);
            served += (spins ? 1.1 : 1) * rate * STEP_NANOS / SECOND;
            rate *= 1.001; // grows by a fifth in each window
            now += STEP_NANOS;
        }
        assertTrue(trial.isToSpin(now, (long) served));
    }

    /** Pauses of the clients, all of them while the node spins, do not affect the result. */
    @Test
    void pausesSayNothing() {
        double spun = 0;
        int pieces = 2_000;
        for (int piece = 0; piece < pieces; piece++) {
            spun += spun(SpinTrial.WINDOW_NANOS / 2, 200_000, 180_000) / pieces;
            if (!trial.isToSpin(now, (long) served)) continue;
            now += 20 * SpinTrial.PAUSE_NANOS;
            trial.slept(20 * SpinTrial.PAUSE_NANOS);
        }
        assertTrue(spun > 0.9, "" + spun);
    }
}
