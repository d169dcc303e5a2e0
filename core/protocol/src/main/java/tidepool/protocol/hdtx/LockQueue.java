package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.LockWait;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.WriteSet;
import tidepool.protocol.record.WriteTarget;
import tidepool.store.QueueWord;
import tidepool.store.TxnId;

/**
 * The wait for locks that other transactions hold: Lamport's bakery within a queue, priority before normal.
 *
 * <pre>
 *   wait     READ LOCK                                                          a normal request, until its patience
 *                                                                               is over
 *   draw     masked FAA QUEUE -> masked CAS LOCK: a request waits -> READ LOCK  once; the first look
 *   poll     READ QUEUE -> READ LOCK                                            until it is its turn and the lock is
 *                                                                               free, {@link QueuePolling}
 *   take     WRITE intent -> CAS LOCK -> READ object                            if it fails, polls on
 *   advance  masked CAS QUEUE: turn of the next ticket                          in background
 * </pre>
 *
 * <p><b>Only LOCK grants</b>, so mutual exclusion depends on nothing here: a ticket that is lost, skipped, or drawn
 * twice costs time or fairness. Tickets are anonymous. If a queue does not move although its lock is free, the request
 * at its head is dead or slow. A slow one finds its ticket skipped and draws another one.
 *
 * <p><b>Patience.</b> A lock that only the head of a queue may take is idle while the head has no core. With more
 * threads than cores that is most of the time. So a normal request of a thread first waits without a ticket, and any
 * request may take a free lock. A ticket that has waited out its patience sets W in the lock word: new requests then
 * queue, until that ticket is served. A request with priority draws and sets W at once. A strand has no patience,
 * because its carrier runs it in time.
 *
 * <p><b>Transactions never wait in a circle.</b> All transactions share one lock order. A transaction waits for an
 * object only while the object follows every lock that it holds. Locks that follow the object and were granted in the
 * same trip are given back, and asked for again afterwards. A transaction that has already used such a following object
 * waits in the queue only while no transaction holds the lock, and otherwise aborts. If the queue is stuck, its holder
 * may be dead. Then the attempt ends, so that its caller checks the holder. The next attempt uses the same ticket.
 */
public class LockQueue implements LockWait {
    /** A request in a queue that moves gives up after this many leases. */
    private static final int MAX_LEASES = 64;

    private static final long WORDS = 2 * Words.BYTES;

    private final HdtxTxn txn;
    private final HdtxCoordinator coordinator;
    private final HdtxVerbs verbs;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxCounts counts;
    private final MemorySegment memory;
    private final QueuePolling polling;
    private long words = -1;
    private int ticket;
    private long patienceNanos;

    protected LockQueue(HdtxTxn txn, HdtxCoordinator coordinator, HdtxVerbs verbs, HdtxOptions options) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.verbs = verbs;
        this.options = options;
        this.pool = coordinator.pool();
        this.counts = coordinator.hdtxCounts();
        this.memory = txn.memory();
        this.polling = new QueuePolling(options.leaseNanos());
    }

    final void forget() {
        words = -1;
    }

    /** Waits until the transaction holds every lock that it asked for. Returns false if the attempt has to end. */
    @Override
    public final boolean await(WriteSet writes) {
        boolean priority = txn.hasPriority();
        if (words < 0) words = txn.lineWords(WORDS);
        while (true) {
            WriteTarget next = firstMissing(writes);
            if (next == null) return true;
            boolean patient = !holdsOneAfter(writes, next);
            if (!patient && TxnId.of(Words.plain(memory, next.lockFound)) != 0) {
                counts.impatient++;
                return false;
            }
            giveBackAfter(writes, next);
            long begun = Clock.current().nowNanos();
            boolean granted = stand(next, priority, patient, isLast(writes, next));
            counts.waitedNanos += Clock.current().nowNanos() - begun;
            if (!granted) return false;
            askForTheRest(writes);
        }
    }

    /**
     * Returns whether {@code t} follows {@code other} in the order in which locks are waited for. Rows of large tables
     * come first: the fewer rows a table has, the more transactions want each of them, and the shorter it should be
     * held. Within a table rows are ordered by place. Tables do not change, so all transactions have the same order.
     */
    private static boolean comesAfter(WriteTarget t, WriteTarget other) {
        long rows = rows(t);
        long others = rows(other);
        return rows != others ? rows < others : t.pointer > other.pointer;
    }

    private static long rows(WriteTarget t) {
        return (long) t.table.buckets() * t.table.slots();
    }

    private static WriteTarget firstMissing(WriteSet writes) {
        WriteTarget first = null;
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.isMissing() && (first == null || comesAfter(first, t))) first = t;
        }
        return first;
    }

    /** Returns whether the transaction holds a lock that follows {@code next} and whose object it has used already. */
    private static boolean holdsOneAfter(WriteSet writes, WriteTarget next) {
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.held && comesAfter(t, next) && !t.isNew()) return true;
        }
        return false;
    }

    /** Gives back the new locks that follow {@code next}. Sent with the next ticket or poll. */
    private void giveBackAfter(WriteSet writes, WriteTarget next) {
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (!t.isNew() || !comesAfter(t, next)) continue;
            verbs.unlock(round(), t, txn.id());
            t.givenBack();
            counts.givenBack++;
        }
    }

    private static boolean isLast(WriteSet writes, WriteTarget next) {
        for (int i = 0; i < writes.count(); i++) if (writes.get(i).isMissing() && writes.get(i) != next) return false;
        return true;
    }

    private void askForTheRest(WriteSet writes) {
        boolean any = false;
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (!t.isMissing()) continue;
            verbs.lock(round(), t, txn.id(), t.intent());
            any = true;
        }
        if (!any) return;
        txn.readAgainInLine();
        polling.await(round());
        counts.askedAgain++;
        for (int i = 0; i < writes.count(); i++) {
            WriteTarget t = writes.get(i);
            if (t.isMissing() && verbs.isGranted(Words.plain(memory, t.lockFound))) t.granted();
        }
    }

    // ---- one queue

    /**
     * @param patient whether it may wait for the holder of the lock, and not only for the requests in front of it
     * @param last whether no other lock is missing
     */
    private boolean stand(WriteTarget t, boolean priority, boolean patient, boolean last) {
        patienceNanos = options.patienceOfCaller();
        boolean waitsFirst = !priority && patient && !coordinator.kept().isThere() && patienceNanos > 0;
        if (waitsFirst && waitWithoutTicket(t, last)) return true;
        long begun = Clock.current().nowNanos();
        long moved = begun;
        long lastQueue = 0;
        long lastHolder = -1;
        if (resume(t, priority)) poll(t);
        else draw(t, priority);
        while (true) {
            long queue = Words.plain(memory, words);
            long lock = Words.plain(memory, words + Words.BYTES);
            int before = QueueWord.before(queue, ticket, priority);
            if (before < 0) {
                counts.passedOver++;
                draw(t, priority);
                continue;
            }
            boolean free = isFree(t, lock);
            if (free && isTurn(queue, ticket, priority)) {
                if (take(t, priority, queue, lock, last)) return true;
                poll(t);
                continue;
            }
            if (!free && !patient) return leave(t, priority, lock);
            long now = Clock.current().nowNanos();
            int served = lastHolder < 0 ? 0 : QueueWord.servedSince(queue, lastQueue);
            if (served > 0) polling.served(served, now - moved);
            if (served > 0 || TxnId.of(lock) != lastHolder) {
                lastQueue = queue;
                lastHolder = TxnId.of(lock);
                moved = now;
            } else if (!free && now - moved >= polling.holderNanos()) {
                if (isDead(lock)) return leave(t, priority, lock);
                moved = now;
            } else if (free && now - moved >= polling.headNanos() && skip(t, queue)) {
                moved = now;
            }
            if (now - begun >= MAX_LEASES * polling.holderNanos()) return leave(t, priority, lock);
            boolean urges = priority || now - begun >= patienceNanos;
            if (urges && (lock & QueueWord.WAITED) == 0) verbs.announce(round(), t); // sent with the next poll
            int passing = priority ? 0 : Math.min(QueueWord.length(queue, true), options.bypass() * (before + 1));
            Waiting.pause(polling.pause(before, before + (free ? 0 : 1) + passing, now - moved));
            poll(t);
        }
    }

    /**
     * Waits for the holder of a lock. Returns false if the lock word says that a request waits, or if the patience is
     * over.
     */
    private boolean waitWithoutTicket(WriteTarget t, boolean last) {
        long begun = Clock.current().nowNanos();
        for (int looks = 0; ; looks++) {
            verbs.lookAtLock(round(), t, words + Words.BYTES);
            polling.await(round());
            long lock = Words.plain(memory, words + Words.BYTES);
            if ((lock & QueueWord.WAITED) != 0) return false;
            if (isFree(t, lock) && tryLock(t, lock, false, last)) {
                counts.grantedWithoutTicket++;
                return true;
            }
            if (Clock.current().nowNanos() - begun >= patienceNanos) return false;
            Waiting.pause(polling.backOff(looks));
        }
    }

    /** Returns whether no transaction holds an object with this lock word. */
    protected boolean isFree(WriteTarget t, long lock) {
        return TxnId.of(lock) == 0;
    }

    /**
     * Returns whether the session that holds a lock is dead. A living one is waited for, however long it is without a
     * core.
     */
    protected boolean isDead(long lock) {
        return coordinator.isOver(TxnId.session(lock));
    }

    /** Returns whether it is the turn of a ticket. */
    protected boolean isTurn(long queue, int number, boolean priority) {
        return QueueWord.isTurnOf(queue, number, priority, options.bypass());
    }

    /** Draws a ticket, and takes the first look after it. */
    private void draw(WriteTarget t, boolean priority) {
        verbs.draw(round(), t, priority, words);
        if (priority || patienceNanos == 0) verbs.announce(round(), t);
        verbs.lookAtLock(round(), t, words + Words.BYTES);
        polling.await(round());
        long found = Words.plain(memory, words);
        ticket = QueueWord.drawn(found, priority);
        Words.plain(memory, words, QueueWord.withNext(found, priority));
        counts.tickets++;
    }

    private void poll(WriteTarget t) {
        verbs.poll(round(), t, words);
        polling.await(round());
        counts.polls++;
    }

    private boolean take(WriteTarget t, boolean priority, long queue, long lock, boolean last) {
        if (!tryLock(t, lock, staysWaited(queue, priority), last)) return false;
        counts.granted++;
        Round advance = coordinator.advanceRound();
        verbs.advance(advance, pool.primary(t.pointer), verbs.queueAt(t), queue, ticket, priority);
        Step.LOCK.on(advance).postInBackground();
        coordinator.served(t, ticket, priority);
        return true;
    }

    /**
     * Returns whether W stays when a ticket is served. A normal ticket that has waited out its patience sets W again by
     * itself.
     */
    private boolean staysWaited(long queue, boolean priority) {
        int urgent = QueueWord.length(queue, true);
        int normal = QueueWord.length(queue, false);
        return patienceNanos == 0 ? urgent + normal > 1 : urgent > (priority ? 1 : 0);
    }

    /** Tries to take a lock from exactly the word that was seen. */
    private boolean tryLock(WriteTarget t, long lock, boolean waited, boolean last) {
        verbs.take(round(), t, txn.id(), lock, waited);
        if (last) txn.readAgainInLine();
        polling.await(round());
        if (Words.plain(memory, t.lockFound) != lock) return false;
        t.granted();
        return true;
    }

    /** Skips the head. Returns true if the head has changed. */
    private boolean skip(WriteTarget t, long queue) {
        verbs.skip(round(), t, queue, QueueWord.isTurnOfPriority(queue, options.bypass()), words);
        Step.LOCK.on(round()).post().await();
        if (Words.plain(memory, words) != queue) return false;
        counts.skipped++;
        return true;
    }

    // ---- tickets that survive an attempt

    /**
     * Ends the attempt and keeps its ticket. The holder does not release the lock and may be dead. The caller finds
     * that out after the attempt has released its own locks.
     */
    protected boolean leave(WriteTarget t, boolean priority, long lock) {
        coordinator.kept().keep(t.pointer, pool.primary(t.pointer), verbs.queueAt(t), priority, ticket);
        counts.left++;
        txn.waitedFor(lock);
        return false;
    }

    /** Continues with the ticket of an earlier attempt. A ticket in another queue is given up, if it is its turn. */
    private boolean resume(WriteTarget t, boolean priority) {
        QueueTicket kept = coordinator.kept();
        if (!kept.isThere()) return false;
        boolean same = kept.isOf(t.pointer, priority);
        kept.forget();
        if (same) {
            ticket = kept.number();
            counts.resumed++;
            return true;
        }
        counts.dropped++;
        Region region = kept.region();
        verbs.advance(round(), region, kept.queueAt(), 0, kept.number(), kept.isPriority()); // sent with the next draw
        return false;
    }

    private Round round() {
        return txn.lineRound();
    }
}
