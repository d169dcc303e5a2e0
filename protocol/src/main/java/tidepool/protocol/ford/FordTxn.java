package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.Flush;
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
 *
 * With flush (§4.5) the log is persistent before the data leaves, so it does not travel with it: <b>WRITE undo log ->
 * FLUSH</b> goes beside validation, in a trip of its own where there is none to validate, or together with the locks if
 * everything that is written was seen when it was looked up; and the data ends with FLUSH where it must outlast a loss of
 * power. Where nodes keep a journal ({@link tidepool.fabric.Fabric#persistsInOrder}) the log travels with the data as
 * without flush, and one FLUSH behind both is enough.
 */
public class FordTxn extends RecordTxn {
    private final FordCoordinator coordinator;
    private final FordOptions options;
    private final boolean logsAlone;
    private final Flush flush;
    private final Placement placement;
    private final Round logRound;

    /** The nodes on which this transaction has written its log. */
    private final boolean[] logged;

    /** How long the log of each node is; 0 where nothing of the write set lies. */
    private final long[] logBytes;

    /** The log of a node that holds the whole write set: how long it is, and where it lies here once it is made, or -1. */
    private long wholeBytes;

    private long whole;

    /** What was logged together with locks: so many of the write set, and the versions they were seen with. */
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

    /** The transaction before may have been refused while its logs were made. */
    @Override
    protected void begun() {
        logRound.discard();
    }

    // ---- the log together with the locks: what is logged then is a guess, and good if the locks find the same

    @Override
    protected void besideLocks() {
        loggedEarly = 0;
        if (!flush.isDurable() || !logsAlone || needsValidation())
            return; // otherwise the log costs no trip beside validation
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) if (!isSeen(writes.get(i))) return;
        claimSlot(logSlot());
        logEverywhere(round());
        for (int i = 0; i < writes.count(); i++)
            versionLogged[i] = writes.get(i).version(memory());
        loggedEarly = writes.count();
    }

    /** Whether the object as it was lies in its landing place: it is locked already, or was seen whole. */
    private boolean isSeen(Target t) {
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

    /** No id is used twice, so the same version is the same image. */
    boolean isLogged() {
        if (loggedEarly != writes().count()) return false;
        for (int i = 0; i < loggedEarly; i++) if (writes().get(i).version(memory()) != versionLogged[i]) return false;
        return true;
    }

    // ---- validate, with the log beside it if it travels alone

    @Override
    protected boolean validate() {
        if (!logsAlone || writes().count() == 0 || isLogged()) return super.validate();
        claimSlot(logSlot());
        logEverywhere(logRound);
        Step.LOG.on(logRound).post();
        try {
            return super.validate();
        } finally {
            logRound.await(); // also if it was refused: the next transaction makes its logs in this round
        }
    }

    private void logEverywhere(Round round) {
        for (int node = 0; node < logged.length; node++)
            if (log(round, node, logSlot()) && isFlushed(node)) verbs().flushLog(round, node);
    }

    /** Refuses a write set that the log does not hold, and waits until nobody needs what is in its slot. */
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

    /** False if nothing of the write set lies on that node, or it has its log. */
    private boolean log(Round round, int node, int slot) {
        if (logged[node]) return false;
        logged[node] = true;
        long bytes = logBytes[node];
        if (bytes == 0) return false;
        verbs().log(round, node, coordinator.logSlot(slot), bytes, bytes == wholeBytes ? wholeLog(node) : log(node));
        return true;
    }

    /** Nodes that hold the whole write set have the same log: it is made once. */
    private long wholeLog(int node) {
        if (whole < 0) whole = log(node);
        return whole;
    }

    private long log(int node) {
        long log = take(logBytes[node]);
        ImageLog.undo(memory(), log, logBytes[node], id(), writes(), placement, node);
        return log;
    }

    /** Whether a node holds something of the write set that outlasts a loss of power. */
    private boolean isFlushed(int node) {
        for (int i = 0; i < writes().count(); i++)
            if (flush.isAt(node, placement, Pointer.partition(writes().get(i).pointer))) return true;
        return false;
    }

    // ---- commit

    @Override
    protected void toCommitPoint(int slot) {
        for (int i = 0; i < writes().count(); i++) {
            Target t = writes().get(i);
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

    /** Adds log and images of every node for which it is asked. False if there is nothing. */
    private boolean install(int slot, boolean primaries, boolean backups) {
        boolean any = false;
        for (int node = 0; node < logged.length; node++) {
            boolean flushes = false;
            for (int i = 0; i < writes().count(); i++) {
                Target t = writes().get(i);
                int partition = Pointer.partition(t.pointer);
                if (!placement.holds(node, partition)) continue;
                if (placement.primary(partition) == node ? !primaries : !backups) continue;
                log(round(), node, slot);
                verbs().image(round(), node, t, id());
                any = true;
                // As published, full flush is one for each record; it needs no trip of its own, though.
                if (flush == Flush.FULL) verbs().flushImages(round(), node);
                else flushes |= flush.isAt(node, placement, partition);
            }
            if (flushes) verbs().flushImages(round(), node);
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
            for (int r = 1; r < coordinator.pool().copies(t.pointer); r++) verbs().releaseBackup(release, t, id(), r);
        }
        post(Step.RELEASE.on(release));
    }

    /** Sends the release: from here on others may lock what was written. */
    protected void post(Round release) {
        release.postInBackground();
    }
}
