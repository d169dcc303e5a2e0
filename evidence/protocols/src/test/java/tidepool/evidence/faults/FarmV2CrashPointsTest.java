package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.farmv2.FarmV2;

/** Every verb of FaRMv2, and of the recoverer that rolls it forward. */
@Tag("full")
class FarmV2CrashPointsTest extends CrashPointsTest {
    @Override
    Protocol protocol() {
        return new FarmV2();
    }

    @Override
    int seeds() {
        return 1;
    }

    @Override
    int logVerb() {
        return 7;
    }
}
