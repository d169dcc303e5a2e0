package tidepool.evidence.redo;

import java.lang.foreign.MemorySegment;
import tidepool.evidence.record.ManyRounds;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.drtmh.DrtmhTxn;
import tidepool.protocol.farm.FarmTxn;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.redo.RedoCoordinator;
import tidepool.store.Catalog;

/** A coordinator of FaRM or of DrTM+H in which a bug is planted. */
final class PlantedRedo extends RedoCoordinator implements PlantedVerbs.LooksLater {
    private final RedoBug bug;
    private final boolean farm;

    /** The regions of the pool over second connections. */
    final PoolRegions second;

    /** Rounds for verbs that the bug sends in addition. */
    final ManyRounds extraRounds = new ManyRounds();

    private PlantedRedo(RedoBug bug, boolean farm, Session session, Catalog catalog, TxnCounter counters) {
        super(session, catalog, counters, farm);
        this.bug = bug;
        this.farm = farm;
        this.second = new PoolRegions(lane, catalog);
    }

    /** Returns a protocol, {@code farm} or {@code drtmh}, with this bug. */
    static Protocol protocol(String name, RedoBug bug) {
        return new Protocol() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
                return new PlantedRedo(bug, name.equals("farm"), session, catalog, counters);
            }

            @Override
            public Recovery recovery(Session session, Catalog catalog) {
                return bug.recovery(session, catalog);
            }
        };
    }

    @Override
    protected RecordTxn newTxn() {
        return farm ? new FarmTxn(this) {} : new DrtmhTxn(this) {};
    }

    @Override
    public boolean looksLater() {
        return farm;
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return bug.verbs(this, memory);
    }

    @Override
    public Round releaseOf(int slot) {
        boolean reuses = bug == RedoBug.LOG_SLOT_REUSED_TOO_EARLY;
        return reuses ? extraRounds.take(lane, WriteSet.MAX_OBJECTS * 4) : super.releaseOf(slot);
    }

    @Override
    public long logSlot(int slot) {
        return super.logSlot(bug == RedoBug.LOG_SLOT_REUSED_TOO_EARLY ? 0 : slot);
    }

    @Override
    protected int transactions() {
        return bug == RedoBug.MEMORY_REUSED_TOO_EARLY ? 1 : super.transactions();
    }

    @Override
    protected void reuse() {
        if (bug != RedoBug.MEMORY_REUSED_TOO_EARLY) super.reuse();
    }

    @Override
    public void close() {
        if (!isBroken()) extraRounds.settle();
        super.close();
    }
}
