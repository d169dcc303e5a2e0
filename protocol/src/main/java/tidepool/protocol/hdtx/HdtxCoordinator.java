package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Step;
import tidepool.protocol.Txn;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.record.RecordTxn;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.Catalog;
import tidepool.store.LogLayout;

/** One strand's HDTX. Where the client copies the log to the data, it sends from the memory of two transactions in turn. */
public class HdtxCoordinator extends RecordCoordinator {
    private final HdtxOptions options;
    private final boolean hasMemorySide;
    private final HdtxCounts counts = new HdtxCounts();
    private final Ticket kept = new Ticket();
    private final HotReads hotReads = new HotReads();
    private final Round[] copies = new Round[LogLayout.SLOTS];
    private final Round advance;

    /** Takes a place among the pool's coordinators. Waits. */
    public HdtxCoordinator(Session session, Catalog catalog, TxnCounter counters, HdtxOptions options) {
        super(session, catalog, counters);
        this.options = options;
        this.hasMemorySide = session.fabric().hasMemorySide();
        int chains = session.fabric().nodes() * Descriptors.most();
        int images = 2 * WriteSet.MOST * placement.replicas();
        int verbs = isCopiedByMemory() ? chains : images;
        for (int i = 0; i < copies.length; i++) copies[i] = lane.round(verbs);
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

    protected LockLine newLine(HdtxTxn txn, HdtxVerbs verbs) {
        return new LockLine(txn, this, verbs, options);
    }

    protected Descriptors newDescriptors() {
        return new Descriptors(pool());
    }

    @Override
    public Txn begin() {
        HdtxTxn txn = (HdtxTxn) super.begin();
        txn.forget();
        return txn;
    }

    @Override
    protected int transactions() {
        return isCopiedByMemory() ? 1 : LogLayout.SLOTS;
    }

    /**
     * Locks of an aborted attempt are freed by atomics, which the intents of the next one may pass: a crash would leave a lock
     * that nothing names.
     */
    @Override
    protected void reuse() {
        abortRound();
        if (!isCopiedByMemory()) copiesOf(slot());
    }

    /** What copies the log of the transaction that used this slot before; settled. */
    protected final Round copiesOf(int slot) {
        copies[slot].settle();
        return copies[slot];
    }

    /** For unlocking what no log names: it is settled before the next transaction says what it locks. */
    final Round unlockRound() {
        return abortRound();
    }

    /** For moving a line on behind one's back. */
    final Round advanceRound() {
        advance.settle();
        return advance;
    }

    /** Whether a session that holds a lock is dead or revoked. It is asked once in a lease of a line. */
    final boolean isOver(int number) {
        Fabric fabric = lane.session().fabric();
        return fabric.isDead(number) || fabric.control(0).isRevoked(number);
    }

    /** Gives up the ticket of an earlier attempt that its transaction did not need in the end. Takes effect at the head. */
    final void dropKept(HdtxVerbs verbs) {
        if (!kept.isThere()) return;
        kept.forget();
        counts.dropped++;
        verbs.advance(advanceRound(), kept.region(), kept.queueAt(), 0, kept.number(), kept.isPriority());
        Step.LOCK.on(advance).postInBackground();
    }

    /** The ticket that an earlier attempt has left in a line. */
    final Ticket kept() {
        return kept;
    }

    /** What earlier attempts have failed to read. */
    final HotReads hotReads() {
        return hotReads;
    }

    final boolean isCopiedByMemory() {
        return options.release() == HdtxOptions.Release.MEMORY;
    }

    final void copied(long objects) {
        if (isCopiedByMemory() && hasMemorySide) counts.copiedByMemory += objects;
        else counts.copiedByClient += objects;
    }

    /** Is told of every lock that was granted to a ticket. */
    protected void served(Target t, int ticket, boolean priority) {}

    public HdtxCounts hdtxCounts() {
        return counts;
    }

    @Override
    public void close() {
        try {
            if (!isBroken()) advance.settle();
        } catch (FabricException e) {
            broke(e.getMessage());
        }
        super.close();
    }
}
