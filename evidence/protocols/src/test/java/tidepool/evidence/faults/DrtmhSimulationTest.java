package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.drtmh.Drtmh;

/** Whole clusters of DrTM+H. */
@Tag("full")
class DrtmhSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Drtmh();
    }
}
