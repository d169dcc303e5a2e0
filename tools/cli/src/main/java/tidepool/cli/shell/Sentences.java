package tidepool.cli.shell;

import java.util.Locale;
import tidepool.ConflictException;
import tidepool.UnknownOutcomeException;
import tidepool.fabric.FabricException;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/** Error texts for users of the shell. Each text says whether something was applied. */
final class Sentences {
    private static final double NANOS_PER_SECOND = 1e9;

    private Sentences() {}

    /** Explains why a statement or transaction failed. */
    static String of(RuntimeException e) {
        return switch (e) {
            case ConflictException conflict -> conflict(conflict);
            case UnknownOutcomeException unknown ->
                "the pool failed while it committed, and it is not known whether transaction "
                        + TxnId.text(unknown.txn()) + " was applied; status tells as soon as it is known";
            case FabricException failed -> "the pool cannot be reached: " + firstLine(failed) + "; nothing was applied";
            default -> firstLine(e) + "; nothing was applied";
        };
    }

    private static String conflict(ConflictException e) {
        if (e.getCause() != null)
            return "the pool cannot be reached: " + firstLine(e.getCause()) + "; nothing was applied";
        String tried = e.attempts() == 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", in %d tries and %.1f s",
                        e.attempts(),
                        e.elapsed().toNanos() / NANOS_PER_SECOND);
        return why(e.reason(), e.blockingSession()) + tried + "; nothing was applied";
    }

    /** Explains why an attempt was aborted. */
    static String why(AbortReason reason, int blockingSession) {
        if (reason == null) return "the pool failed while it committed";
        String other = blockingSession == 0 ? "another transaction" : "a transaction of session " + blockingSession;
        return switch (reason) {
            case LOCKED -> other + " has locked what is to be written";
            case READ_LOCKED -> other + " has locked what was read";
            case VERSION_CHANGED, READ_CHANGED -> other + " has changed what was read";
            case RANGE_CHANGED -> other + " has changed a range that was read";
            case BUCKET_CHANGED, BUCKET_BUSY -> other + " inserts or deletes beside it";
            case UNREADABLE -> other + " has locked what is to be read";
            case STALE_ADDRESS -> "a record has moved since it was last seen";
            case TABLE_GROWS -> "its table has to grow first";
            case SNAPSHOT_TOO_OLD, LOG_HEAP_BUSY -> reason.advice();
            case NEEDS_ROOM -> "it needs more memory than was prepared; another attempt has it";
            case OWNED_ELSEWHERE -> "a session that is dead owns it and is not recovered yet";
            case ROLLED_BACK -> "it was rolled back";
        };
    }

    static String firstLine(Throwable e) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return message.lines().findFirst().orElse(message);
    }
}
