package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.hdtx.Hdtx;

/** Whole clusters of HDTX. */
class HdtxSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Hdtx();
    }
}
