package tidepool.protocol.redo;

import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.LogPhase;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.ReleasePhase;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * The steps of transactions that commit by redo logs. Such a transaction reads first, locks at commit, and overwrites
 * only data that every node could rebuild.
 *
 * <pre>
 *   step     verbs (per connection; -> is an order kept for free by the fabric)  trips   a crash right after it leaves
 *   log      each node with a replica of a written object: WRITE redo log        1       some logs   -> dropped
 *   ----     commit point: all logs are acknowledged ----                                all logs    -> rolled forward
 *   commit   each replica: WRITE VER={INV,T} -> WRITE body                       0 or 1  some images -> rolled forward
 *   release  after all images, primary: WRITE VER={0,T} -> WRITE LOCK=0;
 *            backup: CAS VER {INV,T}->{0,T}                                      later   some locks  -> rolled forward
 * </pre>
 *
 * "later" is a background round, which no caller waits for.
 */
public abstract class RedoTxn extends RecordTxn {
    private final RedoCoordinator coordinator;
    private final Placement placement;
    private final LogPhase logPhase;
    private final ReleasePhase releasePhase;

    /** The images of this transaction, from {@link #commit} to {@link #release}. */
    private Round images;

    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    protected RedoTxn(RedoCoordinator coordinator) {
        super(coordinator, false);
        this.coordinator = coordinator;
        this.placement = coordinator.pool().placement();
        this.logPhase = new LogPhase(this, coordinator, LogPhase.Images.NEW);
        this.releasePhase = new ReleasePhase(this, coordinator);
    }

    /**
     * Each node with a replica of a written object: WRITE redo log.
     *
     * @param stamp the commit timestamp; {@link LogPhase#NO_STAMP} if the protocol has none
     */
    protected void log(int slot, long stamp) {
        at(Step.LOG);
        sealBodies();
        logPhase.claim(slot);
        logPhase.addAll(round(), slot, stamp);
        round().post().await();
    }

    /**
     * Each replica: WRITE VER={INV,T} -> WRITE body. If the coordinator does not await images, {@link #release} sends
     * them.
     */
    protected final void commit(int slot) {
        at(Step.COMMIT);
        images = Step.COMMIT.on(coordinator.imagesOf(slot));
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            for (int r = 0; r < coordinator.pool().copies(t.pointer); r++)
                image(images, placement.replica(Pointer.partition(t.pointer), r), i);
        }
        if (coordinator.awaitsImages()) images.post().await();
    }

    /** Adds the image of the i-th object on one node, and the verbs that a protocol sends with it. */
    protected void image(Round round, int node, int i) {
        verbs().image(round, node, writes().get(i), id());
    }

    /**
     * In the background. Primary: WRITE VER={0,T} -> WRITE LOCK=0. Backup: CAS VER {INV,T}->{0,T}. Locks stay until
     * every replica has the image. Otherwise a late image would overwrite the next writer's version on a backup.
     */
    protected final void release(int slot) {
        at(Step.RELEASE);
        Round release = Step.RELEASE.on(releasePhase.addAll(coordinator.releaseOf(slot)));
        if (coordinator.awaitsImages()) release.postInBackground();
        else images.postInBackground(release);
    }
}
