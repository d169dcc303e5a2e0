package tidepool.evidence.litmus;

import tidepool.evidence.faults.QuietPool;
import tidepool.protocol.ford.Ford;

/** Litmus tests of FORD. */
class FordLitmusTest extends LitmusSuite {
    FordLitmusTest() {
        super(Ford.class, QuietPool::check);
    }
}
