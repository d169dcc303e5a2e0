package tidepool.protocol.record;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;

/** Verbs to plant a bug in: otherwise those of the protocol that the coordinator belongs to. */
public class PlantedVerbs extends RecordVerbs {
    /** A coordinator that looks at what it has locked only when it validates, as FaRM does. */
    public interface LooksLater {
        boolean looksLater();
    }

    private final boolean looksLater;

    public PlantedVerbs(RecordCoordinator coordinator, MemorySegment memory) {
        super(coordinator.pool(), memory);
        this.looksLater = coordinator instanceof LooksLater c && c.looksLater();
    }

    @Override
    public void lockRead(Round round, Target t, long txn, long intentAt) {
        if (looksLater) compareAndLock(round, t, txn, intentAt);
        else super.lockRead(round, t, txn, intentAt);
    }

    @Override
    public boolean isAsRead(Target t) {
        return looksLater || super.isAsRead(t);
    }
}
