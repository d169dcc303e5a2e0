package tidepool;

import tidepool.protocol.Recovery;

/** Is told what a pool does about sessions that died. Called in the thread in which it happens, so it must be quick. */
public interface PoolListener {
    /**
     * This process has noticed that a session is dead, and is about to recover it. Told again if somebody else was at it
     * and the session is still there.
     */
    default void noticed(int deadSession) {}

    /** This process has recovered a session. */
    default void recovered(Recovery.Report report) {}

    /**
     * A transaction has committed that a dead session's lock or mark had stood in the way of.
     *
     * @param waitedNanos since its first attempt began
     */
    default void passed(int deadSession, long waitedNanos) {}
}
