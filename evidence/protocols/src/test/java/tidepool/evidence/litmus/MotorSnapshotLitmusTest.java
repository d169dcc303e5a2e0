package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorOptions;

/** Litmus tests of Motor with snapshot isolation: all scenes but those of write skew, which is allowed. */
@Tag("full")
class MotorSnapshotLitmusTest extends MachinesSuite {
    private static final Set<String> SKEW = Set.of(
            "write-skew",
            "write-skew-at-once",
            "phantom-insert",
            "phantom-delete",
            "strict-reader-one-key",
            "strict-reader-two-keys",
            "strict-reader-new-key");

    MotorSnapshotLitmusTest() {
        super("motor?isolation=snapshot", QuietPool::check);
    }

    @Override
    protected boolean canPlay(Scene scene) {
        return !SKEW.contains(scene.name());
    }

    /** Shows that write skew is rightly omitted: it would fail. */
    @Test
    void writeSkewIsAllowedAndHappens() {
        Caught skew = Caught.byPlan(
                Scenes.named("write-skew"),
                () -> new Motor(MotorOptions.DEFAULT.with(MotorOptions.Isolation.SNAPSHOT)));

        assertTrue(skew.isCaught(), "snapshot isolation lets two overtake each other");
    }
}
