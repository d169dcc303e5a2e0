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
import tidepool.tcp.wire.ControlStatus;
import tidepool.tcp.wire.Frame;

/** What becomes of what the wires of a {@link Port} take in: rounds and control calls are answered, failed, followed. */
final class Landing implements Answers {
    private final Port port;
    private final Suspects suspects;

    Landing(Port port, Suspects suspects) {
        this.port = port;
        this.suspects = suspects;
    }

    @Override
    public String land(Wire wire, Flight flight, long head, long tail, MemorySegment memory, int at) {
        int kind = Frame.kind(head);
        if (flight.pending instanceof ControlCall call) {
            if (kind != Frame.REPLY) return "the node answered with a frame of kind " + kind;
            landReply(call, head, memory, at);
            return null;
        }
        if (kind != Frame.ANSWER) return "the node answered with a frame of kind " + kind;
        if (isTooLate((RoundPending) flight.pending, wire)) {
            tooLate(wire, flight);
            return null;
        }
        return RoundReader.land(flight, head, tail, memory, at);
    }

    /** Who gave a deadline of its own gets nothing behind it; for others a late answer is better than none. */
    private static boolean isTooLate(RoundPending pending, Wire wire) {
        return hasOwnDeadline(pending) && wire.heardNanos() > pending.deadlineNanos;
    }

    static boolean hasOwnDeadline(Pending pending) {
        return pending instanceof RoundPending waiting && waiting.round.deadlineNanos() != 0;
    }

    /** No answer came before the deadline. It flies on: its answer will be thrown away. */
    void tooLate(Wire wire, Flight flight) {
        long heardMillis = (Clock.system().nowNanos() - wire.heardNanos()) / 1_000_000;
        String why = "no answer in time from node " + wire.node + ", which was heard " + heardMillis + " ms ago"
                + (hasFlush(flight) ? "; a FLUSH is under way: its disk may be slow" : "");
        lost(wire, flight, Effect.UNKNOWN, Reason.TIMED_OUT, why);
    }

    private static boolean hasFlush(Flight flight) {
        if (!(flight.pending instanceof RoundPending pending)) return false;
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
            call.text = Wire.text(head, memory, at);
        }
        call.status = status;
    }

    @Override
    public void lost(Wire wire, Flight flight, Effect effect, Reason reason, String why) {
        if (flight.pending instanceof ControlCall call) {
            unsent(call, wire, why);
            return;
        }
        boolean revoked = effect == Effect.NOT_DONE && wire.wasRevoked();
        RoundReader.lost(flight, effect, revoked ? Refusal.EPOCH : null);
        ((RoundPending) flight.pending).fail(revoked ? Reason.REFUSED : reason, why);
    }

    @Override
    public void unsent(Wire wire, Unsent unsent, Reason reason, String why) {
        if (unsent.pending instanceof ControlCall call) {
            unsent(call, wire, why);
            return;
        }
        RoundPending pending = (RoundPending) unsent.pending;
        boolean revoked = wire.wasRevoked();
        RoundReader.unsent(unsent, revoked ? Refusal.EPOCH : null);
        pending.fail(revoked ? Reason.REFUSED : reason, why);
    }

    /** A call of a session that was revoked is refused for that, whether it got as far as the node or not. */
    static void unsent(ControlCall call, Wire wire, String why) {
        call.text = why;
        if (wire.wasRevoked()) call.status = ControlStatus.EPOCH;
    }

    /** The round that follows one that is done is sent by whoever took in its last answer. */
    @Override
    public void done(Pending pending) {
        if (pending instanceof RoundPending first && first.next != null) {
            Round next = first.next;
            first.next = null;
            RoundPending second = RoundPending.of(next);
            if (first.round.hasFailed()) {
                next.neverSent(first.round);
                if (second.allSent()) done(second);
            } else {
                port.post(second, false);
            }
        }
        port.wake(pending);
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
