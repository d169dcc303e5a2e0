package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.Step;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.QueueWord;
import tidepool.store.TxnId;

/**
 * Stands in line for locks that others hold: Lamport's bakery within a line, priority before normal.
 *
 * <pre>
 *   draw    masked FAA QUEUE -> masked CAS LOCK: somebody waits -> READ LOCK        once; the first look
 *   poll    READ QUEUE -> READ LOCK                                                 until it is my turn and the lock is free, {@link LinePace}
 *   take    WRITE intent -> CAS LOCK -> READ object                                 if it fails, poll on
 *   advance masked CAS QUEUE: the next one's turn                                   behind
 * </pre>
 *
 * <p><b>Only LOCK grants</b>, so nothing here is needed for two never to hold it: a ticket that is lost, skipped, or drawn twice
 * costs time or fairness. Tickets are anonymous. A line that does not move although its lock is free has somebody dead at its
 * head, or somebody slow, who finds its ticket passed and draws another one.
 *
 * <p><b>Nobody waits in a circle.</b> One waits for an object only while it is behind every lock that one holds, in an order that all
 * share; what is behind it and was granted in the same trip is given back, and asked for again afterwards. A transaction that has
 * used what lies behind such a lock stands only while nobody holds the one in front, and else aborts. A holder that does not let go
 * for long may be dead: the attempt ends, with its ticket kept for the next one, so that somebody looks.
 */
public class LockLine {
    /** Somebody who stands in a line that moves gives up after so many leases. */
    private static final int MOST_LEASES = 64;

    private static final long WORDS = 2 * Words.BYTES;

    private final HdtxTxn txn;
    private final HdtxCoordinator coordinator;
    private final HdtxVerbs verbs;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxCounts counts;
    private final MemorySegment memory;
    private final LinePace pace;
    private long words = -1;
    private int ticket;

    protected LockLine(HdtxTxn txn, HdtxCoordinator coordinator, HdtxVerbs verbs, HdtxOptions options) {
        this.txn = txn;
        this.coordinator = coordinator;
        this.verbs = verbs;
        this.options = options;
        this.pool = coordinator.pool();
        this.counts = coordinator.hdtxCounts();
        this.memory = txn.memory();
        this.pace = new LinePace(options.leaseNanos());
    }

    final void forget() {
        words = -1;
    }

    /** Waits until every lock that was asked for is ours. False if the attempt has to end. */
    final boolean await(WriteSet writes, boolean priority) {
        if (words < 0) words = txn.lineWords(WORDS);
        while (true) {
            Target next = firstMissing(writes);
            if (next == null) return true;
            boolean patient = !holdsOneBehind(writes, next);
            if (!patient && TxnId.of(Words.plain(memory, next.lockFound)) != 0) {
                counts.impatient++;
                return false;
            }
            giveBackBehind(writes, next);
            long begun = Clock.current().nowNanos();
            boolean granted = stand(next, priority, patient, isLast(writes, next));
            counts.waitedNanos += Clock.current().nowNanos() - begun;
            if (!granted) return false;
            askForTheRest(writes);
        }
    }

    /**
     * The order in which locks are waited for: rows of large tables first, because the fewer rows a table has, the more want each of
     * them, and the shorter it should be held. Within a table by place. Tables do not change, so everybody has the same order.
     */
    private static boolean isBehind(Target t, Target other) {
        long rows = rows(t);
        long others = rows(other);
        return rows != others ? rows < others : t.pointer > other.pointer;
    }

    private static long rows(Target t) {
        return (long) t.table.buckets() * t.table.slots();
    }

    private static Target firstMissing(WriteSet writes) {
        Target first = null;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.isMissing() && (first == null || isBehind(first, t))) first = t;
        }
        return first;
    }

    /** Whether something behind it is held that was used already. */
    private static boolean holdsOneBehind(WriteSet writes, Target next) {
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.held && isBehind(t, next) && !t.isNew()) return true;
        }
        return false;
    }

    /** Sent with the next ticket, or look. */
    private void giveBackBehind(WriteSet writes, Target next) {
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (!t.isNew() || !isBehind(t, next)) continue;
            verbs.unlock(round(), t, txn.id());
            t.givenBack();
            counts.givenBack++;
        }
    }

    private static boolean isLast(WriteSet writes, Target next) {
        for (int i = 0; i < writes.count(); i++) if (writes.get(i).isMissing() && writes.get(i) != next) return false;
        return true;
    }

    private void askForTheRest(WriteSet writes) {
        boolean any = false;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (!t.isMissing()) continue;
            verbs.lock(round(), t, txn.id(), t.intent());
            any = true;
        }
        if (!any) return;
        txn.readAgainInLine();
        pace.await(round());
        counts.askedAgain++;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.isMissing() && verbs.isGranted(Words.plain(memory, t.lockFound))) t.granted();
        }
    }

    // ---- one line

    /**
     * @param patient whether it may wait for somebody who holds the lock, and not only for those in front of it
     * @param last whether no other lock is missing
     */
    private boolean stand(Target t, boolean priority, boolean patient, boolean last) {
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
            if (served > 0) pace.served(served, now - moved);
            if (served > 0 || TxnId.of(lock) != lastHolder) {
                lastQueue = queue;
                lastHolder = TxnId.of(lock);
                moved = now;
            } else if (!free && now - moved >= pace.holderNanos()) {
                if (isDead(lock)) return leave(t, priority, lock);
                moved = now;
            } else if (free && now - moved >= pace.headNanos() && skip(t, queue)) {
                moved = now;
            }
            if (now - begun >= MOST_LEASES * pace.holderNanos()) return leave(t, priority, lock);
            if ((lock & QueueWord.WAITED) == 0) verbs.announce(round(), t); // sent with the next look
            int passing = priority ? 0 : Math.min(QueueWord.length(queue, true), options.bypass() * (before + 1));
            Waiting.pause(pace.pause(before, before + (free ? 0 : 1) + passing, now - moved));
            poll(t);
        }
    }

    /** Whether nobody holds an object with this lock word. */
    protected boolean isFree(Target t, long lock) {
        return TxnId.of(lock) == 0;
    }

    /** Whether the session that holds a lock is dead. A living one is waited for, however long it is without a core. */
    protected boolean isDead(long lock) {
        return coordinator.isOver(TxnId.session(lock));
    }

    /** Whose turn it is. */
    protected boolean isTurn(long queue, int number, boolean priority) {
        return QueueWord.isTurnOf(queue, number, priority, options.bypass());
    }

    /** The ticket, and the first look behind it. */
    private void draw(Target t, boolean priority) {
        verbs.draw(round(), t, priority, words);
        verbs.announce(round(), t);
        verbs.lookAtLock(round(), t, words + Words.BYTES);
        pace.await(round());
        long found = Words.plain(memory, words);
        ticket = QueueWord.drawn(found, priority);
        Words.plain(memory, words, QueueWord.withNext(found, priority));
        counts.tickets++;
    }

    private void poll(Target t) {
        verbs.poll(round(), t, words);
        pace.await(round());
        counts.polls++;
    }

    private boolean take(Target t, boolean priority, long queue, long lock, boolean last) {
        boolean others = QueueWord.length(queue, true) + QueueWord.length(queue, false) > 1;
        verbs.take(round(), t, txn.id(), lock, others);
        if (last) txn.readAgainInLine();
        pace.await(round());
        if (Words.plain(memory, t.lockFound) != lock) return false;
        t.granted();
        counts.granted++;
        Round behind = coordinator.advanceRound();
        verbs.advance(behind, pool.primary(t.pointer), verbs.queueAt(t), queue, ticket, priority);
        Step.LOCK.on(behind).postInBackground();
        coordinator.served(t, ticket, priority);
        return true;
    }

    /** True if whoever was at the head is no longer. */
    private boolean skip(Target t, long queue) {
        verbs.skip(round(), t, queue, QueueWord.isTurnOfPriority(queue, options.bypass()), words);
        Step.LOCK.on(round()).post().await();
        if (Words.plain(memory, words) != queue) return false;
        counts.skipped++;
        return true;
    }

    // ---- tickets that outlast an attempt

    /** The holder does not let go: it may be dead, which somebody who has no lock finds out. */
    protected boolean leave(Target t, boolean priority, long lock) {
        coordinator.kept().keep(t.pointer, pool.primary(t.pointer), verbs.queueAt(t), priority, ticket);
        counts.left++;
        txn.stoodBehind(lock);
        return false;
    }

    /** Goes on with the ticket of an earlier attempt. One that stands elsewhere is given up, if it is its turn. */
    private boolean resume(Target t, boolean priority) {
        Ticket kept = coordinator.kept();
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
