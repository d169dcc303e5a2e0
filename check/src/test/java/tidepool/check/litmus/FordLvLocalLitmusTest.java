package tidepool.check.litmus;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import tidepool.check.cluster.QuietPool;

/**
 * FORD-LV with a Vcache in each process. Who writes a table owns it and others are refused, so these are the scenes of one
 * writer among readers; and machines alone, because on processes the one who prepares them would own the tables.
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
