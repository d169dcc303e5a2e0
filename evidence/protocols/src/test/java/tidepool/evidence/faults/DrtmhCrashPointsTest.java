package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.drtmh.Drtmh;

/** Every verb of DrTM+H, and of the recoverer that rolls it forward. */
@Tag("full")
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
