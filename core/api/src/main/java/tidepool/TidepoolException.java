package tidepool;

/** Any end of a transaction other than its result. Each subclass says whether the transaction happened. */
public abstract sealed class TidepoolException extends RuntimeException
        permits ConflictException,
                DuplicateKeyException,
                NotFoundException,
                Rollback,
                SnapshotLostException,
                UnknownOutcomeException,
                TransactionTooLargeException,
                PoolClosedException {
    private static final long serialVersionUID = 1L;

    TidepoolException(String message) {
        super(message);
    }

    TidepoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
