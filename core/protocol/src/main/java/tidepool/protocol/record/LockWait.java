package tidepool.protocol.record;

/** The reaction to locks that other transactions hold. */
@FunctionalInterface
public interface LockWait {
    /** The attempt ends at once. */
    LockWait ABORT = writes -> false;

    /**
     * Called when other transactions hold some of the requested locks. Waits until this transaction holds them and
     * their objects have landed. Or returns false, and the attempt is aborted.
     */
    boolean await(WriteSet writes);
}
