package tidepool.bench.ycsb;

import tidepool.base.Randomness;
import tidepool.bench.race.End;
import tidepool.bench.race.PipelinedHand;
import tidepool.workload.measured.ycsb.Ycsb;

/** {@link KeyStoreHand} for a clerk who can have several operations under way. */
final class PipelinedKeyStoreHand extends KeyStoreHand implements PipelinedHand {
    private final PipelinedClerk clerk;
    private final int[] types;
    private final int[] keys;
    private int posted;
    private int taken;

    PipelinedKeyStoreHand(PipelinedClerk clerk, Ycsb ycsb, int number, Randomness random) {
        super(clerk, ycsb, number, random);
        this.clerk = clerk;
        this.types = new int[clerk.outstanding()];
        this.keys = new int[clerk.outstanding()];
    }

    @Override
    public int outstanding() {
        return types.length;
    }

    @Override
    public void post() {
        types[posted] = type;
        keys[posted] = key;
        posted = (posted + 1) % types.length;
        if (type == READ) {
            clerk.postRead(key);
        } else {
            fill();
            clerk.postUpdate(key, value);
        }
    }

    @Override
    public End take() {
        int doneKey = keys[taken];
        boolean reads = types[taken] == READ;
        taken = (taken + 1) % types.length;
        if (!reads) {
            clerk.takeUpdate();
            return End.COMMITTED;
        }
        if (!clerk.takeRead(value)) throw missing(doneKey);
        Stamp.read(value, doneKey);
        return End.COMMITTED;
    }

    @Override
    public End run() {
        return PipelinedHand.super.run();
    }

    /** Such a store does one after the other: nothing is tried again. */
    @Override
    public int attempts() {
        return 1;
    }
}
