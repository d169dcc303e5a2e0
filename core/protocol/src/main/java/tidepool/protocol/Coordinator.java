package tidepool.protocol;

import tidepool.fabric.Traffic;
import tidepool.txn.Txn;

/** The runner of transactions, one after the other, for one strand or thread. */
public interface Coordinator extends AutoCloseable {
    /** Begins a new attempt under a new id. The attempt before it must have ended. */
    Txn begin();

    /** Begins a new attempt that only reads: it does no work that an earlier attempt has left, such as a split. */
    default Txn beginReading() {
        return begin();
    }

    /**
     * Returns the room that the next transaction gets. It is larger than {@link TxnRoom#SMALL} after an attempt that
     * ended as {@link tidepool.txn.AbortReason#NEEDS_ROOM}, until a transaction commits or is rolled back.
     */
    default TxnRoom room() {
        return TxnRoom.SMALL;
    }

    /** Sets the room that the next transaction gets. */
    default void room(TxnRoom next) {
        // A coordinator whose transactions have one size has nothing to set.
    }

    /** Returns its place among the pool's coordinators: a number that no other coordinator has at that time. */
    int number();

    /** Returns the counters of the verbs that this coordinator has sent. */
    Traffic traffic();

    /** Returns why this coordinator is unusable, such as a failure of the fabric; null if it is usable. */
    String whyBroken();

    /** Whether this coordinator is unusable. Its session then has to be recovered. */
    default boolean isBroken() {
        return whyBroken() != null;
    }

    /**
     * Shares the cached record addresses of another coordinator. Both belong to strands that take turns on one thread.
     */
    default void shareAddresses(Coordinator other) {
        // A coordinator without cached addresses has nothing to share.
    }

    /** Starts a new, empty address cache of its own. Called before the coordinator moves to another thread. */
    default void rememberAlone() {
        // A coordinator without cached addresses has nothing to separate.
    }

    /** Waits for background rounds, then clears its log area and gives up its place in the pool. */
    @Override
    void close();
}
