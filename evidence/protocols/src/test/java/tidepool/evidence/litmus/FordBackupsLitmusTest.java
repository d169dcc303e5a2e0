package tidepool.evidence.litmus;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;

/** Litmus tests of FORD that reads from backups in turn: the scenes with a part that only reads, on machines. */
@Tag("full")
class FordBackupsLitmusTest extends MachinesSuite {
    private static final Set<String> READERS = Set.of(
            "read-skew",
            "read-skew-at-once",
            "long-fork",
            "dirty-read",
            "aborted-read",
            "torn-value",
            "undone-read",
            "strict-reader-one-key",
            "strict-reader-two-keys");

    FordBackupsLitmusTest() {
        super("ford?reads=backup", QuietPool::check);
    }

    @Override
    protected boolean canPlay(Scene scene) {
        return READERS.contains(scene.name());
    }
}
