package tidepool.check.litmus;

import tidepool.check.cluster.QuietPool;

/** FORD-LV with one Vcache for all: every version that is written or validated goes through it. */
class FordLvLitmusTest extends LitmusSuite {
    FordLvLitmusTest() {
        super("ford-lv?vcache=global&vcachebytes=64k", QuietPool::check);
    }
}
