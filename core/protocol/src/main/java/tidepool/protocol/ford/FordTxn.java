package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.FlushPolicy;
import tidepool.store.ObjectLayout;
import tidepool.store.Placement;
import tidepool.store.Pointer;

/**
 * A transaction of FORD (journal version, §4), corrected: {@code docs/internals/protocols/ford.md} says where and why.
 *
 * <pre>
 *   phase     verbs (per connection; -> is an order that the fabric keeps for free)     trips     a crash right after
 *                                                                                                 the phase leaves
 *   execute   {@link RecordTxn}: locks ride with the reads (§4.2)                       1         locks -> freed
 *   validate  READ LOCK -> READ VER, only with a read set                               0 or 1    locks -> freed
 *   commit    each replica: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body) (§4.3)  1         log, some images ->
 *                                                                                                 finished if all are
 *                                                                                                 there, else undone
 *   ---- commit point: all acknowledged ----
 *   release   primary: WRITE VER={0,T} -> WRITE LOCK=0; backup: CAS VER {INV,T}->{0,T}  in back-  some locks ->
 *                                                                                       ground    finished
 * </pre>
 *
 * With flush (§4.5) the log is persistent before the data leaves, so it does not travel with the data. <b>WRITE undo
 * log -> FLUSH</b> is sent in the trip of validation, or in a trip of its own if there is nothing to validate, or
 * together with the locks if the lookup has seen everything that is written. The data ends with FLUSH where it must
 * survive a loss of power. Where nodes keep a journal ({@link tidepool.fabric.Fabric#persistsInOrder}), the log travels
 * with the data as without flush, and one FLUSH after both is enough.
 */
public class FordTxn extends RecordTxn {
    private final FordCoordinator coordinator;
    private final FordOptions options;
    private final boolean logsAlone;
    private final FlushPolicy flush;
    private final Placement placement;
    private final Round logRound;

    /** The nodes on which this transaction has written its log. */
    private final boolean[] logged;

    /** Bytes of the log of each node; 0 if the node holds nothing of the write set. */
    private final long[] logBytes;

    /** The log of a node that holds the whole write set: its bytes, and its local offset once it is made, or -1. */
    private long wholeBytes;

    private long whole;

    /**
     * The early log, sent together with locks: how many objects of the write set it has, and the versions they were
     * seen with.
     */
    private int loggedEarly;

    private final long[] versionLogged = new long[WriteSet.MOST];

    public FordTxn(FordCoordinator coordinator, FordOptions options) {
        super(coordinator, options.locking() == FordOptions.Locking.HITCHHIKED);
        this.coordinator = coordinator;
        this.options = options;
        this.logsAlone = options.logsAlone(coordinator.pool().persistsInOrder());
        this.flush = options.flush();
        this.placement = coordinator.pool().placement();
        this.logRound = coordinator.lane().round(2 * coordinator.pool().nodes());
        this.logged = new boolean[coordinator.pool().nodes()];
        this.logBytes = new long[logged.length];
    }

    /** Discards the log round: the transaction before may have been refused while its logs were made. */
    @Override
    protected void begun() {
        logRound.discard();
    }

    // ---- early log, together with the locks: speculative, and valid if the locked versions equal the logged ones

    @Override
    protected void besideLocks() {
        loggedEarly = 0;
        if (!flush.isDurable() || !logsAlone || needsValidation())
            return; // in the trip of validation the log costs no trip of its own
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) if (!isSeen(writes.get(i))) return;
        claimSlot(logSlot());
        logEverywhere(round());
        for (int i = 0; i < writes.count(); i++)
            versionLogged[i] = writes.get(i).version(memory());
        loggedEarly = writes.count();
    }

    /** Returns whether the old object lies in its landing place, because it is locked already or was seen whole. */
    private boolean isSeen(WriteTarget t) {
        if (t.held || t.isRead() && !t.isHead()) return true;
        if (t.seen < 0) return false;
        long version = Words.plain(memory(), t.seen + ObjectLayout.VERSION);
        if (!verbs().isCommitted(memory(), t.seen + ObjectLayout.BODY, t.bodyBytes, version)) return false;
        MemorySegment.copy(
                memory(),
                t.seen + ObjectLayout.VERSION,
                memory(),
                t.landed + ObjectLayout.VERSION,
                Words.BYTES + t.bodyBytes);
        return true;
    }

    /** Returns whether the early log is valid. No id is used twice, so an equal version means an equal image. */
    boolean isLogged() {
        if (loggedEarly != writes().count()) return false;
        for (int i = 0; i < loggedEarly; i++) if (writes().get(i).version(memory()) != versionLogged[i]) return false;
        return true;
    }

    // ---- validate, in the same trip as the log if it travels alone

    @Override
    protected boolean validate() {
        if (!logsAlone || writes().count() == 0 || isLogged()) return super.validate();
        claimSlot(logSlot());
        logEverywhere(logRound);
        Step.LOG.on(logRound).post();
        try {
            return super.validate();
        } finally {
            logRound.await(); // also after a refusal: the next transaction makes its logs in this round
        }
    }

    private void logEverywhere(Round round) {
        for (int node = 0; node < logged.length; node++)
            if (log(round, node, logSlot()) && isFlushed(node)) verbs().flushLog(round, node);
    }

    /** Refuses a write set that the log cannot hold, and waits until the log in its slot is no longer needed. */
    private void claimSlot(int slot) {
        wholeBytes = ImageLog.bytes(writes());
        whole = -1;
        for (int node = 0; node < logged.length; node++) {
            logged[node] = false;
            logBytes[node] = ImageLog.bytes(writes(), placement, node);
            if (logBytes[node] > coordinator.logSlotBytes()) throw tooLarge("bytes of log", coordinator.logSlotBytes());
        }
        coordinator.releaseOf(slot);
    }

    /** Adds the log of a node. Returns false if nothing of the write set lies on that node, or if it has its log. */
    private boolean log(Round round, int node, int slot) {
        if (logged[node]) return false;
        logged[node] = true;
        long bytes = logBytes[node];
        if (bytes == 0) return false;
        verbs().log(round, node, coordinator.logSlot(slot), bytes, bytes == wholeBytes ? wholeLog(node) : log(node));
        return true;
    }

    /**
     * Returns the log of a node that holds the whole write set. All such nodes have the same log, so it is made once.
     */
    private long wholeLog(int node) {
        if (whole < 0) whole = log(node);
        return whole;
    }

    private long log(int node) {
        long log = take(logBytes[node]);
        ImageLog.undo(memory(), log, logBytes[node], id(), writes(), placement, node);
        return log;
    }

    /** Returns whether a node holds something of the write set that must survive a loss of power. */
    private boolean isFlushed(int node) {
        for (int i = 0; i < writes().count(); i++)
            if (flush.isAt(node, placement, Pointer.partition(writes().get(i).pointer))) return true;
        return false;
    }

    // ---- commit

    @Override
    protected void toCommitPoint(int slot) {
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            ObjectLayout.seal(memory(), t.staged, t.bodyBytes, t.key, t.flags, id());
        }
        if (!logsAlone) claimSlot(slot);
        if (options.commit() == FordOptions.Commit.COALESCED) {
            if (install(slot, true, true)) Step.COMMIT.on(round()).post().await();
            return;
        }
        if (install(slot, false, true)) Step.COMMIT.on(round()).post().await();
        if (install(slot, true, false)) Step.COMMIT.on(round()).post().await();
    }

    /**
     * Adds logs and images of every node that holds a copy of the requested kinds. Returns false if there is nothing to
     * send.
     */
    private boolean install(int slot, boolean primaries, boolean backups) {
        boolean any = false;
        for (int node = 0; node < logged.length; node++) {
            boolean flushes = false;
            for (int i = 0; i < writes().count(); i++) {
                WriteTarget t = writes().get(i);
                int partition = Pointer.partition(t.pointer);
                if (!placement.holds(node, partition)) continue;
                if (placement.primary(partition) == node ? !primaries : !backups) continue;
                log(round(), node, slot);
                verbs().image(round(), node, t, id());
                any = true;
                // As published, full flush means one FLUSH for each record. It needs no trip of its own.
                if (flush == FlushPolicy.FULL) verbs().flushImages(round(), node);
                else flushes |= flush.isAt(node, placement, partition);
            }
            if (flushes) verbs().flushImages(round(), node);
        }
        return any;
    }

    /** In the background, makes the new versions visible on every replica and frees the locks on the primary. */
    @Override
    protected void afterCommitPoint(int slot) {
        Round release = coordinator.releaseOf(slot);
        for (int i = 0; i < writes().count(); i++) {
            WriteTarget t = writes().get(i);
            verbs().releasePrimary(release, t, id());
            for (int r = 1; r < coordinator.pool().copies(t.pointer); r++) verbs().releaseBackup(release, t, id(), r);
        }
        post(Step.RELEASE.on(release));
    }

    /** Sends the release. From here on other transactions may lock the written objects. */
    protected void post(Round release) {
        release.postInBackground();
    }
}
