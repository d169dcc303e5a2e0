package tidepool.evidence.litmus;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;

/**
 * Litmus tests of FORD-LV with a Vcache in each process. The writer of a table owns it, and other writers are refused.
 * So these are the scenes with one writer among readers. They run on machines alone: on processes, the examiner that
 * prepares the tables would own them.
 */
@Tag("full")
class FordLvLocalLitmusTest extends MachinesSuite {
    private static final Set<String> ONE_WRITER = Set.of(
            "read-skew",
            "read-skew-at-once",
            "dirty-read",
            "aborted-read",
            "torn-value",
            "undone-read",
            "killed",
            "log-slot-reuse");

    FordLvLocalLitmusTest() {
        super("ford-lv?vcache=local&vcachebytes=64k", QuietPool::check);
    }

    @Override
    protected boolean canPlay(Scene scene) {
        return ONE_WRITER.contains(scene.name());
    }
}
