package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** The conditions under which a node spins, and the setting for it. {@code SpinTrialTest} tests whether it pays. */
class SpinPolicyTest {
    private static final long SECOND = 1_000_000_000L;

    private final SpinPolicy policy = new SpinPolicy("auto");
    private long now = SECOND;
    private long served;
    private double spun; // the part of all waits

    /**
     * Simulates one client that sends {@code thinksNanos} after each answer. It is answered sooner if the node spins.
     */
    private void work(long nanos, long thinksNanos, long wakeUpNanos) {
        int waits = 0;
        int spins = 0;
        for (long until = now + nanos; now < until; ) {
            long spin = policy.nanos(now, served);
            waits++;
            if (spin > 0) spins++;
            boolean awake = thinksNanos < spin;
            long took = awake ? thinksNanos : thinksNanos + wakeUpNanos;
            now += took;
            served++;
            if (awake) policy.spun(took);
            else policy.slept(took);
        }
        spun = (double) spins / waits;
    }

    @Test
    void whoComesSoonIsSpunFor() {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one processor: no node spins here");
        work(10 * SECOND, 15_000, 30_000);
        assertTrue(spun > 0.95, "" + spun);
    }

    @Test
    void whoComesLateIsSleptFor() {
        work(10 * SECOND, 500_000, 30_000);
        assertTrue(spun < 0.001, "" + spun);
    }

    @Test
    void whoAsksAtFixedTimesIsSleptFor() {
        work(10 * SECOND, 60_000, 0);
        assertTrue(spun < 0.05, "" + spun);
    }

    @Test
    void whatIsToldIsDone() {
        assertEquals(7_000, new SpinPolicy("7").nanos(0, 0));
        assertEquals(0, new SpinPolicy("0").nanos(0, 0));
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String wrong : new String[] {"-1", "1000001", "often"})
            assertThrows(IllegalArgumentException.class, () -> new SpinPolicy(wrong));
    }
}
