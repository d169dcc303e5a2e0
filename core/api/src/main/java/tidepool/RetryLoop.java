package tidepool;

import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.events.TransactionEvent;
import tidepool.fabric.FabricException;
import tidepool.protocol.TxnRoom;
import tidepool.txn.AbortReason;
import tidepool.txn.Priority;

/**
 * The state of one transaction over its attempts: their number, the sessions that blocked it, and its deadline. Pauses
 * between attempts are random, and their bound doubles each time, by {@link CommitPace}, so that transactions that
 * collided do not collide again. An object can be used for one transaction after the other.
 */
final class RetryLoop {
    /** The minimum time between two checks whether a session is dead: a check costs as much as many attempts. */
    private static final long LOOK_NANOS = 1_000_000;

    private final Tidepool pool;
    private final SessionManager sessions;
    private final Limits limits;
    private final CommitPace pace;
    private Randomness random;
    private TxnAttempt attempt; // null when none is under way
    private TransactionEvent event;
    private boolean recorded;
    private boolean readOnly;
    private Priority priority;
    private long start;
    private boolean clockRuns;
    private boolean timed; // whether the commit under way is measured
    private long commitBegun;
    private int attempts;
    private long trips;
    private long id;
    private AbortReason reason;
    private String lastStep;
    private int blocking;
    private TxnRoom room = TxnRoom.SMALL;
    private FabricException failure;
    private int dead;
    private int looked;
    private long nextLook;

    RetryLoop(Tidepool pool, Limits limits) {
        this.pool = pool;
        this.sessions = pool.sessions();
        this.limits = limits;
        this.pace = pool.pace();
    }

    /** Starts a transaction. */
    void start(boolean readsOnly, Priority howUrgent) {
        readOnly = readsOnly;
        priority = howUrgent;
        attempt = null;
        attempts = 0;
        trips = 0;
        id = 0;
        reason = null;
        lastStep = "";
        blocking = 0;
        room = TxnRoom.SMALL;
        failure = null;
        dead = 0;
        clockRuns = false;
        recorded = TransactionEvent.isOn();
        if (recorded) {
            if (event == null) event = new TransactionEvent();
            event.begin();
        }
    }

    /**
     * Starts the time-out now. Without this call it starts at the first conflict, and a transaction without conflicts
     * reads no clock.
     */
    void startClock() {
        start = Clock.current().nowNanos();
        clockRuns = true;
    }

    /** Returns the time at which the transaction times out. */
    long deadline() {
        if (!clockRuns) startClock();
        return start + limits.timeoutNanos();
    }

    /** Returns the deadline of a transaction that begins now. */
    long deadlineFromNow() {
        return Clock.current().nowNanos() + limits.timeoutNanos();
    }

    int attempts() {
        return attempts;
    }

    /** Returns the round trips of all attempts that have ended. */
    long roundTrips() {
        return trips;
    }

    /** Returns why the last attempt that did not commit was aborted; null if none was. */
    AbortReason abortReason() {
        return reason;
    }

    Priority priority() {
        return priority;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    // ---- attempts

    /** Called when an attempt has begun. */
    void began(TxnAttempt begun) {
        attempt = begun;
        attempts++;
        id = begun.id();
    }

    /** Called when an attempt that has written is about to commit. */
    void commits() {
        timed = attempts > 1 || CommitPace.isSampled(id);
        if (timed) commitBegun = Clock.current().nowNanos();
    }

    /** Called when its commit is done, and its outcome was known without recovery. */
    void commitDone() {
        if (timed) pace.committed(Clock.current().nowNanos() - commitBegun);
    }

    /** Called when the last attempt has committed. */
    void committed() {
        ended();
        if (dead != 0) pool.listener().passed(dead, Clock.current().nowNanos() - start);
        record(TransactionEvent.End.COMMITTED);
    }

    /** Called when the application gave up. */
    void rolledBack() {
        reason = attempt.abortReason();
        ended();
        record(TransactionEvent.End.ROLLED_BACK);
    }

    /** Called when the transaction ended with an exception, which is not caught here. */
    void threw(Throwable e) {
        if (attempt != null) reason = attempt.abortReason();
        ended();
        record(
                switch (e) {
                    case Rollback _ -> TransactionEvent.End.ROLLED_BACK;
                    case ConflictException _ -> TransactionEvent.End.CONFLICT;
                    case UnknownOutcomeException _ -> TransactionEvent.End.UNKNOWN;
                    default -> TransactionEvent.End.FAILED;
                });
    }

    /**
     * Called when an attempt conflicted with others. If the blocking session is dead, recovers it and waits for that.
     */
    void metOthers() {
        // A check costs as much as several attempts, and most locks are free a moment later.
        metOthers(attempts >= 2 || hasWaited(attempt.abortReason()));
    }

    /** Called when a transaction that is not retried here conflicted with others. */
    void metOthersOnce() {
        metOthers(true);
        pool.neededRoom().set(room); // for the attempt that the caller may begin next
        record(TransactionEvent.End.CONFLICT);
    }

    private void metOthers(boolean looks) {
        failure = null;
        reason = attempt.abortReason();
        blocking = attempt.blockingSession();
        ended();
        if (reason == AbortReason.NEEDS_ROOM) attempts--; // it met no others
        if (!looks || blocking == 0 || blocking == sessions.number()) return;
        long now = Clock.current().nowNanos();
        if (blocking == looked && now < nextLook) return;
        looked = blocking;
        nextLook = now + LOOK_NANOS;
        int used = sessions.number();
        try {
            if (!sessions.isOver(blocking)) return;
            nextLook = now; // another recoverer may be at work: check again soon
            pool.recoveryRunner().recover(blocking);
        } catch (FabricException e) {
            sessions.afterFailure(used, e, deadline());
        }
        dead = blocking;
    }

    /** Called when the fabric failed. Nothing of the attempt happened. Replaces the session and waits for that. */
    void failed(int used, FabricException e) {
        if (attempt == null) attempts++; // it could not even begin
        lastStep = "";
        ended();
        failure = e;
        reason = null;
        blocking = 0;
        sessions.afterFailure(used, e, deadline());
    }

    private void ended() {
        if (attempt == null) return;
        trips += attempt.roundTrips();
        lastStep = attempt.lastStep();
        room = attempt.room();
        attempt = null;
    }

    /** Returns whether the attempt waited for others before it gave up. */
    private static boolean hasWaited(AbortReason reason) {
        return reason == AbortReason.UNREADABLE || reason == AbortReason.BUCKET_BUSY;
    }

    /** Returns the room that the next attempt needs. */
    TxnRoom room() {
        return room;
    }

    /** Lets the next attempt have the room that an earlier transaction of the caller needed. */
    void room(TxnRoom known) {
        room = known;
    }

    /**
     * Waits before the next attempt, unless the last one only needed more room. Throws if no attempt or no time is
     * left.
     */
    void pause() {
        if (reason == AbortReason.NEEDS_ROOM) return;
        long left = deadline() - Clock.current().nowNanos();
        if (left < 0 || attempts >= limits.attempts()) throw conflict();
        if (random == null) random = new Randomness(id != 0 ? id : sessions.number());
        Waiting.pause(1 + random.nextLong(Math.min(pace.maxPause(attempts), left + 1)));
    }

    /** Returns the exception for a transaction that is not retried after a conflict. */
    ConflictException conflict() {
        long nanos = clockRuns ? Clock.current().nowNanos() - start : 0;
        return new ConflictException(reason, blocking, attempts, nanos, failure);
    }

    private void record(TransactionEvent.End end) {
        if (!recorded) return;
        String abortedAt = end == TransactionEvent.End.COMMITTED ? "" : lastStep;
        event.done(end, id, reason, abortedAt, attempts, trips, readOnly, dead);
    }
}
