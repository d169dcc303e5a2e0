package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.QueueWord;
import tidepool.store.TxnId;

/**
 * The verbs of HDTX. The lock word is 0 or the id of the holder, together with a bit that says that a request {@link
 * QueueWord#WAITED waits}. Other transactions set that bit at any time, so the word changes only by atomics. Otherwise
 * a WRITE could be undone by an atomic that had read the word before it. Only a change of nodes, which has revoked
 * every session, frees locks by WRITE.
 */
public class HdtxVerbs extends RecordVerbs {
    /** The bits of a lock word that name the holder. */
    static final long HOLDER = ~QueueWord.WAITED;

    private final boolean stands;
    private long txn;

    public HdtxVerbs(PoolRegions pool, MemorySegment memory, HdtxOptions options) {
        super(pool, memory);
        this.stands = options.locks() == HdtxOptions.Locks.QUEUE;
    }

    // ---- locks

    /**
     * Asks for a lock. A request that queues does not overtake others: its first try succeeds only if no request waits.
     */
    @Override
    protected void compareAndLock(Round round, WriteTarget t, long id, long intentAt) {
        txn = id;
        intend(round, t, intentAt);
        if (stands) round.compareAndSwap(pool.primary(t.pointer), lockAt(t), 0, id, memory, t.lockFound);
        else round.maskedCompareAndSwap(pool.primary(t.pointer), lockAt(t), 0, HOLDER, id, HOLDER, memory, t.lockFound);
    }

    @Override
    public boolean isGranted(long found) {
        return stands ? found == 0 : TxnId.of(found) == 0;
    }

    @Override
    public boolean isFree(long lock, long id) {
        return TxnId.of(lock) == 0 || TxnId.of(lock) == id;
    }

    /** Frees a lock by an atomic on the bits of the holder alone. The bit that says that a request waits stays. */
    public void unlock(Round round, WriteTarget t, long id) {
        round.maskedCompareAndSwap(pool.primary(t.pointer), lockAt(t), id, HOLDER, 0, HOLDER, null, 0);
    }

    @Override
    public boolean abort(Round round, WriteTarget t) {
        if (!t.held) return false;
        unlock(round, t, txn);
        return true;
    }

    private void intend(Round round, WriteTarget t, long intentAt) {
        int node = pool.placement().primary(Pointer.partition(t.pointer));
        round.write(pool.log(node), intentAt, t.pointer);
    }

    // ---- the queue of waiting requests

    /** Draws a ticket. The word found lands at {@code landing}. No field carries into the next one. */
    public void draw(Round round, WriteTarget t, boolean priority, long landing) {
        round.maskedFetchAndAdd(
                pool.primary(t.pointer), queueAt(t), QueueWord.draw(priority), QueueWord.TOPS, memory, landing);
    }

    /** Sets the bit in the lock word that says that a request waits, for any holder. */
    public void announce(Round round, WriteTarget t) {
        round.maskedCompareAndSwap(
                pool.primary(t.pointer), lockAt(t), 0, 0, QueueWord.WAITED, QueueWord.WAITED, null, 0);
    }

    /** Reads QUEUE, then LOCK. So the holder that is seen is not older than the turn that is seen. */
    public void poll(Round round, WriteTarget t, long landing) {
        round.read(pool.primary(t.pointer), queueAt(t), Words.BYTES, memory, landing);
        lookAtLock(round, t, landing + Words.BYTES);
    }

    /** Reads LOCK after a read of the queue, or after drawing a ticket. */
    public void lookAtLock(Round round, WriteTarget t, long landing) {
        round.read(pool.primary(t.pointer), lockAt(t), Words.BYTES, memory, landing);
    }

    /** Takes a lock that was seen free, from exactly that word, and reads the locked object. */
    public void take(Round round, WriteTarget t, long id, long seen, boolean waited) {
        txn = id;
        intend(round, t, t.intent());
        round.compareAndSwap(
                        pool.primary(t.pointer),
                        lockAt(t),
                        seen,
                        waited ? QueueWord.WAITED | id : id,
                        memory,
                        t.lockFound)
                .read(
                        pool.primary(t.pointer),
                        Pointer.offset(t.pointer) + ObjectLayout.VERSION,
                        Words.BYTES + t.bodyBytes,
                        memory,
                        t.landed + ObjectLayout.VERSION);
    }

    /** Gives the turn to the next ticket, if it is still the turn of {@code ticket}. */
    public void advance(Round round, Region region, long queueAt, long queue, int ticket, boolean priority) {
        round.maskedCompareAndSwap(
                region,
                queueAt,
                QueueWord.served(ticket, priority),
                QueueWord.servedMask(priority),
                QueueWord.next(queue, ticket, priority),
                QueueWord.nextMask(priority),
                null,
                0);
    }

    /**
     * Skips the ticket at the head of a queue that does not move, if the word still equals the one that was seen all
     * the time.
     */
    public void skip(Round round, WriteTarget t, long queue, boolean priority, long landing) {
        int ticket = QueueWord.served(queue, priority);
        long mask = QueueWord.nextMask(priority);
        long skipped = queue & ~mask | QueueWord.next(queue, ticket, priority) & mask;
        round.compareAndSwap(pool.primary(t.pointer), queueAt(t), queue, skipped, memory, landing);
    }

    protected long queueAt(WriteTarget t) {
        return QueueWord.offset(t.pointer, t.bodyBytes);
    }

    private static long lockAt(WriteTarget t) {
        return Pointer.offset(t.pointer) + ObjectLayout.LOCK;
    }

    // ---- commit

    /**
     * Marks an object: from here on no reader accepts the old value. Sent after the log on the same link, so a mark
     * implies a whole log.
     */
    public void mark(Round round, int node, WriteTarget t, long id) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, TxnId.INV | id);
    }

    /** Writes the status: the transaction has committed. Sent after the marks on the same link. */
    public void decide(Round round, int node, long slot, long id) {
        round.write(pool.log(node), slot + LogLayout.STATUS, id);
    }

    /** Removes a mark. Only as published, where it is set before validation has answered. */
    public void unmark(Round round, int node, WriteTarget t) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, t.version(memory));
    }

    // ---- release

    /**
     * Lets the memory side execute a descriptor, which came with the log.
     *
     * @param follows whether the descriptor before it has to be finished
     */
    public void chain(Round round, int node, long descriptor, boolean follows) {
        if (follows) round.fence(pool.log(node).link());
        round.chain(pool.log(node), descriptor);
    }

    /** Sends the data again from the client. No other transaction may write before this one has unlocked. */
    public void copy(Round round, int node, WriteTarget t) {
        round.write(
                pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.BODY, t.bodyBytes, memory, t.staged);
    }

    /** Makes an object visible, after the copies of all objects on that node. */
    public void show(Round round, int node, WriteTarget t, long id) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, id);
    }
}
