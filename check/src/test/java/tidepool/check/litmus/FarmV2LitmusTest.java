package tidepool.check.litmus;

import org.junit.jupiter.api.Tag;
import tidepool.check.cluster.QuietPool;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.testkit.Effort;

/** FaRMv2. */
@Tag("full")
class FarmV2LitmusTest extends LitmusSuite {
    FarmV2LitmusTest() {
        super(FarmV2.class, QuietPool::check);
    }

    /** As FaRM. */
    @Override
    protected boolean canMeet(Scene scene) {
        return !scene.name().equals("undone-read") && !scene.name().equals("fresh-slot");
    }

    @Override
    protected Effort effortOfProcesses() {
        return Effort.NIGHT;
    }
}
