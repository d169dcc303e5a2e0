package tidepool.bench.smallbank;

/**
 * A teller for a store that is reached by messages, with several transactions under way at once. They are posted, and
 * their results are taken in the order of posting. The methods of {@link Teller} wait for each result before the next
 * one is posted. Used by one thread.
 */
public interface PipelinedTeller extends Teller {
    /** Returns the highest number of posted transactions whose results are not yet taken. */
    int outstanding();

    void postAmalgamate(int a, int b);

    void postBalance(int a);

    void postDepositChecking(int a, long cents);

    void postSendPayment(int a, int b, long cents);

    void postTransactSavings(int a, long cents);

    void postWriteCheck(int a, long cents);

    /**
     * Waits for the result of the oldest posted transaction. Returns what {@link Teller} returns for its kind, with 1
     * for true; 0 for kinds that return nothing.
     */
    long take();

    @Override
    default void amalgamate(int a, int b) {
        postAmalgamate(a, b);
        take();
    }

    @Override
    default long balance(int a) {
        postBalance(a);
        return take();
    }

    @Override
    default void depositChecking(int a, long cents) {
        postDepositChecking(a, cents);
        take();
    }

    @Override
    default boolean sendPayment(int a, int b, long cents) {
        postSendPayment(a, b, cents);
        return take() == 1;
    }

    @Override
    default void transactSavings(int a, long cents) {
        postTransactSavings(a, cents);
        take();
    }

    @Override
    default long writeCheck(int a, long cents) {
        postWriteCheck(a, cents);
        return take();
    }
}
