package tidepool.txn;

/** The end of an attempt of a transaction, as far as its coordinator knows it. */
public enum Outcome {
    COMMITTED,
    /** None of its writes took effect; {@link Txn#abortReason()} says why. */
    ABORTED,
    /**
     * The fabric failed during the commit. Recovery decides; the outcome can be asked for later by {@link Txn#id()}.
     */
    UNKNOWN
}
