package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.Target;
import tidepool.store.LogLayout;
import tidepool.store.ObjectLayout;
import tidepool.store.Pointer;
import tidepool.store.QueueWord;
import tidepool.store.TxnId;

/**
 * The verbs of HDTX. The lock word is the slides' OWNER: 0, or the id of the holder, and beside either whether somebody
 * {@link QueueWord#WAITED waits}. Others set that bit at any time, so the word changes by atomics alone; a WRITE could be
 * undone by one that had read the word before it.
 */
public class HdtxVerbs extends RecordVerbs {
    /** The bits of a lock word that say who holds it. */
    static final long HOLDER = ~QueueWord.WAITED;

    private final boolean stands;
    private long txn;

    public HdtxVerbs(PoolRegions pool, MemorySegment memory, HdtxOptions options) {
        super(pool, memory);
        this.stands = options.locks() == HdtxOptions.Locks.QUEUE;
    }

    // ---- locks

    /** Who stands in line does not pass others: its first try succeeds only if nobody waits. */
    @Override
    protected void compareAndLock(Round round, Target t, long id, long intentAt) {
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

    /** By atomic, and only the bits of the holder: who waits stays written there. */
    public void unlock(Round round, Target t, long id) {
        round.maskedCompareAndSwap(pool.primary(t.pointer), lockAt(t), id, HOLDER, 0, HOLDER, null, 0);
    }

    @Override
    public boolean abort(Round round, Target t) {
        if (!t.held) return false;
        unlock(round, t, txn);
        return true;
    }

    private void intend(Round round, Target t, long intentAt) {
        int node = pool.placement().primary(Pointer.partition(t.pointer));
        round.write(pool.log(node), intentAt, t.pointer);
    }

    // ---- the line of those who wait

    /** Draws a ticket; the word found lands at {@code landing}. No field carries into the next one. */
    public void draw(Round round, Target t, boolean priority, long landing) {
        round.maskedFetchAndAdd(
                pool.primary(t.pointer), queueAt(t), QueueWord.draw(priority), QueueWord.TOPS, memory, landing);
    }

    /** Says in the lock word that somebody waits, whoever holds it. */
    public void announce(Round round, Target t) {
        round.maskedCompareAndSwap(
                pool.primary(t.pointer), lockAt(t), 0, 0, QueueWord.WAITED, QueueWord.WAITED, null, 0);
    }

    /** Queue, then LOCK: a turn that was seen is not older than the holder that is seen behind it. */
    public void poll(Round round, Target t, long landing) {
        round.read(pool.primary(t.pointer), queueAt(t), Words.BYTES, memory, landing);
        lookAtLock(round, t, landing + Words.BYTES);
    }

    /** Behind a look at the queue, or a ticket. */
    public void lookAtLock(Round round, Target t, long landing) {
        round.read(pool.primary(t.pointer), lockAt(t), Words.BYTES, memory, landing);
    }

    /** Takes a lock that was seen free, from exactly that word, and reads what lies behind it. */
    public void take(Round round, Target t, long id, long seen, boolean waited) {
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

    /** The next ticket's turn, if it is still this one's. */
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

    /** Skips whoever is at the head of a line that does not move: if the word is still exactly what was seen for so long. */
    public void skip(Round round, Target t, long queue, boolean priority, long landing) {
        int ticket = QueueWord.served(queue, priority);
        long mask = QueueWord.nextMask(priority);
        long skipped = queue & ~mask | QueueWord.next(queue, ticket, priority) & mask;
        round.compareAndSwap(pool.primary(t.pointer), queueAt(t), queue, skipped, memory, landing);
    }

    long queueAt(Target t) {
        return QueueWord.offset(t.pointer, t.bodyBytes);
    }

    private static long lockAt(Target t) {
        return Pointer.offset(t.pointer) + ObjectLayout.LOCK;
    }

    // ---- commit

    /** Nobody takes the old value from here on. Behind the log on the same link: a mark means a whole log. */
    public void mark(Round round, int node, Target t, long id) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, TxnId.INV | id);
    }

    /** It has happened. Behind the marks on the same link. */
    public void decide(Round round, int node, long slot, long id) {
        round.write(pool.log(node), slot + LogLayout.STATUS, id);
    }

    /** Takes a mark off again: only as published, where it is set before validation has answered. */
    public void unmark(Round round, int node, Target t) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, t.version(memory));
    }

    // ---- release

    /**
     * The memory side carries out a descriptor, which came with the log.
     *
     * @param behind whether the one before it has to be over
     */
    public void chain(Round round, int node, long descriptor, boolean behind) {
        if (behind) round.fence(pool.log(node).link());
        round.chain(pool.log(node), descriptor);
    }

    /** The client sends the data again. Nobody else may write before it has unlocked. */
    public void copy(Round round, int node, Target t) {
        round.write(
                pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.BODY, t.bodyBytes, memory, t.staged);
    }

    /** Visible, behind the copies of all that lies on that node. */
    public void show(Round round, int node, Target t, long id) {
        round.write(pool.at(node, t.pointer), Pointer.offset(t.pointer) + ObjectLayout.VERSION, id);
    }
}
