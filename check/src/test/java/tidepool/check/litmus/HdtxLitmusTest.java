package tidepool.check.litmus;

import tidepool.check.cluster.QuietPool;
import tidepool.protocol.hdtx.Hdtx;

/** HDTX. */
class HdtxLitmusTest extends LitmusSuite {
    HdtxLitmusTest() {
        super(Hdtx.class, QuietPool::check);
    }

    /** Redo logs: what readers could see is never undone. */
    @Override
    protected boolean canMeet(Scene scene) {
        return !scene.name().equals("undone-read");
    }
}
