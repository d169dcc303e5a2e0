package tidepool.check.litmus;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import tidepool.check.cluster.QuietPool;
import tidepool.protocol.hdtx.Hdtx;

/** HDTX. */
@Tag("full")
class HdtxLitmusTest extends LitmusSuite {
    HdtxLitmusTest() {
        super(Hdtx.class, QuietPool::check);
    }

    /** Redo logs: what readers could see is never undone. And who meets a lock stands in line: nobody aborts for it. */
    @Override
    protected boolean canMeet(Scene scene) {
        return !Set.of("undone-read", "fresh-slot", "abort-storm").contains(scene.name());
    }

    /** Who wants a slot of the same bucket waits for its turn, so processes seldom find it full in the middle; machines do. */
    @Override
    protected int leastOfProcesses(Scene scene) {
        return scene.name().equals("full-bucket") ? 1 : super.leastOfProcesses(scene);
    }
}
