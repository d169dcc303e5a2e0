package tidepool.protocol.hdtx;

import tidepool.fabric.Round;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Priority;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;

/**
 * A transaction of HDTX, completed and corrected: {@code docs/protocols/hdtx.md} says where and why.
 *
 * <pre>
 *   phase      verbs (per connection; -> is an order that the fabric keeps for free)        trips   a crash right after it leaves
 *   execute    {@link RecordTxn}: locks ride with the reads; {@link LockLine} if one is held  1     locks      -> freed
 *   without read-only data, or with all of it locked:
 *   commit     each node: WRITE redo log -> WRITE VER={INV,T} of each object                  1     some logs  -> dropped
 *   with read-only data:
 *   prepare    each node: WRITE redo log; READ LOCK -> READ VER of what was read              1     logs       -> dropped
 *   commit     each node: WRITE VER={INV,T} of each object -> WRITE status                    1     any status -> carried out
 *   ---- commit point: all acknowledged ----                                                        all logs   -> carried out
 *   copy       each node: CHAIN (GUARD VERs -> COPY log to bodies -> SET VERs={0,T})        behind  some copies -> carried out
 *   release    when all copies are acknowledged: masked CAS LOCK T->0                       behind  some locks -> freed
 * </pre>
 */
public class HdtxTxn extends RecordTxn {
    private final HdtxCoordinator coordinator;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxVerbs verbs;
    private final Descriptors descriptors;
    private final LockLine line;

    /** Of each node: how long its log is, and of how many objects it has images. */
    private final long[] logBytes;

    private final int[] objects;

    private Priority priority = Priority.NORMAL;

    /** Something is written, so that it may lock at all. */
    private boolean declaresWrites;

    /** The log was sent beside validation. */
    private boolean prepared;

    /** As published: the marks were sent with it. */
    private boolean marked;

    @SuppressWarnings("this-escape") // the line keeps it and does not use it before a transaction begins
    protected HdtxTxn(HdtxCoordinator coordinator, HdtxOptions options) {
        super(coordinator, true);
        this.coordinator = coordinator;
        this.options = options;
        this.pool = coordinator.pool();
        this.verbs = (HdtxVerbs) verbs();
        this.descriptors = coordinator.newDescriptors();
        this.line = coordinator.newLine(this, verbs);
        this.logBytes = new long[pool.nodes()];
        this.objects = new int[pool.nodes()];
    }

    /** What an earlier transaction left. */
    final void forget() {
        priority = Priority.NORMAL;
        prepared = false;
        marked = false;
        line.forget();
    }

    @Override
    public void priority(Priority how) {
        priority = how;
    }

    // ---- locks

    /** What is read together with something that is written; a transaction that only reads locks nothing. */
    @Override
    protected boolean locksReads() {
        declaresWrites = false;
        for (int i = 0; i < accesses() && !declaresWrites; i++) declaresWrites = access(i).kind != Access.Kind.READ;
        return declaresWrites && options.reads() == HdtxOptions.Reads.LOCKED;
    }

    /** What could not be read in an earlier attempt, for others were always there. */
    @Override
    protected boolean locksRead(Access a) {
        if (a.kind != Access.Kind.READ || !a.found || !declaresWrites || !standsForReads()) return false;
        if (!coordinator.hotReads().contains(a.pointer)) return false;
        coordinator.hdtxCounts().lockedReads++;
        return true;
    }

    @Override
    protected void readFailed(Access a) {
        if (a.found && standsForReads()) coordinator.hotReads().add(a.pointer);
    }

    /** Whether hot reads are locked: the forms that show other ideas do without. */
    private boolean standsForReads() {
        return options.reads() == HdtxOptions.Reads.STATUS && options.locks() == HdtxOptions.Locks.QUEUE;
    }

    @Override
    protected boolean awaitLocks() {
        return options.locks() == HdtxOptions.Locks.QUEUE && line.await(writes(), priority == Priority.HIGH);
    }

    // ---- prepare, beside validation

    @Override
    protected boolean validate() {
        if (!isWriting() || !hasUnlockedReads()) return super.validate();
        boolean published = options.reads() == HdtxOptions.Reads.PUBLISHED;
        prepare(logSlot());
        for (int node = 0; node < objects.length; node++) {
            if (objects[node] == 0) continue;
            log(node, logSlot(), !published);
            if (published) mark(node);
        }
        prepared = true;
        marked = published;
        return super.validate();
    }

    /** Whether something was read that is not locked: memory has to be asked, and an answer leaves no trace there. */
    private boolean hasUnlockedReads() {
        for (int i = 0; i < accesses(); i++) {
            Access a = access(i);
            if (!a.writes() && writes().find(a.witness) == null) return true;
        }
        return false;
    }

    private boolean isWriting() {
        for (int i = 0; i < writes().count(); i++) if (writes().get(i).written) return true;
        return false;
    }

    /** Makes the new bodies, refuses a write set that the log does not hold, and waits until the slot is free. */
    private void prepare(int slot) {
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.written) ObjectLayout.seal(memory(), t.staged, t.bodyBytes, t.key, t.flags, id());
        }
        for (int node = 0; node < objects.length; node++) {
            objects[node] = Descriptors.objects(writes, pool, node);
            logBytes[node] = ImageLog.bytes(writes, pool.placement(), node);
            if (logBytes[node] + descriptorBytes(node) > coordinator.logSlotBytes())
                throw tooLarge("bytes of log", coordinator.logSlotBytes());
        }
        coordinator.releaseOf(slot);
    }

    private long descriptorBytes(int node) {
        return coordinator.isCopiedByMemory() ? Descriptors.bytes(objects[node]) : 0;
    }

    /** The log, and behind it in the same WRITE what the memory side is to do with it. */
    private void log(int node, int slot, boolean byStatus) {
        long bytes = logBytes[node];
        long total = bytes + descriptorBytes(node);
        long at = take(total);
        ImageLog.redo(memory(), at, bytes, id(), writes(), pool.placement(), node, byStatus);
        if (total > bytes) descriptors.make(memory(), at, bytes, coordinator.logSlot(slot), id(), writes(), node);
        verbs.log(round(), node, coordinator.logSlot(slot), total, at);
    }

    private void mark(int node) {
        for (int i = 0; i < writes().count(); i++)
            if (Descriptors.isHere(writes().get(i), pool, node)) verbs.mark(round(), node, writes().get(i), id());
    }

    // ---- commit

    @Override
    protected void toCommitPoint(int slot) {
        if (!isWriting() || marked) return; // nothing but locks; or, as published, all of it was sent beside validation
        if (!prepared) prepare(slot);
        for (int node = 0; node < objects.length; node++) if (objects[node] > 0) commit(node, slot);
        if (prepared) coordinator.hdtxCounts().statusRounds++;
        Step.COMMIT.on(round()).post().await();
    }

    /** With read-only data a status says that it was valid; without, the logs say everything by being whole. */
    protected void commit(int node, int slot) {
        if (!prepared) log(node, slot, false);
        mark(node);
        if (prepared) verbs.decide(round(), node, coordinator.logSlot(slot), id());
    }

    // ---- behind the commit point

    /** Nobody may lock before every node has copied: a late copy would put the next writer's backup back in time. */
    @Override
    protected void afterCommitPoint(int slot) {
        coordinator.hotReads().forget();
        coordinator.dropKept(verbs);
        if (!isWriting()) {
            Step.RELEASE.on(unlock(coordinator.unlockRound())).postInBackground();
            return;
        }
        Round copies = coordinator.copiesOf(slot);
        for (int node = 0; node < objects.length; node++) copy(copies, node, slot);
        send(Step.COPY.on(copies), Step.RELEASE.on(unlock(coordinator.releaseOf(slot))));
    }

    private void copy(Round copies, int node, int slot) {
        coordinator.copied(objects[node]);
        if (coordinator.isCopiedByMemory()) {
            long behind = coordinator.logSlot(slot) + logBytes[node];
            for (int i = 0; i < Descriptors.count(objects[node]); i++)
                verbs.chain(copies, node, behind + Descriptors.offset(i), i > 0);
            return;
        }
        for (int i = 0; i < writes().count(); i++)
            if (Descriptors.isHere(writes().get(i), pool, node)) verbs.copy(copies, node, writes().get(i));
        for (int i = 0; i < writes().count(); i++)
            if (Descriptors.isHere(writes().get(i), pool, node)) verbs.show(copies, node, writes().get(i), id());
    }

    private Round unlock(Round release) {
        for (int i = 0; i < writes().count(); i++) verbs.unlock(release, writes().get(i), id());
        return release;
    }

    protected void send(Round copies, Round release) {
        copies.postInBackground(release);
    }

    // ---- aborting

    /** As published, what was marked before validation answered is visible again, on every replica, before it is unlocked. */
    @Override
    protected boolean refuse(AbortReason why) {
        if (marked) {
            marked = false;
            round().discard(); // marks that were not sent yet, because validation was refused before it asked
            for (int i = 0; i < writes().count(); i++) {
                Target t = writes().get(i);
                for (int r = 0; t.written && r < pool.copies(t.pointer); r++)
                    verbs.unmark(round(), pool.placement().replica(Pointer.partition(t.pointer), r), t);
            }
            Step.ABORT.on(round()).post().await();
        }
        return super.refuse(why);
    }

    // ---- for the line

    final void stoodBehind(long lock) {
        blockedBy(lock);
    }

    final Round lineRound() {
        return round();
    }

    final void readAgainInLine() {
        readAgainBesideLocks();
    }

    final long lineWords(long bytes) {
        return take(bytes);
    }
}
