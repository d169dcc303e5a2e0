package tidepool;

/**
 * An exception that the application throws to give up a transaction. Nothing of it happened, and it is not retried.
 *
 * <pre>{@code
 * pool.transact(tx -> {
 *     Cell<Account> account = accounts.update(tx, 17);
 *     if (account.get().balance() < 5) throw new Rollback("insufficient funds");
 *     account.set(account.get().plus(-5));
 * });
 * }</pre>
 */
public final class Rollback extends TidepoolException {
    private static final long serialVersionUID = 1L;

    /** Gives the reason. The caller of the transaction gets this very exception. */
    public Rollback(String why) {
        super(why);
    }
}
