package tidepool;

/**
 * A key that was to be inserted exists already. The transaction did not happen.
 *
 * <pre>{@code
 * try {
 *     pool.transact(tx -> accounts.insert(tx, new Account(17, 100)));
 * } catch (DuplicateKeyException exists) {
 *     System.out.println("account 17 is taken");
 * }
 * }</pre>
 */
public final class DuplicateKeyException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    DuplicateKeyException(String message) {
        super(message);
    }
}
