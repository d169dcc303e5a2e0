package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.farm.Farm;

/** Every verb of FaRM, and of the recoverer that rolls it forward. */
@Tag("full")
class FarmCrashPointsTest extends CrashPointsTest {
    @Override
    Protocol protocol() {
        return new Farm();
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
