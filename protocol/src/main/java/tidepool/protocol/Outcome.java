package tidepool.protocol;

/** How an attempt of a transaction ended, as far as its coordinator knows. */
public enum Outcome {
    COMMITTED,
    /** Nothing of it happened; {@link Txn#abortReason()} says why. */
    ABORTED,
    /** The fabric failed while it committed: recovery decides, and {@link Txn#id()} asks for the answer later. */
    UNKNOWN
}
