package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Step;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;

/**
 * The HDTX coordinator of one strand. Where the client copies the log to the data, it sends from the memory of two
 * transactions in turn.
 */
public class HdtxCoordinator extends RecordCoordinator {
    private final HdtxOptions options;
    private final boolean hasMemorySide;
    private final HdtxCounts counts = new HdtxCounts();
    private final QueueTicket kept = new QueueTicket();
    private final HotReads hotReads = new HotReads();
    private final Round[] copies = new Round[LogLayout.SLOTS];
    private final Round advance;

    /** Takes a place among the coordinators of the pool. Waits for the answers of the nodes. */
    public HdtxCoordinator(Session session, Catalog catalog, TxnCounter counters, HdtxOptions options) {
        super(session, catalog, counters);
        this.options = options;
        this.hasMemorySide = session.fabric().hasMemorySide();
        int chains = session.fabric().nodes() * CopyDescriptors.maxCount();
        int images = 2 * WriteSet.MAX_OBJECTS * placement.replicas();
        int verbs = isCopiedByMemory() ? chains : images;
        for (int i = 0; i < copies.length; i++) copies[i] = lane.growingRound(verbs);
        this.advance = lane.round(1);
    }

    @Override
    protected RecordTxn newTxn() {
        return new HdtxTxn(this, options);
    }

    @Override
    protected RecordVerbs newVerbs(MemorySegment memory) {
        return new HdtxVerbs(pool(), memory, options);
    }

    protected LockQueue newQueue(HdtxTxn txn, HdtxVerbs verbs) {
        return new LockQueue(txn, this, verbs, options);
    }

    protected HotReadLocks newLockPolicy(HdtxTxn txn) {
        return new HotReadLocks(txn, this, options);
    }

    protected CopyDescriptors newDescriptors() {
        return new CopyDescriptors(pool());
    }

    @Override
    protected void begun(RecordTxn txn) {
        ((HdtxTxn) txn).forget();
    }

    @Override
    protected int transactions() {
        return isCopiedByMemory() ? 1 : LogLayout.SLOTS;
    }

    /**
     * Waits until the locks of an aborted attempt are freed. They are freed by atomics, which the intents of the next
     * attempt may overtake. Otherwise a crash could leave a lock that no intent names.
     */
    @Override
    protected void reuse() {
        abortRound();
        if (!isCopiedByMemory()) copiesOf(slot());
    }

    @Override
    protected void settleLarge() {
        super.settleLarge();
        for (int i = 0; i < copies.length; i++) copiesOf(i);
    }

    @Override
    protected void trim() {
        super.trim();
        for (int i = 0; i < copies.length; i++) copiesOf(i).trim();
    }

    /**
     * Returns the round that copies the log of the transaction in a slot, settled: the earlier use of the slot is over.
     */
    public final Round copiesOf(int slot) {
        copies[slot].settle();
        return copies[slot];
    }

    /**
     * Returns the round that frees locks that no log names. It is settled before the next transaction writes its
     * intents.
     */
    final Round unlockRound() {
        return abortRound();
    }

    /** Returns the round that advances a queue in the background. */
    final Round advanceRound() {
        advance.settle();
        return advance;
    }

    /** Returns whether a session that holds a lock is dead or revoked. Called once in a lease of a queue. */
    final boolean isOver(int number) {
        Fabric fabric = lane.session().fabric();
        return fabric.isDead(number) || fabric.control(0).isRevoked(number);
    }

    /**
     * Gives up the ticket of an earlier attempt that its transaction did not need in the end. Takes effect if the
     * ticket is at the head of its queue.
     */
    final void dropKept(HdtxVerbs verbs) {
        if (!kept.isThere()) return;
        kept.forget();
        counts.dropped++;
        verbs.advance(advanceRound(), kept.region(), kept.queueAt(), 0, kept.number(), kept.isPriority());
        Step.LOCK.on(advance).postInBackground();
    }

    /** Returns the ticket that an earlier attempt has left in a queue. */
    final QueueTicket kept() {
        return kept;
    }

    /** Returns the objects that earlier attempts have failed to read. */
    final HotReads hotReads() {
        return hotReads;
    }

    final boolean isCopiedByMemory() {
        return options.release() == HdtxOptions.Release.MEMORY;
    }

    final void copied(long objects, boolean byMemory) {
        if (byMemory && hasMemorySide) counts.copiedByMemory += objects;
        else counts.copiedByClient += objects;
    }

    /** Called for every lock that was granted to a ticket. */
    protected void served(WriteTarget t, int ticket, boolean priority) {}

    public HdtxCounts hdtxCounts() {
        return counts;
    }

    @Override
    public void close() {
        try {
            if (!isBroken()) advance.settle();
        } catch (FabricException e) {
            markBroken(e.getMessage());
        }
        super.close();
    }
}
