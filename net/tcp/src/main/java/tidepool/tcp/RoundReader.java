package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.memory.AccessCode;
import tidepool.wire.Frame;

/**
 * Decodes an ANSWER: copies bytes and words to their landing buffers and sets the effect of each verb. Checks every
 * length that the node sends.
 */
final class RoundReader {
    private static final int READ = VerbKind.READ.ordinal();

    /** The first word of the answer to a single READ of a word. */
    private static final long ONE_WORD = Frame.head(Frame.HEADER + Words.BYTES, Frame.ANSWER, 0, 1);

    private RoundReader() {}

    /**
     * Delivers an answer; {@code head} and {@code tail} are the words of its header. Returns null, or what is wrong
     * with the frame.
     */
    static String land(FrameInFlight flight, long head, long tail, MemorySegment memory, int at) {
        PendingRound pending = (PendingRound) flight.pending;
        if (Frame.link(tail) != flight.link.number()) return "the node answered for another link";
        if (head == ONE_WORD && landWord(flight, pending.round, memory, at)) return null;
        int status = Frame.status(head);
        int done = Frame.count(head);
        if (done > flight.verbs || (status == 0) != (done == flight.verbs)) return "the node answered for other verbs";
        if (status != 0 && status != Frame.BROKEN && (status < AccessCode.BOUNDS || status > AccessCode.SPACE))
            return "the node refused for no known reason: status=" + status;
        int end = at + Frame.bytes(head);
        int cursor = landVerbs(flight, pending.round, done, memory, at + Frame.HEADER, end);
        if (cursor != end) return "the node's answer has the wrong length";
        if (status != 0) failed(flight, pending, done, status);
        return null;
    }

    /** The fast path for the most frequent answer: one READ of a word. Returns false if the frame is another answer. */
    private static boolean landWord(FrameInFlight flight, Round round, MemorySegment memory, int at) {
        if (flight.verbs != 1 || flight.pieceBytes != 0) return false;
        Verb verb = round.verb(flight.firstVerb);
        if (verb.code() != READ || verb.length() != Words.BYTES) return false;
        Words.plain(verb.local(), verb.localOffset(), Words.plain(memory, at + Frame.HEADER));
        verb.done();
        return true;
    }

    /**
     * Returns the offset at which reading stopped. It differs from the end of the frame if the frame is too short or
     * too long.
     */
    private static int landVerbs(FrameInFlight flight, Round round, int done, MemorySegment memory, int from, int end) {
        int cursor = from;
        int index = flight.firstVerb;
        for (int i = 0; i < done; index++) {
            Verb verb = round.verb(index);
            if (verb.link() != flight.link) continue;
            i++;
            switch (verb.kind()) {
                case READ -> {
                    long length = flight.pieceBytes == 0 ? verb.length() : flight.pieceBytes;
                    if (end - cursor < length) return -1;
                    long to = verb.localOffset() + flight.pieceAt;
                    if (length == Words.BYTES) Words.plain(verb.local(), to, Words.plain(memory, cursor));
                    else MemorySegment.copy(memory, cursor, verb.local(), to, length);
                    cursor += (int) length;
                }
                case CAS, FAA, MASKED_CAS, MASKED_FAA -> {
                    if (end - cursor < Words.BYTES) return -1;
                    if (verb.local() != null)
                        Words.plain(verb.local(), verb.localOffset(), Words.plain(memory, cursor));
                    cursor += Words.BYTES;
                }
                case CALL -> {
                    if (end - cursor < Words.BYTES) return -1;
                    long length = Words.plain(memory, cursor);
                    cursor += Words.BYTES;
                    if (length < 0 || length > verb.replyLength() || end - cursor < length) return -1;
                    MemorySegment.copy(memory, cursor, verb.reply(), verb.replyOffset(), length);
                    cursor += (int) Frame.padded(length);
                }
                case WRITE, FLUSH, CHAIN -> {
                    // The answer has no data for these verbs.
                }
            }
            if (flight.pieceBytes == 0) verb.done(); // a piece of a split verb can only make the verb fail
        }
        return cursor;
    }

    /**
     * Fails the verb after the first {@code done} ones, which the node refused, and the rest of the frame, which the
     * node did not execute.
     */
    private static void failed(FrameInFlight flight, PendingRound pending, int done, int status) {
        boolean broken = status == Frame.BROKEN;
        Refusal refusal = broken ? null : Refusal.of(status);
        int passed = 0;
        for (int index = flight.firstVerb; passed < flight.verbs; index++) {
            Verb verb = pending.round.verb(index);
            if (verb.link() != flight.link) continue;
            if (passed++ < done) continue;
            if (isRefused(flight, verb)) continue;
            boolean partly = flight.pieceAt > 0;
            verb.failed(partly ? Effect.UNKNOWN : Effect.NOT_DONE, passed == done + 1 ? refusal : null);
        }
        flight.link.breakDown();
        pending.fail(broken ? Reason.DISCONNECTED : Reason.REFUSED, broken ? "the link is broken" : "verb refused");
    }

    /**
     * Returns whether an earlier piece of this verb was refused. Then no piece has taken effect, and that refusal
     * stays.
     */
    private static boolean isRefused(FrameInFlight flight, Verb verb) {
        return flight.pieceAt > 0 && verb.effect() == Effect.NOT_DONE;
    }

    /**
     * Fails the verbs of a backlog entry that is never sent. A verb of which pieces were sent may have taken effect in
     * part.
     */
    static void unsent(Unsent unsent, Refusal refusal) {
        Round round = ((PendingRound) unsent.pending).round;
        Refusal first = refusal;
        for (int index = unsent.verb; index < round.count(); index++) {
            Verb verb = round.verb(index);
            if (verb.link() != unsent.link) continue;
            boolean partly = index == unsent.verb && unsent.piece > 0;
            if (partly && verb.effect() == Effect.NOT_DONE) continue; // its first piece was refused
            verb.failed(partly ? Effect.UNKNOWN : Effect.NOT_DONE, first);
            first = null;
        }
    }

    /** Fails the verbs of a frame that will get no answer. */
    static void lost(FrameInFlight flight, Effect effect, Refusal refusal) {
        Round round = ((PendingRound) flight.pending).round;
        int passed = 0;
        for (int index = flight.firstVerb; passed < flight.verbs; index++) {
            Verb verb = round.verb(index);
            if (verb.link() != flight.link) continue;
            passed++;
            verb.failed(flight.pieceBytes == 0 ? effect : Effect.UNKNOWN, refusal);
        }
    }
}
