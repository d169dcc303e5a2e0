package tidepool.check.litmus;

import tidepool.check.cluster.QuietPool;
import tidepool.protocol.farmv2.FarmV2;

/** FaRMv2. */
class FarmV2LitmusTest extends LitmusSuite {
    FarmV2LitmusTest() {
        super(FarmV2.class, QuietPool::check);
    }

    /** As FaRM. */
    @Override
    protected boolean canMeet(Scene scene) {
        return !scene.name().equals("undone-read") && !scene.name().equals("fresh-slot");
    }
}
