package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Round;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/** Undo log, mark and image on every replica, in one trip (§4.3); then the release, behind the report. */
final class CommitPhase {
    private final FordTxn txn;
    private final FordCoordinator coordinator;
    private final WriteSet writes;
    private final Round round;
    private final MemorySegment memory;

    CommitPhase(FordTxn txn, FordCoordinator coordinator, WriteSet writes, Round round, MemorySegment memory) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.writes = writes;
        this.round = round;
        this.memory = memory;
    }

    /** Makes the new bodies, and refuses a write set that the log does not hold. */
    void prepare() {
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            ObjectLayout.seal(memory, t.staged, t.bodyBytes, t.key, t.flags, txn.id());
        }
        for (int node = 0; node < coordinator.pool().nodes(); node++)
            if (UndoLog.bytes(writes, coordinator.placement, node) > coordinator.logSlotBytes())
                throw txn.tooLarge("bytes of log", coordinator.logSlotBytes());
    }

    /** Waits until every replica has everything. */
    void write(int logSlot) {
        for (int node = 0; node < coordinator.pool().nodes(); node++) post(node, logSlot);
        round.post().await();
    }

    private void post(int node, int logSlot) {
        Placement placement = coordinator.placement;
        long bytes = UndoLog.bytes(writes, placement, node);
        if (bytes == 0) return;
        long log = txn.take(bytes);
        UndoLog.write(memory, log, bytes, txn.id(), writes, placement, node);
        txn.verbs().log(round, node, coordinator.logSlot(logSlot), bytes, log);
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (placement.holds(node, Pointer.partition(t.pointer))) txn.verbs().image(round, node, t, txn.id());
        }
    }

    /** In the background: visible on every replica, free on the primary. */
    void release(Round release) {
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            txn.verbs().releasePrimary(release, t, txn.id());
            for (int r = 1; r < coordinator.placement.replicas(); r++)
                txn.verbs().releaseBackup(release, t, txn.id(), r);
        }
        release.postInBackground();
    }
}
