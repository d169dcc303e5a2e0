package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.drtmh.Drtmh;

/** Whole clusters of DrTM+H. */
class DrtmhSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Drtmh();
    }
}
