package tidepool;

/** Thrown by the application to give up a transaction: nothing of it happened, and it is not tried again. */
public final class Rollback extends TidepoolException {
    private static final long serialVersionUID = 1L;

    /** Says why; the caller of the transaction gets this very exception. */
    public Rollback(String why) {
        super(why);
    }
}
