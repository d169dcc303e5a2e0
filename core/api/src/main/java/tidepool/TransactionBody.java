package tidepool;

/**
 * The body of a transaction without a result. It may run several times, so it should have no effects outside the
 * transaction.
 *
 * <pre>{@code
 * void load(Path file) throws IOException {
 *     pool.transact(tx -> accounts.put(tx, parse(Files.readString(file)))); // X is IOException
 * }
 * }</pre>
 *
 * @param <X> the checked exception that the body throws; the compiler infers {@link RuntimeException} if it throws none
 */
@FunctionalInterface
public interface TransactionBody<X extends Exception> {
    /** Runs one attempt. An exception rolls it back. */
    void run(Transaction tx) throws X;
}
