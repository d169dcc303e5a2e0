package tidepool;

/**
 * The pool was closed. The transaction did not happen.
 *
 * <pre>{@code
 * try {
 *     while (true) pool.transact(body);
 * } catch (PoolClosedException closed) {
 *     System.out.println("another thread has closed the pool");
 * }
 * }</pre>
 */
public final class PoolClosedException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    PoolClosedException(String message) {
        super(message);
    }
}
