package tidepool.protocol.record;

/** The verbs that a protocol sends ahead of its locks, in their round. */
@FunctionalInterface
public interface LockPreamble {
    /** Nothing is sent ahead of the locks. */
    LockPreamble NONE = () -> {};

    /**
     * Adds the verbs to {@link RecordTxn#round}. The write set is known. The contents of the objects are not known yet,
     * except for copies seen earlier.
     */
    void add();
}
