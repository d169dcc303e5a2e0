package tidepool;

/** An exception that the application throws to give up a transaction. Nothing of it happened, and it is not retried. */
public final class Rollback extends TidepoolException {
    private static final long serialVersionUID = 1L;

    /** Gives the reason. The caller of the transaction gets this very exception. */
    public Rollback(String why) {
        super(why);
    }
}
