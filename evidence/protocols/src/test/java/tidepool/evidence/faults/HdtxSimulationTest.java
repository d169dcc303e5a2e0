package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.hdtx.Hdtx;

/** Whole clusters of HDTX. */
@Tag("full")
class HdtxSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Hdtx();
    }
}
