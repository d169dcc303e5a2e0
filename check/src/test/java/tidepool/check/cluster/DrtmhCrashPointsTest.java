package tidepool.check.cluster;

import tidepool.protocol.Protocol;
import tidepool.protocol.drtmh.Drtmh;

/** Every verb of DrTM+H, and of whoever rolls it forward. */
class DrtmhCrashPointsTest extends CrashPointsTest {
    @Override
    Protocol protocol() {
        return new Drtmh();
    }

    @Override
    int seeds() {
        return 1;
    }

    @Override
    int logVerb() {
        return 6;
    }
}
