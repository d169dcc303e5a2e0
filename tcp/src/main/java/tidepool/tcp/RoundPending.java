package tidepool.tcp;

import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Round;

/** What a round waits for; kept with the round and used again and again. */
final class RoundPending extends Pending {
    final Round round;

    /** The round that follows when this one is done; null if none does. */
    Round next;

    RoundPending(Round round) {
        this.round = round;
    }

    static RoundPending of(Round round) {
        RoundPending pending = (RoundPending) round.attachment();
        if (pending == null) {
            pending = new RoundPending(round);
            round.attach(pending);
        }
        return pending;
    }

    /** A refusal says more than a broken link behind it. */
    void fail(Reason reason, String text) {
        if (!round.hasFailed() || reason == Reason.REFUSED) round.fail(reason, text);
    }
}
