package tidepool.protocol.hdtx;

import java.util.Arrays;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.Access;
import tidepool.protocol.record.ImageLog;
import tidepool.protocol.record.LogPhase;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Pointer;
import tidepool.txn.AbortReason;
import tidepool.txn.Priority;

/**
 * A transaction of HDTX, completed and corrected: {@code docs/internals/protocols/hdtx.md} says where and why.
 *
 * <pre>
 *   step      verbs (per connection; -> is an order that the fabric keeps for free) trips     a crash right after
 *                                                                                             the step leaves
 *   lookup    {@link RecordTxn}                                                     0 or 1    nothing
 *   lock      {@link RecordTxn}, in one trip with the reads; {@link LockQueue}      1         locks -> freed
 *             if one is held
 *   read      {@link RecordTxn}                                                     with lock nothing
 *   prepare   with read-only data that is not locked, in the trip of validation:    with      logs -> dropped
 *             each node: WRITE redo log                                             validate
 *   validate  READ LOCK -> READ VER of what was read and is not locked              0 or 1    locks, logs -> dropped
 *   commit    prepared: each node: WRITE VER={INV,T} of each object -> WRITE status 1         any status ->
 *                                                                                             carried out
 *             otherwise: each node: WRITE redo log -> WRITE VER={INV,T} of each               some logs -> dropped,
 *             object                                                                          all -> carried out
 *   ---- commit point: all acknowledged ----
 *   copy      each node: CHAIN (GUARD VERs -> COPY log to bodies -> SET VERs={0,T}) in back-  some copies ->
 *                                                                                   ground    carried out
 *   release   when all copies are acknowledged: masked CAS LOCK T->0                in back-  some locks -> freed
 *                                                                                   ground
 * </pre>
 */
public class HdtxTxn extends RecordTxn {
    private final HdtxCoordinator coordinator;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxVerbs verbs;
    private final CopyDescriptors descriptors;
    private final LockQueue queue;
    private final LogPhase logPhase;

    /** Of each node: the number of objects of which it has images, and the bytes of the descriptors after its log. */
    private final int[] objects;

    private final long[] descriptorBytes;

    /** The memory side copies the log to the data, by descriptors that follow it in its slot. */
    private boolean byMemory;

    /** The copies of this transaction, from {@link #copy} to {@link #release}. */
    private Round copies;

    private Priority priority = Priority.NORMAL;

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
        this.queue = coordinator.newQueue(this, verbs);
        this.logPhase = new LogPhase(this, coordinator, LogPhase.Images.NEW);
        this.objects = new int[pool.nodes()];
        this.descriptorBytes = new long[pool.nodes()];
        lockPolicy(coordinator.newLockPolicy(this));
        if (options.locks() == HdtxOptions.Locks.QUEUE) lockWait(queue);
    }

    @Override
    protected boolean execute(int from) {
        return lookup(from) && lockAndRead(from);
    }

    @Override
    protected boolean pipeline(int slot) {
        if (!lock()) return false;
        if (isWriting() && hasUnlockedReads()) prepare(slot);
        if (!validate()) return false;
        if (writes().isEmpty()) {
            coordinator.dropKept(verbs);
            return true;
        }
        outcomeOpen(); // a failure of the fabric from here on: outcome unknown
        commit(slot);
        commitPoint(); // ---- every node has acknowledged log, marks, status: only forward from here
        copy(slot);
        release(slot);
        return true;
    }

    /** Clears the state that an earlier transaction left. */
    final void forget() {
        priority = Priority.NORMAL;
        prepared = false;
        marked = false;
        queue.forget();
    }

    @Override
    public void priority(Priority how) {
        priority = how;
    }

    /** Returns whether this transaction waits before normal ones. */
    final boolean hasPriority() {
        return priority == Priority.HIGH;
    }

    // ---- prepare, in the round of validation

    /** Each node: WRITE redo log. Sent with the READs of {@link #validate}, which follows. */
    private void prepare(int slot) {
        at(Step.PREPARE);
        boolean published = options.reads() == HdtxOptions.Reads.PUBLISHED;
        claim(slot);
        for (int node = 0; node < objects.length; node++) {
            if (objects[node] == 0) continue;
            log(node, slot, !published);
            if (published) mark(node);
        }
        prepared = true;
        marked = published;
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
    private void claim(int slot) {
        sealBodies();
        logPhase.claimUnmade(slot);
        byMemory = coordinator.isCopiedByMemory();
        for (int node = 0; node < objects.length; node++) {
            objects[node] = CopyDescriptors.objects(writes(), pool, node);
            descriptorBytes[node] = byMemory ? CopyDescriptors.bytes(objects[node]) : 0;
            if (logPhase.bytes(node) + descriptorBytes[node] > coordinator.logSlotBytes()) byMemory = false;
        }
        if (byMemory || !coordinator.isCopiedByMemory()) return;
        // The memory side reads a log only from one piece of memory. The client copies, from memory that is used until
        // all of them have arrived.
        Arrays.fill(descriptorBytes, 0);
        settlesAtEnd();
    }

    /** Adds the log, and after it in the same WRITE the descriptors of what the memory side does with it. */
    private void log(int node, int slot, boolean byStatus) {
        long bytes = logPhase.bytes(node);
        long total = bytes + descriptorBytes[node];
        long at = take(total);
        ImageLog.redo(memory(), at, bytes, id(), writes(), pool.placement(), node, byStatus);
        if (total > bytes) descriptors.make(memory(), at, bytes, coordinator.logSlot(slot), id(), writes(), node);
        writeLog(round(), node, slot, total, at);
    }

    private void mark(int node) {
        for (int i = 0; i < writes().count(); i++)
            if (CopyDescriptors.isHere(writes().get(i), pool, node)) verbs.mark(round(), node, writes().get(i), id());
    }

    // ---- commit

    /**
     * Prepared: each node: WRITE VER={INV,T} of each object -> WRITE status. Otherwise: each node: WRITE redo log ->
     * WRITE VER={INV,T} of each object.
     */
    private void commit(int slot) {
        at(Step.COMMIT);
        if (!isWriting() || marked) return; // only locks; or, as published, all sent in the round of validation
        if (!prepared) claim(slot);
        for (int node = 0; node < objects.length; node++) if (objects[node] > 0) commit(node, slot);
        if (prepared) coordinator.hdtxCounts().statusRounds++;
        round().post().await();
    }

    /**
     * Adds the commit verbs of a node. With read-only data a status says that the reads were valid. Without, the whole
     * logs are enough.
     */
    private void commit(int node, int slot) {
        if (!prepared) log(node, slot, false);
        mark(node);
        if (prepared) verbs.decide(round(), node, logAt(node, slot), id());
    }

    // ---- after the commit point

    /** Each node: CHAIN (GUARD VERs -> COPY log to bodies -> SET VERs={0,T}). {@link #release} sends it. */
    private void copy(int slot) {
        at(Step.COPY);
        coordinator.hotReads().forget();
        coordinator.dropKept(verbs);
        if (!isWriting()) return;
        copies = Step.COPY.on(coordinator.copiesOf(slot));
        for (int node = 0; node < objects.length; node++) copy(node, slot);
    }

    /**
     * In the background: masked CAS LOCK T->0, after every node has copied. Otherwise a late copy would overwrite the
     * next writer's version on a backup.
     */
    private void release(int slot) {
        at(Step.RELEASE);
        if (isWriting()) send(copies, Step.RELEASE.on(unlock(coordinator.releaseOf(slot))));
        else Step.RELEASE.on(unlock(coordinator.unlockRound())).postInBackground();
    }

    private void copy(int node, int slot) {
        coordinator.copied(objects[node], byMemory);
        if (byMemory) {
            long first = coordinator.logSlot(slot) + logPhase.bytes(node);
            for (int i = 0; i < CopyDescriptors.count(objects[node]); i++)
                verbs.chain(copies, node, first + CopyDescriptors.offset(i), i > 0);
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

    /** Sends the copies, and the release when all of them are acknowledged. */
    protected void send(Round copying, Round release) {
        copying.postInBackground(release);
    }

    // ---- aborting

    /**
     * As published, objects are marked before validation has answered. An abort removes the marks on every replica
     * before it frees the locks.
     */
    @Override
    protected boolean abort(AbortReason why) {
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
        return super.abort(why);
    }

    // ---- for the locks

    final boolean declaresWrites() {
        for (int i = 0; i < accesses(); i++) if (access(i).kind != Access.Kind.READ) return true;
        return false;
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
