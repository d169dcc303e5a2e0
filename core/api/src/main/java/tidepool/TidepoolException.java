package tidepool;

/**
 * Any end of a transaction other than its result. Each subclass says whether the transaction happened.
 *
 * <pre>{@code
 * try {
 *     pool.transact(body);
 * } catch (UnknownOutcomeException unknown) {
 *     System.out.println("it may have happened");
 * } catch (TidepoolException failed) {
 *     System.out.println("it did not happen: " + failed.getMessage());
 * }
 * }</pre>
 */
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
