package tidepool.evidence.redo;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.evidence.record.PlantedVerbs;
import tidepool.fabric.Round;

/**
 * Verbs that send logs in the background, from memory of their own. The round waits instead for an answer that means
 * nothing.
 */
final class UnawaitedLogs extends PlantedVerbs {
    private static final int SLOT_BYTES = 4096;

    private final PlantedRedo coordinator;
    private final MemorySegment here;

    UnawaitedLogs(PlantedRedo c, MemorySegment memory) {
        super(c, memory);
        this.coordinator = c;
        this.here = c.lane().landing(Words.BYTES);
    }

    @Override
    public void log(Round round, int node, long slot, long bytes, long log) {
        MemorySegment copy = coordinator.lane().landing(SLOT_BYTES);
        MemorySegment.copy(memory, log, copy, 0, bytes);
        coordinator
                .extraRounds
                .take(coordinator.lane(), 1)
                .write(coordinator.second.log(node), slot, bytes, copy, 0)
                .postInBackground();
        round.read(pool.log(node), slot, Words.BYTES, here, 0);
    }
}
