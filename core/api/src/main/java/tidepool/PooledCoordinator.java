package tidepool;

import tidepool.base.Carrier;
import tidepool.base.Scheduler;
import tidepool.base.Strand;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnIdsExhaustedException;
import tidepool.protocol.TxnRoom;
import tidepool.txn.Txn;

/**
 * A coordinator of this process, with its session, the scheduler in which it was made, and the counts of its
 * transactions.
 *
 * <p>Strands of one carrier share connections, which the carrier reads between them. Any other thread that uses such a
 * coordinator has to poll for each answer. So a coordinator goes to strands of the carrier in which it was made, if
 * possible.
 */
final class PooledCoordinator {
    private final Coordinator coordinator;
    private final int session;
    private final TxnCounts counts;
    private Scheduler madeAmong; // null for threads

    PooledCoordinator(Coordinator coordinator, int session, TxnCounts counts) {
        this.coordinator = coordinator;
        this.session = session;
        this.counts = counts;
        this.madeAmong = here();
    }

    private static Scheduler here() {
        Strand strand = Strand.current();
        return strand == null ? null : strand.scheduler();
    }

    /** Returns whether the caller runs in the scheduler in which the coordinator was made. */
    boolean isAtHome() {
        return madeAmong == here();
    }

    /**
     * Shares known addresses of records with another coordinator. Strands of one carrier take turns on its thread, so
     * they can share them.
     */
    void shareAddresses(PooledCoordinator other) {
        if (madeAmong instanceof Carrier && madeAmong == other.madeAmong && session == other.session)
            coordinator.shareAddresses(other.coordinator);
    }

    /** Moves the coordinator to the caller's scheduler. It stops sharing addresses with those it leaves. */
    void moveHere() {
        if (isAtHome()) return;
        if (madeAmong instanceof Carrier) coordinator.rememberAlone();
        madeAmong = here();
    }

    /**
     * Begins a transaction with at least this room. A session without ids left counts as failed, and is replaced.
     */
    Txn begin(boolean readsOnly, TxnRoom room) {
        try {
            if (room != TxnRoom.SMALL) coordinator.room(room);
            return readsOnly ? coordinator.beginReading() : coordinator.begin();
        } catch (TxnIdsExhaustedException e) {
            throw new FabricException(FabricException.Reason.DISCONNECTED, Effect.NOT_DONE, e.getMessage());
        }
    }

    /**
     * Returns the room that the next attempt of the transaction needs that has ended here. The next attempt may have
     * another coordinator, and this one another transaction.
     */
    TxnRoom takeRoom() {
        TxnRoom room = coordinator.room();
        if (room != TxnRoom.SMALL) coordinator.room(TxnRoom.SMALL);
        return room;
    }

    int session() {
        return session;
    }

    /** Returns its place among the coordinators of the pool, which no other one has while it is open. */
    int number() {
        return coordinator.number();
    }

    TxnCounts counts() {
        return counts;
    }

    Traffic traffic() {
        return coordinator.traffic();
    }

    boolean isBroken() {
        return coordinator.isBroken();
    }

    String whyBroken() {
        return coordinator.whyBroken();
    }

    void close() {
        coordinator.close();
    }
}
