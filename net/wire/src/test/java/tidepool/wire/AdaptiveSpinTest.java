package tidepool.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The spin time of AdaptiveSpin, queried as a loop queries it. */
class AdaptiveSpinTest {
    private static final long MICRO = 1000;

    private final AdaptiveSpin adaptiveSpin = AdaptiveSpin.learning();
    private long nowNanos;

    /** Simulates one wait for an arrival after {@code comesNanos}. Returns how long it was spun for. */
    private long arrival(long comesNanos) {
        long spun = Math.min(adaptiveSpin.nanos(nowNanos), comesNanos);
        if (spun > 0 && spun < comesNanos) adaptiveSpin.vain(spun);
        nowNanos += comesNanos;
        adaptiveSpin.waited(comesNanos);
        return spun;
    }

    @Test
    void whoComesSoonIsSpunFor() {
        for (int i = 0; i < 1000; i++) assertEquals(5 * MICRO, arrival(5 * MICRO));
        assertEquals(50 * MICRO, adaptiveSpin.nanos(nowNanos));
    }

    @Test
    void whoComesLaterIsSpunForLonger() {
        for (int i = 0; i < 100; i++) arrival(40 * MICRO);
        assertEquals(80, adaptiveSpin.nanos(nowNanos) / MICRO, 1);
    }

    /** A client that sends nothing but beats costs no processor time. */
    @Test
    void rareArrivalsCauseNoSpinning() {
        for (int i = 0; i < 20; i++) arrival(1_000 * MICRO);
        for (int i = 0; i < 1000; i++) assertEquals(0, arrival(70_000 * MICRO));
    }

    /**
     * Two threads that sleep for each other must notice it as soon as there is work again, not after thousands of
     * waits.
     */
    @Test
    void workAfterALongSilenceIsSpunForSoon() {
        for (int i = 0; i < 1000; i++) arrival(70_000 * MICRO);
        int slept = 0;
        while (slept < 30 && arrival(60 * MICRO) == 0) slept++;

        assertTrue(slept > 0 && slept < 30, "slept " + slept + " times");
    }

    /** Arrivals that are close by their average and come a little too late each time. */
    @Test
    void whatIsSpunInVainIsASixteenthOfAllTimeAtMost() {
        long vain = 0;
        for (int i = 0; i < 10_000; i++) vain += arrival(101 * MICRO);

        assertTrue(vain > nowNanos / 32, "it is tried");
        assertTrue(vain <= nowNanos / 16 + 1_000 * MICRO, vain + " of " + nowNanos);
    }

    @Test
    void whatIsToldIsDone() {
        AdaptiveSpin told = AdaptiveSpin.of(7 * MICRO);
        told.vain(1_000_000 * MICRO);
        assertEquals(7 * MICRO, told.nanos(nowNanos));
        assertEquals(0, AdaptiveSpin.of(0).nanos(nowNanos));
    }

    @Test
    void oneLookInEightGivesWay() {
        int given = 0;
        for (int look = 0; look < 80; look++) if (AdaptiveSpin.giveWayAfter(look)) given++;
        assertEquals(10, given);
        assertFalse(AdaptiveSpin.giveWayAfter(0), "the first look is for somebody who is nearly here");
    }
}
