package tidepool.protocol.record;

/** The choice of the records that are locked although a transaction only reads them. */
public interface LockPolicy {
    /** Only what is written is locked. */
    LockPolicy WRITES_ONLY = new LockPolicy() {
        @Override
        public boolean locksRead(Access a) {
            return false;
        }
    };

    /** Called when new accesses were looked up, before {@link #locksRead} is asked for each of them. */
    default void plan() {}

    /** Whether an access is locked if it was found and only reads. */
    boolean locksRead(Access a);

    /**
     * Called when an attempt ends because another transaction holds or has changed the record that this access read.
     */
    default void readFailed(Access a) {}
}
