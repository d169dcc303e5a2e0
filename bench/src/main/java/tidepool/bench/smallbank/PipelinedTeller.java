package tidepool.bench.smallbank;

/**
 * A teller whose store is reached by messages, and who can have several transactions under way at once: they are posted,
 * and their results are taken in the same order. Waiting for each before the next is posted is what the methods of
 * {@link Teller} do. For one thread.
 */
public interface PipelinedTeller extends Teller {
    /** How many may be posted and not yet taken. */
    int outstanding();

    void postAmalgamate(int a, int b);

    void postBalance(int a);

    void postDepositChecking(int a, long cents);

    void postSendPayment(int a, int b, long cents);

    void postTransactSavings(int a, long cents);

    void postWriteCheck(int a, long cents);

    /**
     * Takes the result of the transaction that was posted longest ago. Waits for it. What {@link Teller} returns for its
     * kind, with 1 for true; 0 for kinds that return nothing.
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
