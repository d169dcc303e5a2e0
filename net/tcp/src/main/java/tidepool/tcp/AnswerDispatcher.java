package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.base.Clock;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.wire.ControlStatus;
import tidepool.wire.Frame;

/**
 * Dispatches the frames that the connections of an {@link Endpoint} take in: completes rounds and control calls, fails
 * them, and sends follow-up rounds.
 */
final class AnswerDispatcher implements FrameListener {
    private final Endpoint endpoint;
    private final SuspectedSessions suspects;

    AnswerDispatcher(Endpoint endpoint, SuspectedSessions suspects) {
        this.endpoint = endpoint;
        this.suspects = suspects;
    }

    @Override
    public String land(
            NodeConnection connection, FrameInFlight flight, long head, long tail, MemorySegment memory, int at) {
        int kind = Frame.kind(head);
        if (flight.pending instanceof ControlCall call) {
            if (kind != Frame.REPLY) return "the node answered with a frame of kind " + kind;
            landReply(call, head, memory, at);
            return null;
        }
        if (kind != Frame.ANSWER) return "the node answered with a frame of kind " + kind;
        if (isTooLate((PendingRound) flight.pending, connection)) {
            tooLate(connection, flight);
            return null;
        }
        return RoundReader.land(flight, head, tail, memory, at);
    }

    /**
     * Returns whether the answer arrived after the deadline that the round itself has. Such a round must not succeed
     * after its deadline. For other rounds a late answer is better than none.
     */
    private static boolean isTooLate(PendingRound pending, NodeConnection connection) {
        return hasOwnDeadline(pending) && connection.heardNanos() > pending.deadlineNanos;
    }

    static boolean hasOwnDeadline(PendingReply pending) {
        return pending instanceof PendingRound waiting && waiting.round.deadlineNanos() != 0;
    }

    /**
     * Fails a flight that was not answered before its deadline. The verbs may still take effect; their answer will be
     * dropped.
     */
    void tooLate(NodeConnection connection, FrameInFlight flight) {
        long heardMillis = (Clock.system().nowNanos() - connection.heardNanos()) / 1_000_000;
        String why = "no answer in time from node " + connection.node + ", which was heard " + heardMillis + " ms ago"
                + (hasFlush(flight) ? "; a FLUSH is under way: its disk may be slow" : "");
        lost(connection, flight, Effect.UNKNOWN, Reason.TIMED_OUT, why);
    }

    private static boolean hasFlush(FrameInFlight flight) {
        if (!(flight.pending instanceof PendingRound pending)) return false;
        for (int i = 0; i < pending.round.count(); i++) {
            Verb verb = pending.round.verb(i);
            if (verb.link() == flight.link && verb.kind() == VerbKind.FLUSH) return true;
        }
        return false;
    }

    private static void landReply(ControlCall call, long head, MemorySegment memory, int at) {
        int status = Frame.status(head);
        if (status == 0) {
            long[] words = new long[(Frame.bytes(head) - Frame.HEADER) / Words.BYTES];
            for (int i = 0; i < words.length; i++)
                words[i] = Words.plain(memory, at + Frame.HEADER + (long) i * Words.BYTES);
            call.results = words;
        } else {
            call.text = NodeConnection.text(head, memory, at);
        }
        call.status = status;
    }

    @Override
    public void lost(NodeConnection connection, FrameInFlight flight, Effect effect, Reason reason, String why) {
        if (flight.pending instanceof ControlCall call) {
            unsent(call, connection, why);
            return;
        }
        boolean revoked = effect == Effect.NOT_DONE && connection.wasRevoked();
        RoundReader.lost(flight, effect, revoked ? Refusal.EPOCH : null);
        ((PendingRound) flight.pending).fail(revoked ? Reason.REFUSED : reason, why);
    }

    @Override
    public void unsent(NodeConnection connection, Unsent unsent, Reason reason, String why) {
        if (unsent.pending instanceof ControlCall call) {
            unsent(call, connection, why);
            return;
        }
        PendingRound pending = (PendingRound) unsent.pending;
        boolean revoked = connection.wasRevoked();
        RoundReader.unsent(unsent, revoked ? Refusal.EPOCH : null);
        pending.fail(revoked ? Reason.REFUSED : reason, why);
    }

    /**
     * Fails a control call that was not answered. If the session was revoked, the call counts as refused for that,
     * whether it reached the node or not.
     */
    static void unsent(ControlCall call, NodeConnection connection, String why) {
        call.text = why;
        if (connection.wasRevoked()) call.status = ControlStatus.EPOCH;
    }

    /** Completes a request. The thread that took in the last answer of a round also sends its follow-up round. */
    @Override
    public void done(PendingReply pending) {
        if (pending instanceof PendingRound first && first.next != null) {
            Round next = first.next;
            first.next = null;
            PendingRound second = PendingRound.of(next);
            if (first.round.hasFailed()) {
                next.neverSent(first.round);
                if (second.allSent()) done(second);
            } else {
                endpoint.post(second, false);
            }
        }
        endpoint.wake(pending);
    }

    @Override
    public void suspects(long head, MemorySegment memory, int at) {
        boolean over = Frame.status(head) != 0;
        for (int word = at + Frame.HEADER; word < at + Frame.bytes(head); word += Words.BYTES) {
            if (over) suspects.remove((int) Words.plain(memory, word));
            else suspects.add((int) Words.plain(memory, word));
        }
    }
}
