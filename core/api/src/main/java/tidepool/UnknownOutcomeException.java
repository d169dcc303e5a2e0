package tidepool;

import tidepool.store.TxnId;

/**
 * A failure of the fabric while the transaction committed. The transaction may have happened, and was not retried.
 * {@link Tidepool#resolve} tells later whether it happened, unless the pool has overwritten its outcome with later
 * ones.
 *
 * <pre>{@code
 * try {
 *     pool.transact(body);
 * } catch (UnknownOutcomeException unknown) {
 *     Boolean happened = pool.resolve(unknown.txn()); // null: not known yet, or no longer
 *     System.out.println(happened == null ? "ask again later" : happened ? "committed" : "not committed");
 * }
 * }</pre>
 */
public final class UnknownOutcomeException extends TidepoolException {
    private static final long serialVersionUID = 1L;

    private final long txn;

    UnknownOutcomeException(long txn, Throwable cause) {
        super("it is not known whether the transaction happened: txn=" + TxnId.text(txn), cause);
        this.txn = txn;
    }

    /** Returns the id for {@link Tidepool#resolve}. */
    public long txn() {
        return txn;
    }
}
