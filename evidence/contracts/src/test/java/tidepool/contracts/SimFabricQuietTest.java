package tidepool.contracts;

import org.junit.jupiter.api.Tag;
import tidepool.sim.Adversary;

/** The simulator with nobody to disturb it, as it measures: the order is kept by the cost model alone. */
@Tag("full")
class SimFabricQuietTest extends SimFabricTest {
    @Override
    Adversary adversary() {
        return Adversary.NONE;
    }
}
