package tidepool.sim;

import tidepool.base.Strand;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Round;

/** The state of a posted round: the answers it still waits for. Each round has one, which is reused with it. */
final class RoundTracker {
    final Round round;
    long stamp;
    int pending;
    int links;
    long deadlineNanos;
    private Reason reason;
    private Strand waiter;

    /** The round that is sent when this one is over, and the one that this one waits for; null if there is none. */
    private RoundTracker next;

    RoundTracker before;

    /** The strand that handed over a waiting round. */
    SimStrand poster;

    /** The strand that dies when every verb of this round is answered; null if none does. */
    SimStrand dying;

    RoundTracker(Round round) {
        this.round = round;
    }

    void begin(long stamp, long deadlineNanos) {
        this.stamp = stamp;
        this.deadlineNanos = deadlineNanos;
        pending = 0;
        links = 0;
        reason = null;
        waiter = null;
        dying = null;
    }

    /** Called for a round that is sent when the other one is over; it is not complete before that. */
    void waitsFor(RoundTracker other, SimStrand strand) {
        pending = 1;
        before = other;
        poster = strand;
        other.next = this;
    }

    void waiter(Strand strand) {
        if (waiter != strand) waiter = strand;
    }

    /** Called when a verb has its effect. The last one wakes the waiting strand. */
    void answered() {
        if (--pending == 0) over();
    }

    void over() {
        if (reason != null) round.fail(reason, text(reason));
        if (dying != null) crash();
        if (next != null) follow();
        if (waiter != null) waiter.unpark();
    }

    private void crash() {
        SimStrand strand = dying;
        dying = null;
        ((SimLane) round.lane()).crash(strand, strand.crashPoint.wholeMachine());
    }

    private void follow() {
        RoundTracker follower = next;
        next = null;
        follower.before = null;
        follower.pending = 0;
        if (reason != null) follower.round.neverSent(round);
        else ((SimLane) round.lane()).postAfter(follower);
    }

    /** Called when a verb failed. The worst reason is reported. */
    void failed(Reason why) {
        if (reason == null || rank(why) < rank(reason)) reason = why;
    }

    private static int rank(Reason reason) {
        return switch (reason) {
            case REFUSED -> 0;
            case TIMED_OUT -> 1;
            case CLOSED -> 2;
            case DISCONNECTED -> 3;
            case UNAVAILABLE -> 4;
        };
    }

    private static String text(Reason reason) {
        return switch (reason) {
            case REFUSED -> "verb refused";
            case TIMED_OUT -> "verb timed out";
            case CLOSED -> "the lane is closed";
            case DISCONNECTED, UNAVAILABLE -> "the link is broken";
        };
    }
}
