package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;

/** The simulation that docs/evidence/simulation.md shows. */
class SimulationPageTest {
    @Test
    void aStrandDiesAfterItsVerb() {
        long seed = 1;
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.CX5, Adversary.ORDER);
            Id128 capability = fabric.control(0).createRegion(1 << 20); // outside a strand: at once
            simulation.start(
                    simulation.machine("c0", 1),
                    "c0",
                    () -> { // a strand on a machine with one core
                        Lane lane = fabric.attach().lane(); // inside: a virtual round trip
                        Region region = lane.connect(0).open(capability);
                        lane.round(1).write(region, 0, 42).post().await();
                    });
            simulation.crashStrand("c0", 0, CrashPoint.When.AFTER); // the WRITE took effect, no answer arrived
            simulation.run(); // until all strands ended
            assertEquals(42, Words.plain(fabric.memory(0).region(0).data(), 0));
            simulation.coverage().require(CoveragePoint.STRAND_CRASHED); // the test got where it wanted to be
        }
    }
}
