package tidepool;

import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.IdsUsedUpException;
import tidepool.protocol.Txn;

/** A coordinator of this process: of which session it is, and what has become of its transactions. */
final class Seat {
    private final Coordinator coordinator;
    private final int session;
    private final Counts counts;

    Seat(Coordinator coordinator, int session, Counts counts) {
        this.coordinator = coordinator;
        this.session = session;
        this.counts = counts;
    }

    /** A session without ids is as good as one that failed: another takes its place. */
    Txn begin() {
        try {
            return coordinator.begin();
        } catch (IdsUsedUpException e) {
            throw new FabricException(FabricException.Reason.DISCONNECTED, Effect.NOT_DONE, e.getMessage());
        }
    }

    int session() {
        return session;
    }

    Counts counts() {
        return counts;
    }

    Traffic traffic() {
        return coordinator.traffic();
    }

    boolean isBroken() {
        return coordinator.isBroken();
    }

    void close() {
        coordinator.close();
    }
}
