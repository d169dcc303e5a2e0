package tidepool.protocol.hdtx;

import java.lang.foreign.MemorySegment;
import tidepool.base.Clock;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.protocol.record.PoolRegions;
import tidepool.protocol.record.Target;
import tidepool.protocol.record.WriteSet;
import tidepool.store.QueueWord;
import tidepool.store.TxnId;

/**
 * Stands in line for locks that others hold: Lamport's bakery within a line, priority before normal.
 *
 * <pre>
 *   draw    masked FAA QUEUE; masked CAS LOCK: somebody waits                       once
 *   poll    READ QUEUE -> READ LOCK                                                 until it is my turn and the lock is free
 *   take    WRITE intent -> CAS LOCK -> READ object                                 if it fails, poll on
 *   advance masked CAS QUEUE: the next one's turn                                   behind
 * </pre>
 *
 * <p><b>Only LOCK grants</b>, so nothing here is needed for two never to hold it: a ticket that is lost, skipped, or drawn twice
 * costs time or fairness. Tickets are anonymous. A line that does not move although its lock is free has somebody dead at its
 * head, or somebody slow, who finds its ticket passed and draws another one.
 *
 * <p><b>Nobody waits in a circle.</b> One waits for an object only while every lock it holds is of a smaller place; what is
 * larger and was granted in the same trip is given back first, and asked for again behind it. A transaction that has used what
 * lies behind a larger lock stands only while nobody holds the smaller one, and else aborts. A holder that does not let go for a lease may be dead: the attempt ends, with its
 * ticket kept for the next one, so that somebody looks.
 */
public class LockLine {
    /** Somebody who stands in a line that moves gives up after so many leases. */
    private static final int MOST_LEASES = 64;

    private static final long HEAD_PAUSE_NANOS = 200;
    private static final long PAUSE_NANOS = 1_000;
    private static final int MOST_PAUSES = 16;
    private static final long WORDS = 2 * Words.BYTES;

    private final HdtxTxn txn;
    private final HdtxCoordinator coordinator;
    private final HdtxVerbs verbs;
    private final HdtxOptions options;
    private final PoolRegions pool;
    private final HdtxCounts counts;
    private final MemorySegment memory;
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
    }

    final void forget() {
        words = -1;
    }

    /** Waits until every lock that was asked for is ours. False if the attempt has to end. */
    final boolean await(WriteSet writes, boolean priority) {
        if (words < 0) words = txn.lineWords(WORDS);
        while (true) {
            Target next = smallestMissing(writes);
            if (next == null) return true;
            boolean patient = !holdsLarger(writes, next);
            if (!patient && TxnId.of(Words.plain(memory, next.lockFound)) != 0) return false;
            giveBackLarger(writes, next);
            if (!stand(next, priority, patient)) return false;
            askForTheRest(writes);
        }
    }

    private static Target smallestMissing(WriteSet writes) {
        Target smallest = null;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.isMissing() && (smallest == null || t.pointer < smallest.pointer)) smallest = t;
        }
        return smallest;
    }

    /** Whether something larger is held that was used already. */
    private static boolean holdsLarger(WriteSet writes, Target next) {
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.held && t.pointer > next.pointer && !t.isNew()) return true;
        }
        return false;
    }

    private void giveBackLarger(WriteSet writes, Target next) {
        boolean any = false;
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (!t.isNew() || t.pointer < next.pointer) continue;
            verbs.unlock(round(), t, txn.id());
            t.givenBack();
            any = true;
        }
        if (any) round().post().await();
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
        round().post().await();
        for (int i = 0; i < writes.count(); i++) {
            Target t = writes.get(i);
            if (t.isMissing() && verbs.isGranted(Words.plain(memory, t.lockFound))) t.granted();
        }
    }

    // ---- one line

    /** @param patient whether it may wait for somebody who holds the lock, and not only for those in front of it */
    private boolean stand(Target t, boolean priority, boolean patient) {
        long begun = Clock.current().nowNanos();
        long moved = begun;
        long lastServed = 0;
        long lastHolder = -1;
        if (!resume(t, priority)) draw(t, priority);
        while (true) {
            poll(t);
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
                if (take(t, priority, queue, lock)) return true;
                continue;
            }
            if (!free && !patient) return leave(t, priority, lock);
            long now = Clock.current().nowNanos();
            long served = queue & (QueueWord.servedMask(true) | QueueWord.servedMask(false));
            if (served != lastServed || TxnId.of(lock) != lastHolder) {
                lastServed = served;
                lastHolder = TxnId.of(lock);
                moved = now;
            } else if (now - moved >= options.leaseNanos()) {
                if (!free) return leave(t, priority, lock);
                if (skip(t, queue)) moved = now;
            }
            if (now - begun >= MOST_LEASES * options.leaseNanos()) return leave(t, priority, lock);
            if ((lock & QueueWord.WAITED) == 0) verbs.announce(round(), t); // sent with the next look
            Waiting.pause(pause(before + (priority ? 0 : QueueWord.length(queue, true))));
        }
    }

    /** Whether nobody holds an object with this lock word. */
    protected boolean isFree(Target t, long lock) {
        return TxnId.of(lock) == 0;
    }

    /** Whose turn it is. */
    protected boolean isTurn(long queue, int number, boolean priority) {
        return QueueWord.isTurnOf(queue, number, priority, options.bypass());
    }

    /** The nearer to the head, the more often it looks. */
    private static long pause(int before) {
        return before == 0 ? HEAD_PAUSE_NANOS : Math.min(before, MOST_PAUSES) * PAUSE_NANOS;
    }

    private void draw(Target t, boolean priority) {
        verbs.draw(round(), t, priority, words);
        verbs.announce(round(), t);
        round().post().await();
        ticket = QueueWord.drawn(Words.plain(memory, words), priority);
        counts.tickets++;
    }

    private void poll(Target t) {
        verbs.poll(round(), t, words);
        round().post().await();
        counts.polls++;
    }

    private boolean take(Target t, boolean priority, long queue, long lock) {
        boolean others = QueueWord.length(queue, true) + QueueWord.length(queue, false) > 1;
        verbs.take(round(), t, txn.id(), lock, others);
        round().post().await();
        if (Words.plain(memory, t.lockFound) != lock) return false;
        t.granted();
        counts.granted++;
        Round behind = coordinator.advanceRound();
        verbs.advance(behind, pool.primary(t.pointer), verbs.queueAt(t), queue, ticket, priority);
        behind.postInBackground();
        coordinator.served(t, ticket, priority);
        return true;
    }

    /** True if whoever was at the head is no longer. */
    private boolean skip(Target t, long queue) {
        verbs.skip(round(), t, queue, QueueWord.isTurnOfPriority(queue, options.bypass()), words);
        round().post().await();
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
        Region region = kept.region();
        verbs.advance(round(), region, kept.queueAt(), 0, kept.number(), kept.isPriority()); // sent with the next draw
        return false;
    }

    private Round round() {
        return txn.lineRound();
    }
}
