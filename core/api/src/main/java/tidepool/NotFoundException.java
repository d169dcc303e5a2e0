package tidepool;

/**
 * A value was asked for, and there is none under this key. The transaction did not happen.
 *
 * <pre>{@code
 * try {
 *     pool.transact(tx -> accounts.update(tx, 18).get());
 * } catch (NotFoundException missing) {
 *     System.out.println("there is no account 18");
 * }
 * }</pre>
 */
public final class NotFoundException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    NotFoundException(String message) {
        super(message);
    }
}
