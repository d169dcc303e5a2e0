package tidepool;

/**
 * The transaction touches more than a coordinator or its log can hold. It did not happen.
 *
 * <pre>{@code
 * try {
 *     pool.transact(tx -> accounts.getAll(tx, keys));
 * } catch (TransactionTooLargeException tooLarge) {
 *     for (long key : keys) pool.transact(tx -> accounts.get(tx, key));
 * }
 * }</pre>
 */
public final class TransactionTooLargeException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    TransactionTooLargeException(String message) {
        super(message);
    }
}
