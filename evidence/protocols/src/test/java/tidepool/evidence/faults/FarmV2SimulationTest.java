package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.farmv2.FarmV2;

/** Whole clusters of FaRMv2. */
@Tag("full")
class FarmV2SimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new FarmV2();
    }
}
