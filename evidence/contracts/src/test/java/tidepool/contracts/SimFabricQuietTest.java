package tidepool.contracts;

import org.junit.jupiter.api.Tag;
import tidepool.sim.Adversary;

/** The simulator without an adversary, as in measurements. Only the cost model keeps the order. */
@Tag("full")
class SimFabricQuietTest extends SimFabricTest {
    @Override
    Adversary adversary() {
        return Adversary.NONE;
    }
}
