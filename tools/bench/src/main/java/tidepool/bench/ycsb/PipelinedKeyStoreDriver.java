package tidepool.bench.ycsb;

import tidepool.base.Randomness;
import tidepool.bench.race.PipelinedDriver;
import tidepool.bench.race.TxnEnd;
import tidepool.workload.measured.ycsb.Ycsb;

/** {@link KeyStoreDriver} for a clerk that can have several operations under way. */
final class PipelinedKeyStoreDriver extends KeyStoreDriver implements PipelinedDriver {
    private final PipelinedClerk clerk;
    private final int[] types;
    private final int[] keys;
    private int posted;
    private int taken;

    PipelinedKeyStoreDriver(PipelinedClerk clerk, Ycsb ycsb, int number, Randomness random) {
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
    public TxnEnd take() {
        int doneKey = keys[taken];
        boolean reads = types[taken] == READ;
        taken = (taken + 1) % types.length;
        if (!reads) {
            clerk.takeUpdate();
            return TxnEnd.COMMITTED;
        }
        if (!clerk.takeRead(value)) throw missing(doneKey);
        Stamp.read(value, doneKey);
        return TxnEnd.COMMITTED;
    }

    @Override
    public TxnEnd run() {
        return PipelinedDriver.super.run();
    }

    /** Returns 1: such a store runs one operation after the other and retries none. */
    @Override
    public int attempts() {
        return 1;
    }
}
