package tidepool.protocol.redo;

import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * A transaction that commits by its redo log: it reads first, locks at commit, and overwrites only data that every node
 * could rebuild.
 *
 * <pre>
 *   phase    verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   log      each node with a replica of a written object: WRITE redo log        1       some logs   -> dropped
 *   ----     commit point: all logs are acknowledged ----                                all logs    -> rolled forward
 *   images   each replica: WRITE VER={INV,T} -> WRITE body                       0 or 1  some images -> rolled forward
 *   release  after all images, primary: WRITE VER={0,T} -> WRITE LOCK=0;
 *            backup: CAS VER {INV,T}->{0,T}                                      later   some locks  -> rolled forward
 * </pre>
 *
 * "later" is a background round, which no caller waits for.
 */
public abstract class RedoTxn extends RecordTxn {
    private final RedoCoordinator coordinator;
    private final Placement placement;

    protected RedoTxn(RedoCoordinator coordinator) {
        super(coordinator, false);
        this.coordinator = coordinator;
        this.placement = coordinator.pool().placement();
    }

    // ---- log

    @Override
    protected void toCommitPoint(int slot) {
        prepare(slot);
        log(slot);
        Step.LOG.on(round()).post().await();
    }

    /** Makes the new bodies, refuses a write set that the log cannot hold, and waits until the slot is free. */
    protected final void prepare(int slot) {
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            ObjectLayout.seal(memory(), t.staged, t.bodyBytes, t.key, t.flags, id());
        }
        for (int node = 0; node < placement.nodes(); node++)
            if (ImageLog.bytes(writes, placement, node) > coordinator.logSlotBytes())
                throw tooLarge("bytes of log", coordinator.logSlotBytes());
        coordinator.releaseOf(slot);
    }

    /**
     * Logs on every node that takes part, primaries too. Otherwise a node that fails together with the coordinator
     * could take the last copy with it.
     */
    private void log(int slot) {
        for (int node = 0; node < placement.nodes(); node++) if (isLoggedOn(node)) log(node, slot);
    }

    protected boolean isLoggedOn(int node) {
        return ImageLog.bytes(writes(), placement, node) > 0;
    }

    /** Returns the commit timestamp; 0 if the protocol has none. */
    protected long stamp() {
        return 0;
    }

    private void log(int node, int slot) {
        long bytes = ImageLog.bytes(writes(), placement, node);
        long log = take(bytes);
        ImageLog.redo(memory(), log, bytes, id(), stamp(), writes(), placement, node);
        verbs().log(round(), node, coordinator.logSlot(slot), bytes, log);
    }

    // ---- after the commit point

    /**
     * Locks stay until every replica has the image. Otherwise a late image would overwrite the next writer's version on
     * a backup.
     */
    @Override
    protected void afterCommitPoint(int slot) {
        Round images = coordinator.imagesOf(slot);
        Round release = coordinator.releaseOf(slot);
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            for (int r = 0; r < coordinator.pool().copies(t.pointer); r++)
                image(images, placement.replica(Pointer.partition(t.pointer), r), i);
            verbs().releasePrimary(release, t, id());
            for (int r = 1; r < coordinator.pool().copies(t.pointer); r++) verbs().releaseBackup(release, t, id(), r);
        }
        send(Step.COMMIT.on(images), Step.RELEASE.on(release));
    }

    /** Adds the image of the i-th object on one node, and the verbs that a protocol sends with it. */
    protected void image(Round images, int node, int i) {
        verbs().image(images, node, writes().get(i), id());
    }

    protected void send(Round images, Round release) {
        if (!coordinator.awaitsImages()) {
            images.postInBackground(release);
            return;
        }
        images.post().await();
        release.postInBackground();
    }
}
