package tidepool.check.litmus;

import tidepool.check.cluster.QuietPool;
import tidepool.protocol.ford.Ford;

/** Litmus tests of FORD. */
class FordLitmusTest extends LitmusSuite {
    FordLitmusTest() {
        super(Ford.class, QuietPool::check);
    }
}
