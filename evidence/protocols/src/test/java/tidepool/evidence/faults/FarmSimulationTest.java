package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.farm.Farm;

/** Whole clusters of FaRM. */
@Tag("full")
class FarmSimulationTest extends ClusterSimulationTest {
    @Override
    Protocol protocol() {
        return new Farm();
    }
}
