package tidepool.protocol.hdtx;

import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.txn.AbortReason;
import tidepool.txn.Priority;

/**
 * A transaction of HDTX, completed and corrected: {@code docs/internals/protocols/hdtx.md} says where and why.
 *
 * <pre>
 *   phase    verbs (per connection; -> is an order that the fabric keeps for free)  trips     a crash right after
 *                                                                                             the phase leaves
 *   execute  {@link RecordTxn}: locks ride with the reads;                          1         locks -> freed
 *            {@link LockQueue} if one is held
 *   without read-only data, or with all of it locked:
 *   commit   each node: WRITE redo log -> WRITE VER={INV,T} of each object          1         some logs -> dropped,
 *                                                                                             all -> carried out
 *   with read-only data:
 *   prepare  each node: WRITE redo log; READ LOCK -> READ VER of what was read      1         logs -> dropped
 *   commit   each node: WRITE VER={INV,T} of each object -> WRITE status            1         any status ->
 *                                                                                             carried out
 *   ---- commit point: all acknowledged ----
 *   copy     each node: CHAIN (GUARD VERs -> COPY log to bodies -> SET VERs={0,T})  in back-  some copies ->
 *                                                                                   ground    carried out
 *   release  when all copies are acknowledged: masked CAS LOCK T->0                 in back-  some locks -> freed
 *                                                                                   ground
 * </pre>
 */
public class HdtxTxn extends RecordTxn {
    private final HdtxCoordinator coordinator;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxVerbs verbs;
    private final CopyDescriptors descriptors;
    private final LockQueue line;

    /** Of each node: the bytes of its log, and the number of objects of which it has images. */
    private final long[] logBytes;

    private final int[] objects;

    private Priority priority = Priority.NORMAL;

    /** The transaction writes something, so it may lock at all. */
    private boolean declaresWrites;

    /** The log was sent in the round of validation. */
    private boolean prepared;

    /** As published: the marks were sent with the log. */
    private boolean marked;

    @SuppressWarnings("this-escape") // the queue keeps the reference and does not use it before a transaction begins
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

    /** Clears the state that an earlier transaction left. */
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

    /** Returns whether all reads are locked. A transaction that only reads locks nothing. */
    @Override
    protected boolean locksReads() {
        declaresWrites = false;
        for (int i = 0; i < accesses() && !declaresWrites; i++) declaresWrites = access(i).kind != Access.Kind.READ;
        return declaresWrites && options.reads() == HdtxOptions.Reads.LOCKED;
    }

    /** Returns whether a read is locked because an earlier attempt failed to read the object. */
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

    /** Returns whether hot reads are locked. The published form and the forms of other switches do without. */
    private boolean standsForReads() {
        return options.reads() == HdtxOptions.Reads.STATUS && options.locks() == HdtxOptions.Locks.QUEUE;
    }

    @Override
    protected boolean awaitLocks() {
        return options.locks() == HdtxOptions.Locks.QUEUE && line.await(writes(), priority == Priority.HIGH);
    }

    // ---- prepare, in the round of validation

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

    /**
     * Returns whether an object was read and is not locked. Memory has to be asked for it, and an answer leaves no
     * trace there.
     */
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

    /** Makes the new bodies, refuses a write set that the log cannot hold, and waits until the slot is free. */
    private void prepare(int slot) {
        WriteSet writes = writes();
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.written) ObjectLayout.seal(memory(), t.staged, t.bodyBytes, t.key, t.flags, id());
        }
        for (int node = 0; node < objects.length; node++) {
            objects[node] = CopyDescriptors.objects(writes, pool, node);
            logBytes[node] = ImageLog.bytes(writes, pool.placement(), node);
            if (logBytes[node] + descriptorBytes(node) > coordinator.logSlotBytes())
                throw tooLarge("bytes of log", coordinator.logSlotBytes());
        }
        coordinator.releaseOf(slot);
    }

    private long descriptorBytes(int node) {
        return coordinator.isCopiedByMemory() ? CopyDescriptors.bytes(objects[node]) : 0;
    }

    /** Adds the log, and after it in the same WRITE the descriptors of what the memory side does with it. */
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
            if (CopyDescriptors.isHere(writes().get(i), pool, node)) verbs.mark(round(), node, writes().get(i), id());
    }

    // ---- commit

    @Override
    protected void toCommitPoint(int slot) {
        if (!isWriting() || marked) return; // only locks; or, as published, all sent in the round of validation
        if (!prepared) prepare(slot);
        for (int node = 0; node < objects.length; node++) if (objects[node] > 0) commit(node, slot);
        if (prepared) coordinator.hdtxCounts().statusRounds++;
        Step.COMMIT.on(round()).post().await();
    }

    /**
     * Adds the commit verbs of a node. With read-only data a status says that the reads were valid. Without, the whole
     * logs are enough.
     */
    protected void commit(int node, int slot) {
        if (!prepared) log(node, slot, false);
        mark(node);
        if (prepared) verbs.decide(round(), node, coordinator.logSlot(slot), id());
    }

    // ---- after the commit point

    /**
     * Copies the logs to the data, and frees the locks after every node has copied. Otherwise a late copy would
     * overwrite the next writer's version on a backup.
     */
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
            for (int i = 0; i < CopyDescriptors.count(objects[node]); i++)
                verbs.chain(copies, node, behind + CopyDescriptors.offset(i), i > 0);
            return;
        }
        for (int i = 0; i < writes().count(); i++)
            if (CopyDescriptors.isHere(writes().get(i), pool, node)) verbs.copy(copies, node, writes().get(i));
        for (int i = 0; i < writes().count(); i++)
            if (CopyDescriptors.isHere(writes().get(i), pool, node)) verbs.show(copies, node, writes().get(i), id());
    }

    private Round unlock(Round release) {
        for (int i = 0; i < writes().count(); i++) verbs.unlock(release, writes().get(i), id());
        return release;
    }

    protected void send(Round copies, Round release) {
        copies.postInBackground(release);
    }

    // ---- aborting

    /**
     * As published, objects are marked before validation has answered. An abort removes the marks on every replica
     * before it frees the locks.
     */
    @Override
    protected boolean refuse(AbortReason why) {
        if (marked) {
            marked = false;
            round().discard(); // marks that were not sent yet, because validation was refused before it asked
            for (int i = 0; i < writes().count(); i++) {
                WriteTarget t = writes().get(i);
                for (int r = 0; t.written && r < pool.copies(t.pointer); r++)
                    verbs.unmark(round(), pool.placement().replica(Pointer.partition(t.pointer), r), t);
            }
            Step.ABORT.on(round()).post().await();
        }
        return super.refuse(why);
    }

    // ---- for the queue

    final void waitedFor(long lock) {
        blockedBy(lock);
    }

    final Round lineRound() {
        return round();
    }

    final void readAgainInLine() {
        repostReadsWithLocks();
    }

    final long lineWords(long bytes) {
        return take(bytes);
    }
}
