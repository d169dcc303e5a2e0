package tidepool.evidence.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;

/** Verbs in which a bug can be planted; otherwise those of the coordinator's protocol. */
public class PlantedVerbs extends RecordVerbs {
    /** A coordinator that checks locked objects only when it validates, as FaRM does. */
    public interface LooksLater {
        boolean looksLater();
    }

    private final boolean looksLater;

    public PlantedVerbs(RecordCoordinator coordinator, MemorySegment memory) {
        super(coordinator.pool(), memory);
        this.looksLater = coordinator instanceof LooksLater c && c.looksLater();
    }

    @Override
    public void lockRead(Round round, WriteTarget t, long txn, long intentAt) {
        if (looksLater) compareAndLock(round, t, txn, intentAt);
        else super.lockRead(round, t, txn, intentAt);
    }

    @Override
    public boolean isAsRead(WriteTarget t) {
        return looksLater || super.isAsRead(t);
    }
}
