package tidepool;

import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.events.TransactionEvent;
import tidepool.fabric.FabricException;
import tidepool.protocol.AbortReason;
import tidepool.protocol.Priority;

/**
 * One transaction on its way through its attempts: how often it was tried, who stood in its way, when its time is up.
 * Pauses between attempts are random and twice as long at the most each time, by {@link CommitPace}, so that transactions that
 * met do not meet again. An object can be used for one transaction after the other.
 */
final class Tries {
    /** Whether a session is dead is not asked more often: it costs as much as many attempts. */
    private static final long LOOK_NANOS = 1_000_000;

    private final Tidepool pool;
    private final Sessions sessions;
    private final Limits limits;
    private final CommitPace pace;
    private Randomness random;
    private Attempt attempt; // null when none is under way
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
    private int blocking;
    private FabricException failure;
    private int dead;
    private int looked;
    private long nextLook;

    Tries(Tidepool pool, Limits limits) {
        this.pool = pool;
        this.sessions = pool.sessions();
        this.limits = limits;
        this.pace = pool.pace();
    }

    /** A transaction begins. */
    void start(boolean readsOnly, Priority howUrgent) {
        readOnly = readsOnly;
        priority = howUrgent;
        attempt = null;
        attempts = 0;
        trips = 0;
        id = 0;
        reason = null;
        blocking = 0;
        failure = null;
        dead = 0;
        clockRuns = false;
        recorded = TransactionEvent.isOn();
        if (recorded) {
            if (event == null) event = new TransactionEvent();
            event.begin();
        }
    }

    /** The time counts from now. Without this call it counts from the first trouble, and who has none asks no clock. */
    void startClock() {
        start = Clock.current().nowNanos();
        clockRuns = true;
    }

    /** When the time is up. */
    long deadline() {
        if (!clockRuns) startClock();
        return start + limits.timeoutNanos();
    }

    /** When it would be up if it began now. */
    long deadlineFromNow() {
        return Clock.current().nowNanos() + limits.timeoutNanos();
    }

    int attempts() {
        return attempts;
    }

    /** Of all attempts that have ended. */
    long roundTrips() {
        return trips;
    }

    /** Why the last attempt that did not commit was aborted; null if none was. */
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

    /** An attempt has begun. */
    void began(Attempt begun) {
        attempt = begun;
        attempts++;
        id = begun.id();
    }

    /** An attempt that has written is about to commit. */
    void commits() {
        timed = attempts > 1 || CommitPace.isSampled(id);
        if (timed) commitBegun = Clock.current().nowNanos();
    }

    /** Its commit is done, and its outcome did not have to be looked for. */
    void commitDone() {
        if (timed) pace.committed(Clock.current().nowNanos() - commitBegun);
    }

    /** The last one has committed. */
    void committed() {
        ended();
        if (dead != 0) pool.listener().passed(dead, Clock.current().nowNanos() - start);
        record(TransactionEvent.End.COMMITTED);
    }

    /** The application gave up. */
    void rolledBack() {
        reason = attempt.abortReason();
        ended();
        record(TransactionEvent.End.ROLLED_BACK);
    }

    /** It ended with an exception, which is not caught here. */
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

    /** It met others. If the session that stood in the way is dead, it is recovered. Waits, if there is such. */
    void metOthers() {
        // A look costs as much as several attempts, and most locks are free a moment later.
        metOthers(attempts >= 2 || hasWaited(attempt.abortReason()));
    }

    /** The same for a transaction that is not tried again here. */
    void metOthersOnce() {
        metOthers(true);
        record(TransactionEvent.End.CONFLICT);
    }

    private void metOthers(boolean looks) {
        failure = null;
        reason = attempt.abortReason();
        blocking = attempt.blockingSession();
        ended();
        if (!looks || blocking == 0 || blocking == sessions.number()) return;
        long now = Clock.current().nowNanos();
        if (blocking == looked && now < nextLook) return;
        looked = blocking;
        nextLook = now + LOOK_NANOS;
        int used = sessions.number();
        try {
            if (!sessions.isOver(blocking)) return;
            nextLook = now; // somebody else may be at it: ask again soon
            pool.recoveries().recover(blocking);
        } catch (FabricException e) {
            sessions.afterFailure(used, e, deadline());
        }
        dead = blocking;
    }

    /** The fabric failed, so the session is replaced; nothing of the attempt happened. Waits. */
    void failed(int used, FabricException e) {
        if (attempt == null) attempts++; // it could not even begin
        ended();
        failure = e;
        reason = null;
        blocking = 0;
        sessions.afterFailure(used, e, deadline());
    }

    private void ended() {
        if (attempt != null) trips += attempt.roundTrips();
        attempt = null;
    }

    /** Whether the attempt waited for others before it gave up. */
    private static boolean hasWaited(AbortReason reason) {
        return reason == AbortReason.UNREADABLE || reason == AbortReason.BUCKET_BUSY;
    }

    /** Waits a moment before the next attempt, or ends it all if there may be none. */
    void pause() {
        long left = deadline() - Clock.current().nowNanos();
        if (left < 0 || attempts >= limits.attempts()) throw conflict();
        if (random == null) random = new Randomness(id != 0 ? id : sessions.number());
        Waiting.pause(1 + random.nextLong(Math.min(pace.mostPause(attempts), left + 1)));
    }

    /** It met others and is not tried again. */
    ConflictException conflict() {
        long nanos = clockRuns ? Clock.current().nowNanos() - start : 0;
        return new ConflictException(reason, blocking, attempts, nanos, failure);
    }

    private void record(TransactionEvent.End end) {
        if (recorded) event.done(end, id, reason, attempts, trips, readOnly, dead);
    }
}
