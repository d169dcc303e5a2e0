package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.farm.Farm;

/** Whole clusters of FaRM. */
class FarmSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Farm();
    }
}
