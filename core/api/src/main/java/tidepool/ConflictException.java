package tidepool;

import java.time.Duration;
import tidepool.txn.AbortReason;

/**
 * The failure of a transaction that conflicted with others until its time or its attempts were used up, or that met
 * repeated failures of the fabric, which are then the cause. The transaction did not happen.
 *
 * <pre>{@code
 * try {
 *     pool.within(Duration.ofMillis(50)).transact(body);
 * } catch (ConflictException conflict) {
 *     System.out.println(conflict.reason() + " after " + conflict.attempts() + " attempts");
 * }
 * }</pre>
 */
public final class ConflictException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    private final AbortReason reason;
    private final int blockingSession;
    private final int attempts;
    private final long nanos;

    ConflictException(AbortReason reason, int blockingSession, int attempts, long nanos, Throwable failure) {
        super(
                (failure == null
                                ? "the transaction met others on every try"
                                : "the fabric failed, and the transaction is not tried again")
                        + ": attempts=" + attempts + " afterMicros=" + nanos / 1000
                        + (reason == null ? "" : " lastReason=" + reason)
                        + (blockingSession == 0 ? "" : " blockedBySession=" + blockingSession)
                        + (reason == null || reason.advice().isEmpty() ? "" : "; " + reason.advice())
                        + (failure == null ? "" : "; " + failure.getMessage()),
                failure);
        this.reason = reason;
        this.blockingSession = blockingSession;
        this.attempts = attempts;
        this.nanos = nanos;
    }

    /** Returns why the last attempt was aborted; null if the fabric failed. */
    public AbortReason reason() {
        return reason;
    }

    /** Returns the session that blocked the last attempt; 0 if none did. */
    public int blockingSession() {
        return blockingSession;
    }

    /** Returns the number of attempts. */
    public int attempts() {
        return attempts;
    }

    /** Returns the time from the beginning of the first attempt to the end of the last. */
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }
}
