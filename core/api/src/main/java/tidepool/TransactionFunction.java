package tidepool;

/**
 * The body of a transaction with a result. It may run several times, so it should have no effects outside the
 * transaction.
 *
 * <pre>{@code
 * long balance = pool.read(tx -> accounts.get(tx, 17).balance());
 * }</pre>
 *
 * @param <R> the result
 * @param <X> the checked exception that the body throws; the compiler infers {@link RuntimeException} if it throws none
 */
@FunctionalInterface
public interface TransactionFunction<R, X extends Exception> {
    /** Runs one attempt, and returns the result of the transaction if it commits. An exception rolls it back. */
    R apply(Transaction tx) throws X;
}
