package tidepool.protocol.ford;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.LogPhase;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.ReleasePhase;
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
 *   step      verbs (per connection; -> is an order that the fabric keeps for free)     trips     a crash right after
 *                                                                                                 the step leaves
 *   lookup    {@link RecordTxn}                                                         0 or 1    nothing
 *   lock      in one trip with the reads (§4.2), or at commit: {@link RecordTxn}        1         locks -> freed
 *   read      {@link RecordTxn}                                                         with lock nothing
 *   log       with flush, or if it travels alone: each node: WRITE undo log -> FLUSH    0 or 1    locks, logs -> freed
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
    private final LogPhase logPhase;
    private final ReleasePhase releasePhase;

    /** The nodes on which this transaction has written its log. */
    private final boolean[] logged;

    /**
     * The early log, sent together with locks: how many objects of the write set it has, and the versions they were
     * seen with.
     */
    private int loggedEarly;

    private final long[] versionLogged;

    @SuppressWarnings("this-escape") // the phases keep it and do not use it before a transaction begins
    public FordTxn(FordCoordinator coordinator, FordOptions options) {
        super(coordinator, options.locksEarly());
        this.coordinator = coordinator;
        this.options = options;
        this.logsAlone = options.logsAlone(coordinator.pool().persistsInOrder());
        this.flush = options.flush();
        this.placement = coordinator.pool().placement();
        this.logRound = coordinator.logRound();
        this.versionLogged = new long[room().objects()];
        this.logged = new boolean[coordinator.pool().nodes()];
        this.logPhase = new LogPhase(this, coordinator, LogPhase.Images.OLD);
        this.releasePhase = new ReleasePhase(this, coordinator);
        lockPreamble(this::logEarly);
        if (flush.isDurable() && logsAlone) lookupsSeeRows();
    }

    @Override
    protected boolean execute(int from) {
        if (!lookup(from)) return false;
        return options.locksEarly() ? lockAndRead(from) : read(from); // §4.2: locks ride with the reads
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        if (!validate()) return false; // and the log, if it travels alone
        if (writes().isEmpty()) return true;
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        commit(slot);
        commitPoint(); // ---- every replica has acknowledged: only forward from here
        release(slot);
        return true;
    }

    // ---- early log, together with the locks: speculative, and valid if the locked versions equal the logged ones

    /** Each node: WRITE undo log -> FLUSH, ahead of the locks, if everything that is written was seen by the lookup. */
    protected void logEarly() {
        loggedEarly = 0;
        if (!flush.isDurable() || !logsAlone || needsValidation())
            return; // in the trip of validation the log costs no trip of its own
        if (!mayLogEarly()) return; // a long one would be sent again with every round of locks
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
    protected boolean isLogged() {
        if (loggedEarly != writes().count()) return false;
        for (int i = 0; i < loggedEarly; i++) if (writes().get(i).version(memory()) != versionLogged[i]) return false;
        return true;
    }

    // ---- validate, in the same trip as the log if it travels alone

    /** READ LOCK -> READ VER of the read set. In the same trip the log, if it travels alone and is not sent yet. */
    @Override
    protected boolean validate() {
        at(Step.VALIDATE);
        if (!logsAlone || writes().isEmpty() || isLogged()) return super.validate();
        log();
        try {
            return super.validate();
        } finally {
            logRound.await(); // also after a refusal: the next transaction makes its logs in this round
        }
    }

    /** Each node: WRITE undo log -> FLUSH (§4.5). The log is persistent before the data leaves. */
    private void log() {
        at(Step.LOG);
        logRound.discard(); // the transaction before may have been refused while its logs were made
        claimSlot(logSlot());
        logEverywhere(logRound);
        Step.LOG.on(logRound).post();
    }

    private void logEverywhere(Round round) {
        for (int node = 0; node < logged.length; node++)
            if (log(round, node, logSlot()) && isFlushed(node)) verbs().flushLog(round, node);
    }

    private void claimSlot(int slot) {
        Arrays.fill(logged, false);
        logPhase.claim(slot);
    }

    /** Adds the log of a node. Returns false if nothing of the write set lies on that node, or if it has its log. */
    private boolean log(Round round, int node, int slot) {
        if (logged[node]) return false;
        logged[node] = true;
        if (logPhase.bytes(node) == 0) return false;
        logPhase.add(round, node, slot, LogPhase.NO_STAMP);
        return true;
    }

    /** Returns whether a node holds something of the write set that must survive a loss of power. */
    private boolean isFlushed(int node) {
        for (int i = 0; i < writes().count(); i++)
            if (flush.isAt(node, placement, Pointer.partition(writes().get(i).pointer))) return true;
        return false;
    }

    // ---- commit

    /** Each replica: WRITE undo log -> (WRITE VER={INV,T} -> WRITE body): one trip (§4.3), two if not coalesced. */
    protected final void commit(int slot) {
        at(Step.COMMIT);
        sealBodies();
        if (!logsAlone) claimSlot(slot);
        if (options.commit() == FordOptions.Commit.COALESCED) {
            if (install(slot, true, true)) round().post().await();
            return;
        }
        if (install(slot, false, true)) round().post().await();
        if (install(slot, true, false)) round().post().await();
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

    /** In the background. Primary: WRITE VER={0,T} -> WRITE LOCK=0. Backup: CAS VER {INV,T}->{0,T}. */
    protected void release(int slot) {
        at(Step.RELEASE);
        makeRelease(slot).postInBackground();
    }

    /** Makes the round of the release. Once it is sent, other transactions may lock the written objects. */
    protected final Round makeRelease(int slot) {
        return Step.RELEASE.on(releasePhase.addAll(coordinator.releaseOf(slot)));
    }
}
