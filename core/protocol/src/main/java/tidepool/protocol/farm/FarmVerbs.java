package tidepool.protocol.farm;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;

/**
 * The verbs of FaRM. The lock of a record that was read is taken without a READ of its version; validation in the next
 * trip reads it.
 */
public class FarmVerbs extends RecordVerbs {
    public FarmVerbs(PoolRegions pool, MemorySegment memory) {
        super(pool, memory);
    }

    @Override
    public void lockRead(Round round, WriteTarget t, long txn, long intentAt) {
        compareAndLock(round, t, txn, intentAt);
    }

    /** The version is not known yet; validation compares it. */
    @Override
    public boolean isAsRead(WriteTarget t) {
        return true;
    }
}
