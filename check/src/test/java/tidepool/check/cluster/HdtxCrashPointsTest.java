package tidepool.check.cluster;

import org.junit.jupiter.api.Tag;
import tidepool.protocol.Protocol;
import tidepool.protocol.hdtx.Hdtx;

/** Every verb of HDTX, and of whoever carries it out or drops it. */
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

    /** Marks are taken off by the copies, and nothing is unlocked before all of them are made. */
    @Override
    boolean leavesStragglers() {
        return false;
    }
}
