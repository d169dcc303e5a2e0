package tidepool.evidence.faults;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.hdtx.Hdtx;

/** Every verb of HDTX, and of the recoverer that completes or drops it. */
@Tag("full")
class HdtxCrashPointsTest extends CrashPointsTest {
    @Override
    Protocol protocol() {
        return new Hdtx();
    }

    @Override
    int seeds() {
        return 1;
    }

    /** The copies remove the marks, and nothing is unlocked before all copies are made. */
    @Override
    boolean leavesStragglers() {
        return false;
    }
}
