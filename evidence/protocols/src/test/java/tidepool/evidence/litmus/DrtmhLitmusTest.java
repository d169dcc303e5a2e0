package tidepool.evidence.litmus;

import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.drtmh.Drtmh;
import tidepool.testkit.Effort;

/** Litmus tests of DrTM+H. */
@Tag("full")
class DrtmhLitmusTest extends LitmusSuite {
    DrtmhLitmusTest() {
        super(Drtmh.class, QuietPool::check);
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
