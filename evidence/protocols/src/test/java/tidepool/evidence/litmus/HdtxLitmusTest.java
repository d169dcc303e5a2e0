package tidepool.evidence.litmus;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.hdtx.Hdtx;

/** Litmus tests of HDTX. */
@Tag("full")
class HdtxLitmusTest extends LitmusSuite {
    HdtxLitmusTest() {
        super(Hdtx.class, QuietPool::check);
    }

    /**
     * With redo logs, values that readers could see are never undone. A transaction that meets a lock queues for it;
     * none aborts because of a lock.
     */
    @Override
    protected boolean canMeet(Scene scene) {
        return !Set.of("undone-read", "fresh-slot", "abort-storm").contains(scene.name());
    }

    /**
     * A transaction that needs a slot of the bucket waits for its turn. So processes seldom find the bucket full in the
     * middle; machines do.
     */
    @Override
    protected int minOfProcesses(Scene scene) {
        return scene.name().equals("full-bucket") ? 1 : super.minOfProcesses(scene);
    }
}
