package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Strand;
import tidepool.sim.CrashPoint.When;

/**
 * A round that follows another one is sent by the machine, not by the strand; its verbs are crash points like others.
 */
class FollowingRoundTest {
    private static final int FIRST = 2;
    private static final int NEXT = 3;

    /** The strand has ended, its machine lives: the round that was handed over is sent. */
    @Test
    void strandThatEndedHasHandedItOver() {
        try (SimPool world = world()) {
            Strand strand = world.client("c", FollowingRoundTest::post);
            world.simulation.run();
            assertTrue(strand.isDone());
            assertEquals(0, world.word(0, 64), "nothing is answered yet");
            world.simulation.settle();

            assertEquals("1 1 1 1 1", words(world));
        }
    }

    /** Of the second round exactly the verbs before the crash are sent; of the first one all of them. */
    @Test
    void machineDiesBeforeAVerbOfTheSecond() {
        for (int verb = 0; verb < NEXT; verb++) {
            try (SimPool world = world()) {
                world.simulation.crashMachineOf("c", FIRST + verb, When.BEFORE);
                world.client("c", FollowingRoundTest::post);
                world.simulation.run();
                world.simulation.settle();

                assertTrue(world.simulation.machine("c", 1).isDead());
                assertEquals("1 1" + " 1".repeat(verb) + " 0".repeat(NEXT - verb), words(world));
            }
        }
    }

    @Test
    void machineDiesAfterAVerbOfTheSecond() {
        for (int verb = 0; verb < NEXT; verb++) {
            try (SimPool world = world()) {
                world.simulation.crashMachineOf("c", FIRST + verb, When.AFTER);
                world.client("c", FollowingRoundTest::post);
                world.simulation.run();
                world.simulation.settle();

                assertTrue(world.simulation.machine("c", 1).isDead());
                assertEquals("1 1 1" + " 1".repeat(verb) + " 0".repeat(NEXT - 1 - verb), words(world));
            }
        }
    }

    /** If a strand dies alone, verbs that the NIC was given are still sent. */
    @Test
    void strandThatDiesAloneStopsNothing() {
        for (When when : When.values()) {
            try (SimPool world = world()) {
                world.simulation.crashStrand("c", FIRST + 1, when);
                world.client("c", FollowingRoundTest::post);
                world.simulation.run();
                world.simulation.settle();

                assertEquals("1 1 1 1 1", words(world));
            }
        }
    }

    /** The machine died while the first round was under way. */
    @Test
    void deadMachineSendsNothingMore() {
        try (SimPool world = world()) {
            world.client("c", c -> {
                post(c);
                world.simulation.machine("c", 1).crash();
            });
            world.simulation.run();
            world.simulation.settle();

            assertEquals("1 1 0 0 0", words(world));
        }
    }

    private static SimPool world() {
        return new SimPool(1, 2, CostProfile.CX5, Adversary.NONE);
    }

    private static void post(SimPool.Client c) {
        c.other.write(c.regions[0], 64, 1).write(c.regions[0], 72, 1).write(c.regions[0], 80, 1);
        c.round.write(c.regions[0], 0, 1).write(c.regions[1], 0, 1).postInBackground(c.other);
    }

    private static String words(SimPool world) {
        return world.word(0, 0) + " " + world.word(1, 0) + " " + world.word(0, 64) + " " + world.word(0, 72) + " "
                + world.word(0, 80);
    }
}
