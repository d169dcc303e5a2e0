package tidepool.evidence.litmus;

import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.testkit.Effort;

/** Litmus tests of FaRMv2. */
@Tag("full")
class FarmV2LitmusTest extends LitmusSuite {
    FarmV2LitmusTest() {
        super(FarmV2.class, QuietPool::check);
    }

    /**
     * With redo logs, values that readers could see are never undone. Inserts lock their slot only at commit, in one
     * trip.
     */
    @Override
    protected boolean canMeet(Scene scene) {
        return !scene.name().equals("undone-read") && !scene.name().equals("fresh-slot");
    }

    @Override
    protected Effort effortOfProcesses() {
        return Effort.NIGHT;
    }
}
