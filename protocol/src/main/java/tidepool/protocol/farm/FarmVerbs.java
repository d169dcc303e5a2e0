package tidepool.protocol.farm;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Target;

/** The verbs of FaRM: a record that was read is locked without a look, which the next trip takes. */
public class FarmVerbs extends RecordVerbs {
    public FarmVerbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    @Override
    public void lockRead(Round round, Target t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
    }

    /** Not known yet: validation tells. */
    @Override
    public boolean isAsRead(Target t) {
        return true;
    }
}
