package tidepool;

/**
 * Listener for what a pool does about dead sessions. Called in the thread in which it happens, so it must be quick.
 *
 * <pre>{@code
 * pool.setListener(new PoolListener() {
 *     @Override
 *     public void noticed(int deadSession) {
 *         System.out.println("session " + deadSession + " is dead");
 *     }
 * });
 * }</pre>
 */
public interface PoolListener {
    /**
     * Called when this process has noticed that a session is dead, and is about to recover it. Called again if another
     * recoverer was at work and the session is still there.
     */
    default void noticed(int deadSession) {}

    /** Called when this process has recovered a session. */
    default void recovered(RecoveryReport report) {}

    /**
     * Called when a transaction has committed that was blocked by a lock or mark of a dead session.
     *
     * @param waitedNanos since its first attempt began
     */
    default void passed(int deadSession, long waitedNanos) {}
}
