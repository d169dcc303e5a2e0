package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Strand;

/** In a bursty run one strand makes up to sixteen steps while all others stand still; even runs are not affected. */
class BurstsTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 300;
    private static final int ALWAYS = 1_000_000;

    @Test
    void oneStrandMakesUpToSixteenStepsInARow() {
        try (SimPool world = world(1, Adversary.ORDER.withBursts(ALWAYS))) {
            int[] streaks = streaks(steps(world));

            for (int length = 1; length <= Bursts.MAX_STEPS; length++)
                assertTrue(streaks[length] > 0, "no strand made exactly " + length + " steps in a row");
            world.simulation.coverage().require(CoveragePoint.LONGEST_BURST);
        }
    }

    @Test
    void evenRunsRemain() {
        try (SimPool world = world(1, Adversary.ORDER.withBursts(0))) {
            int[] streaks = streaks(steps(world));

            for (int length = 8; length < streaks.length; length++)
                assertEquals(0, streaks[length], "strands that made " + length + " steps in a row");
            assertEquals(0, world.count(CoveragePoint.BURST));
        }
    }

    /** So a seed that showed a failure before bursts existed still shows it, unless its run is bursty. */
    @Test
    void evenRunsAreWhatTheyAreWithoutBursts() {
        int bursty = 0;
        for (long seed = 1; seed <= 24; seed++) {
            try (SimPool drawn = world(seed, Adversary.ORDER);
                    SimPool even = world(seed, Adversary.ORDER.withBursts(0))) {
                steps(drawn);
                steps(even);
                if (drawn.count(CoveragePoint.BURST) > 0) {
                    bursty++;
                    assertNotEquals(even.simulation.traceHash(), drawn.simulation.traceHash(), "seed " + seed);
                } else {
                    assertEquals(even.simulation.traceHash(), drawn.simulation.traceHash(), "seed " + seed);
                }
            }
        }
        assertTrue(bursty >= 2 && bursty <= 12, bursty + " of 24 seeds are bursty");
    }

    /** Otherwise the strand that it waits for would never get its turn. */
    @Test
    void aBurstEndsWhenItsStrandWaitsForAnother() {
        for (long seed = 1; seed <= 20; seed++)
            try (SimPool world = world(seed, Adversary.ORDER.withBursts(ALWAYS))) {
                int[] handed = new int[1];
                Strand[] pair = new Strand[2];
                for (int i = 0; i < 2; i++) {
                    int me = i;
                    pair[i] = world.client("c" + i, c -> {
                        for (int turn = 0; turn < 50; turn++) {
                            while (handed[0] % 2 != me) Strand.park();
                            c.write(0, turn);
                            handed[0]++;
                            pair[1 - me].unpark();
                        }
                    });
                }

                world.simulation.run();

                assertEquals(100, handed[0]);
            }
    }

    /** An answer that never comes ends a burst long before the round gives up. */
    @Test
    void aBurstEndsWhenItsAnswerDoesNotCome() {
        for (long seed = 1; seed <= 20; seed++)
            try (SimPool world = world(seed, Adversary.ORDER.withBursts(ALWAYS))) {
                long[] ended = new long[2];
                for (int i = 0; i < 2; i++) {
                    int me = i;
                    world.client("c" + i, c -> {
                        if (me == 0) world.fabric.delayNext(c.link(), 800_000);
                        for (int n = 0; n < 8; n++) c.write(8L * me, n);
                        ended[me] = world.simulation.nowNanos();
                    });
                }

                world.simulation.run();

                assertTrue(ended[0] >= 800_000, "the answer came after " + ended[0]);
                assertTrue(ended[1] < 600_000, "the other client waited until " + ended[1]);
            }
    }

    private static SimPool world(long seed, Adversary adversary) {
        return new SimPool(seed, 2, CostProfile.CX5, adversary);
    }

    /**
     * Returns the numbers of the clients in the order of their steps. Clients only make rounds, each on its own
     * machine.
     */
    private static List<Integer> steps(SimPool world) {
        List<Integer> steps = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int me = i;
            world.client("c" + i, c -> {
                for (int n = 0; n < ROUNDS; n++) {
                    c.write(8L * me, n);
                    steps.add(me);
                }
            });
        }
        world.simulation.run();
        return steps;
    }

    /** Returns how often exactly n steps of one strand follow each other, by n, until the first strand has ended. */
    private static int[] streaks(List<Integer> steps) {
        int[] streaks = new int[steps.size() + 1];
        int[] made = new int[CLIENTS];
        int length = 0;
        for (int i = 0; i < steps.size(); i++) {
            length++;
            boolean last = i + 1 == steps.size() || !steps.get(i + 1).equals(steps.get(i));
            if (last) {
                streaks[length]++;
                length = 0;
            }
            if (++made[steps.get(i)] == ROUNDS) break;
        }
        return streaks;
    }
}
