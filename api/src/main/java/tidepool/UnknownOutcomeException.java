package tidepool;

import tidepool.store.TxnId;

/**
 * The fabric failed while the transaction committed, and it may have happened: it was not tried again. {@link
 * Tidepool#resolve} tells later whether it happened, unless the pool has recorded so many other outcomes since that
 * this one is gone.
 */
public final class UnknownOutcomeException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    private final long txn;

    UnknownOutcomeException(long txn, Throwable cause) {
        super("it is not known whether the transaction happened: txn=" + TxnId.text(txn), cause);
        this.txn = txn;
    }

    /** The id to ask by. */
    public long txn() {
        return txn;
    }
}
