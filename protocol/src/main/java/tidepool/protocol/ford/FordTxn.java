package tidepool.protocol.ford;

import tidepool.fabric.Round;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * A transaction of FORD (journal version, §4), corrected: {@code docs/protocols/ford.md} says where and why.
 *
 * <pre>
 *   phase      verbs (per connection; -> is an order that the fabric keeps for free)        trips   a crash right after it leaves
 *   execute    {@link RecordTxn}: locks ride with the reads (§4.2)                            1     locks      -> freed
 *   validate   READ LOCK -> READ VER, only with a read set                                  0 or 1  locks      -> freed
 *   commit     each replica: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body) (§4.3)       1     log, some images -> finished
 *                                                                                                   if all are there, else undone
 *   ---- commit point: all acknowledged ----
 *   release    primary: WRITE VER={0,T} -> WRITE LOCK=0; backup: CAS VER {INV,T}->{0,T}     behind  some locks -> finished
 * </pre>
 */
public class FordTxn extends RecordTxn {
    private final FordCoordinator coordinator;
    private final FordOptions options;
    private final Placement placement;
    private final Round logRound;

    /** The nodes on which this transaction has written its log. */
    private final boolean[] logged;

    public FordTxn(FordCoordinator coordinator, FordOptions options) {
        super(coordinator, options.locking() == FordOptions.Locking.HITCHHIKED);
        this.coordinator = coordinator;
        this.options = options;
        this.placement = coordinator.pool().placement();
        this.logRound = coordinator.lane().round(coordinator.pool().nodes());
        this.logged = new boolean[coordinator.pool().nodes()];
    }

    // ---- validate, with the log beside it if it travels alone

    @Override
    protected boolean validate() {
        if (options.undo() == FordOptions.Undo.AHEAD || writes().count() == 0) return super.validate();
        prepare(logSlot());
        for (int node = 0; node < logged.length; node++) log(logRound, node, logSlot());
        logRound.post();
        boolean valid = super.validate();
        logRound.await();
        return valid;
    }

    /** Makes the new bodies, and refuses a write set that the log does not hold. */
    private void prepare(int slot) {
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            ObjectLayout.seal(memory(), t.staged, t.bodyBytes, t.key, t.flags, id());
        }
        for (int node = 0; node < logged.length; node++) {
            logged[node] = false;
            if (ImageLog.bytes(writes, placement, node) > coordinator.logSlotBytes())
                throw tooLarge("bytes of log", coordinator.logSlotBytes());
        }
        coordinator.releaseOf(slot);
    }

    private void log(Round round, int node, int slot) {
        if (logged[node]) return;
        logged[node] = true;
        long bytes = ImageLog.bytes(writes(), placement, node);
        if (bytes == 0) return;
        long log = take(bytes);
        ImageLog.undo(memory(), log, bytes, id(), writes(), placement, node);
        verbs().log(round, node, coordinator.logSlot(slot), bytes, log);
    }

    // ---- commit

    @Override
    protected void toCommitPoint(int slot) {
        if (options.undo() == FordOptions.Undo.AHEAD) prepare(slot);
        if (options.commit() == FordOptions.Commit.COALESCED) {
            if (install(slot, true, true)) round().post().await();
            return;
        }
        if (install(slot, false, true)) round().post().await();
        if (install(slot, true, false)) round().post().await();
    }

    /** Adds log and images of every node for which it is asked. False if there is nothing. */
    private boolean install(int slot, boolean primaries, boolean backups) {
        boolean any = false;
        for (int node = 0; node < logged.length; node++)
            for (int i = 0; i < writes().count(); i++) {
                Target t = writes().get(i);
                int partition = Pointer.partition(t.pointer);
                if (!placement.holds(node, partition)) continue;
                if (placement.primary(partition) == node ? !primaries : !backups) continue;
                log(round(), node, slot);
                verbs().image(round(), node, t, id());
                any = true;
            }
        return any;
    }

    /** In the background: visible on every replica, free on the primary. */
    @Override
    protected void afterCommitPoint(int slot) {
        Round release = coordinator.releaseOf(slot);
        for (int i = 0; i < writes().count(); i++) {
            Target t = writes().get(i);
            verbs().releasePrimary(release, t, id());
            for (int r = 1; r < placement.replicas(); r++) verbs().releaseBackup(release, t, id(), r);
        }
        release.postInBackground();
    }
}
