package tidepool.tcp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Row T1: what clocks that drift, jump or stand still do to whom a session believes. */
class FreshnessTest {
    private static final long LEASE = 2_000_000_000L;

    /** Of three nodes two shut the session out at 0; the third, which is removed, answers all the time. */
    private static Freshness shutOutAt(long clock) {
        Freshness freshness = new Freshness(3, LEASE);
        for (int node = 0; node < 3; node++) freshness.heard(node, clock - 1);
        return freshness;
    }

    @Test
    void theOldestWordCounts() {
        Freshness freshness = shutOutAt(0);
        freshness.heard(2, LEASE); // the removed node does not help
        freshness.heard(0, -5); // an answer that was late does not take anything back
        assertFalse(freshness.isOver(LEASE - 1));
        assertTrue(freshness.isOver(LEASE));
        assertFalse(Freshness.FOR_EVER.isOver(Long.MAX_VALUE), "without a roster nobody is removed");
        assertFalse(new Freshness(3, LEASE).isOver(LEASE), "who has not entered everywhere does nothing");
    }

    /** Whoever removes the node waits for the lease and a twentieth on its own clock, before anybody writes. */
    @Test
    void nobodyIsBelievedWhenTheNewEpochOpensAsLongAsClocksKeepTheBound() {
        for (long begin : new long[] {0, 77, Long.MAX_VALUE - LEASE / 2, Long.MIN_VALUE}) // clocks may come round
        for (int perMille = -40; perMille <= 1000; perMille += 20) {
                Freshness freshness = shutOutAt(begin);
                long waited = LEASE + LEASE / 20;
                long ours = begin + waited + waited / 1000 * perMille; // a fast clock only gives up earlier
                assertTrue(freshness.isOver(ours), "the client's clock is off by " + perMille + " of 1000");
            }
        long ours = LEASE + LEASE / 20 - (LEASE + LEASE / 20) / 10;
        assertFalse(shutOutAt(0).isOver(ours), "a tenth is too much, and the bound is needed: docs/reliability.md");
    }

    @Test
    void aClockThatJumpsAheadCostsTheSessionAndNothingElse() {
        Freshness freshness = shutOutAt(0);
        assertTrue(freshness.isOver(LEASE * 1000));
        for (int node = 0; node < 3; node++) freshness.heard(node, LEASE * 1000);
        assertFalse(freshness.isOver(LEASE * 1000 + 1), "all were heard again");
        assertFalse(freshness.isOver(LEASE * 1001));
    }
}
