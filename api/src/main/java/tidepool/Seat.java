package tidepool;

import tidepool.base.Carrier;
import tidepool.base.Scheduler;
import tidepool.base.Strand;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Traffic;
import tidepool.protocol.Coordinator;
import tidepool.protocol.IdsUsedUpException;
import tidepool.protocol.Txn;

/**
 * A coordinator of this process: of which session it is, who made it, and what has become of its transactions.
 *
 * <p>Strands of one carrier share connections that the carrier reads between them. Anybody else who uses such a coordinator
 * has to ask again and again whether an answer is there, so seats go to those among whom they were made, if they can.
 */
final class Seat {
    private final Coordinator coordinator;
    private final int session;
    private final Counts counts;
    private Scheduler madeAmong; // null for threads

    Seat(Coordinator coordinator, int session, Counts counts) {
        this.coordinator = coordinator;
        this.session = session;
        this.counts = counts;
        this.madeAmong = here();
    }

    private static Scheduler here() {
        Strand strand = Strand.current();
        return strand == null ? null : strand.scheduler();
    }

    /** Whether the caller is one of those among whom it was made. */
    boolean isAtHome() {
        return madeAmong == here();
    }

    /** Strands of one carrier take turns on its thread, so they can share what they know about where records lie. */
    void shareAddresses(Seat other) {
        if (madeAmong instanceof Carrier && madeAmong == other.madeAmong && session == other.session)
            coordinator.shareAddresses(other.coordinator);
    }

    /** Goes to somebody elsewhere, who shares nothing with those it leaves. */
    void moveHere() {
        if (isAtHome()) return;
        if (madeAmong instanceof Carrier) coordinator.rememberAlone();
        madeAmong = here();
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

    String whyBroken() {
        return coordinator.whyBroken();
    }

    void close() {
        coordinator.close();
    }
}
