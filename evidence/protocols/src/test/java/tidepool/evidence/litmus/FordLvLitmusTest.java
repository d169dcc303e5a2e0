package tidepool.evidence.litmus;

import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;
import tidepool.testkit.Effort;

/** Litmus tests of FORD-LV with one Vcache for all: every version that is written or validated goes through it. */
@Tag("full")
class FordLvLitmusTest extends LitmusSuite {
    FordLvLitmusTest() {
        super("ford-lv?vcache=global&vcachebytes=64k", QuietPool::check);
    }

    @Override
    protected Effort effortOfProcesses() {
        return Effort.NIGHT;
    }
}
