package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Strand;
import tidepool.base.Waiting;

class SimulationTest {

    /** Papers hide latency by coroutines: waits overlap, CPU does not. */
    @Test
    void strandsOfACoreOverlapTheirWaitsButNotTheirCpu() {
        try (Simulation simulation = new Simulation(1)) {
            Machine machine = simulation.machine("m", 1);
            for (int i = 0; i < 10; i++)
                simulation.start(machine, "s" + i, () -> {
                    Simulation.work(100);
                    Waiting.pause(5_000);
                    Simulation.work(100);
                });
            simulation.run();

            // The last strand begins after 900 ns of the others, and each wakes 5 us after its own first half.
            assertEquals(900 + 100 + 5_000 + 100, simulation.nowNanos() + 100);
        }
    }

    @Test
    void coresWorkSideBySide() {
        try (Simulation simulation = new Simulation(1)) {
            List<Long> ends = new ArrayList<>();
            Machine machine = simulation.machine("m", 4);
            for (int i = 0; i < 8; i++)
                simulation.start(machine, "s" + i, () -> {
                    Simulation.work(50_000);
                    ends.add(simulation.nowNanos());
                });
            simulation.run();

            assertEquals(List.of(50_000L, 50_000L, 50_000L, 50_000L, 100_000L, 100_000L, 100_000L, 100_000L), ends);
        }
    }

    /** A strand that computes for long must not act in the future of the others. */
    @Test
    void longWorkStandsBackUntilTheWorldHasCaughtUp() {
        try (Simulation simulation = new Simulation(1)) {
            List<String> order = new ArrayList<>();
            simulation.start(simulation.machine("a", 1), "slow", () -> {
                Simulation.work(10_000);
                order.add("slow");
            });
            simulation.start(simulation.machine("b", 1), "fast", () -> {
                Waiting.pause(4_000);
                order.add("fast");
            });
            simulation.run();

            assertEquals(List.of("fast", "slow"), order);
        }
    }

    @Test
    void aSpinningStrandDoesNotStopTheTime() {
        try (Simulation simulation = new Simulation(1)) {
            boolean[] flag = new boolean[1];
            Machine machine = simulation.machine("m", 1);
            simulation.start(machine, "spins", () -> {
                while (!flag[0]) Waiting.spin();
            });
            simulation.start(machine, "sets", () -> {
                Waiting.pause(20_000);
                flag[0] = true;
            });
            simulation.run();

            assertTrue(simulation.nowNanos() >= 20_000);
        }
    }

    @Test
    void aDeadlockNamesWhoWaits() {
        try (Simulation simulation = new Simulation(0x5eed)) {
            simulation.start(simulation.machine("m", 1), "lonely", Strand::park);
            SimulationException e = assertThrows(SimulationException.class, simulation::run);

            assertTrue(e.getMessage().contains("seed=0x5eed"), e.getMessage());
            assertTrue(e.getMessage().contains("deadlock"), e.getMessage());
            assertTrue(e.getMessage().contains("lonely on m"), e.getMessage());
        }
    }

    @Test
    void aFailureCarriesTheSeedAndTheStrand() {
        try (Simulation simulation = new Simulation(77)) {
            simulation.start("bad", () -> {
                throw new AssertionError("wrong");
            });
            SimulationException e = assertThrows(SimulationException.class, simulation::run);

            assertTrue(e.getMessage().contains("seed=0x4d"), e.getMessage());
            assertTrue(e.getMessage().contains("bad"), e.getMessage());
            assertEquals("wrong", e.getCause().getMessage());
        }
    }

    @Test
    void runUntilStopsTheTimeExactlyThere() {
        try (Simulation simulation = new Simulation(1)) {
            Strand strand = simulation.start("s", () -> Waiting.pause(1_000));
            simulation.runUntil(400);
            assertEquals(400, simulation.nowNanos());
            assertFalse(strand.isDone());
            simulation.run();
            assertEquals(1_000, simulation.nowNanos());
        }
    }

    @Test
    void aPausedMachineStandsStillAndGoesOn() {
        try (Simulation simulation = new Simulation(1)) {
            Machine machine = simulation.machine("m", 1);
            long[] end = new long[1];
            simulation.start(machine, "s", () -> {
                for (int i = 0; i < 10; i++) Waiting.pause(100);
                end[0] = simulation.nowNanos();
            });
            simulation.at(250, () -> machine.pause(50_000));
            simulation.run();

            assertEquals(250 + 50_000 + 700, end[0]);
        }
    }

    @Test
    void aDeadMachineRunsNothing() {
        try (Simulation simulation = new Simulation(1)) {
            Machine machine = simulation.machine("m", 2);
            List<Integer> seen = new ArrayList<>();
            for (int i = 0; i < 2; i++)
                simulation.start(machine, "s" + i, () -> {
                    for (int n = 0; n < 10; n++) {
                        Waiting.pause(100);
                        seen.add(n);
                    }
                });
            simulation.at(350, machine::crash);
            simulation.run();

            assertEquals(List.of(0, 0, 1, 1, 2, 2), seen);
            assertTrue(simulation.strand("s0").isAbandoned());
        }
    }
}
