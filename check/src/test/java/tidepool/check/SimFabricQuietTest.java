package tidepool.check;

import tidepool.fabric.sim.Adversary;

/** The simulator with nobody to disturb it, as it measures: the order is kept by the cost model alone. */
class SimFabricQuietTest extends SimFabricTest {
    @Override
    Adversary adversary() {
        return Adversary.NONE;
    }
}
