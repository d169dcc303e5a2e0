package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.farm.Farm;

/** Every verb of FaRM, and of whoever rolls it forward. */
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
