package tidepool.evidence.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.memory.ChainedWorkLayout;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.protocol.hdtx.HdtxVerbs;
import tidepool.store.LogLayout;

/** Verbs that start the chained work of the transaction before once more, after that of each transaction. */
final class ReplayingVerbs extends HdtxVerbs {
    private final HdtxCoordinator coordinator;
    private final boolean awaited;
    private final long[] last;
    private final int[] lastSlot;

    /** @param awaited whether a replay is over before the slot of its descriptor is used again */
    ReplayingVerbs(HdtxCoordinator coordinator, MemorySegment memory, HdtxOptions options, boolean awaited) {
        super(coordinator.pool(), memory, options);
        this.coordinator = coordinator;
        this.awaited = awaited;
        last = new long[pool.nodes()];
        lastSlot = new int[pool.nodes()];
    }

    @Override
    public void log(Round round, int node, long slot, long bytes, long log) {
        // The replays went with the copies of the transaction before this one, which lies in the other slot.
        if (awaited) for (int other = 0; other < LogLayout.SLOTS; other++) coordinator.copiesOf(other);
        super.log(round, node, slot, bytes, log);
    }

    @Override
    public void chain(Round round, int node, long descriptor, boolean follows) {
        super.chain(round, node, descriptor, follows);
        if (last[node] != 0 && lastSlot[node] != coordinator.slot()) {
            coordinator.copiesOf(lastSlot[node]); // it is over, so its guard does not hold any more
            round.write(pool.log(node), last[node] + ChainedWorkLayout.STATUS, ChainedWorkLayout.STATUS_NEW);
            super.chain(round, node, last[node], false);
        }
        last[node] = descriptor;
        lastSlot[node] = coordinator.slot();
    }
}
