package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.farmv2.FarmV2;

/** Whole clusters of FaRMv2. */
class FarmV2SimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new FarmV2();
    }
}
