package tidepool.tcp;

import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Round;

/** The pending answers of a round. It is attached to the round and reused. */
final class PendingRound extends PendingReply {
    final Round round;

    /** The round that is sent when this one is done; null if there is none. */
    Round next;

    PendingRound(Round round) {
        this.round = round;
    }

    static PendingRound of(Round round) {
        PendingRound pending = (PendingRound) round.attachment();
        if (pending == null) {
            pending = new PendingRound(round);
            round.attach(pending);
        }
        return pending;
    }

    /** Fails the round. A refusal replaces an earlier failure, because it says more than a broken link after it. */
    void fail(Reason reason, String text) {
        if (!round.hasFailed() || reason == Reason.REFUSED) round.fail(reason, text);
    }
}
