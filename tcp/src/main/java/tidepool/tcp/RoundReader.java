package tidepool.tcp;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.memory.Access;
import tidepool.tcp.wire.Frame;

/** Lands what an ANSWER brings: bytes and words at their places, and each verb's effect. Believes no length it is told. */
final class RoundReader {
    private static final int READ = VerbKind.READ.ordinal();

    /** The first word of the answer to one READ of a word. */
    private static final long ONE_WORD = Frame.head(Frame.HEADER + Words.BYTES, Frame.ANSWER, 0, 1);

    private RoundReader() {}

    /** Null, or what is wrong with the frame, whose header has these words. */
    static String land(Flight flight, long head, long tail, MemorySegment memory, int at) {
        RoundPending pending = (RoundPending) flight.pending;
        if (Frame.link(tail) != flight.link.number()) return "the node answered for another link";
        if (head == ONE_WORD && landWord(flight, pending.round, memory, at)) return null;
        int status = Frame.status(head);
        int done = Frame.count(head);
        if (done > flight.verbs || (status == 0) != (done == flight.verbs)) return "the node answered for other verbs";
        if (status != 0 && status != Frame.BROKEN && (status < Access.BOUNDS || status > Access.SPACE))
            return "the node refused for no known reason: status=" + status;
        int end = at + Frame.bytes(head);
        int cursor = landVerbs(flight, pending.round, done, memory, at + Frame.HEADER, end);
        if (cursor != end) return "the node's answer has the wrong length";
        if (status != 0) failed(flight, pending, done, status);
        return null;
    }

    /** The shortest way, for what is asked most often. False if this is not that. */
    private static boolean landWord(Flight flight, Round round, MemorySegment memory, int at) {
        if (flight.verbs != 1 || flight.pieceBytes != 0) return false;
        Verb verb = round.verb(flight.firstVerb);
        if (verb.code() != READ || verb.length() != Words.BYTES) return false;
        Words.plain(verb.local(), verb.localOffset(), Words.plain(memory, at + Frame.HEADER));
        verb.done();
        return true;
    }

    /** Returns where it stopped reading; not the end of the frame if that is too short or too long. */
    private static int landVerbs(Flight flight, Round round, int done, MemorySegment memory, int from, int end) {
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
                    // Nothing comes home.
                }
            }
            if (flight.pieceBytes == 0) verb.done(); // of one that was split, each piece can only make it fail
        }
        return cursor;
    }

    /** The verb behind those that were done was refused, and the rest of the frame was not carried out. */
    private static void failed(Flight flight, RoundPending pending, int done, int status) {
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

    /** Whether an earlier piece of this verb was refused: then none has landed, and its refusal stays. */
    private static boolean isRefused(Flight flight, Verb verb) {
        return flight.pieceAt > 0 && verb.effect() == Effect.NOT_DONE;
    }

    /** What waited for room is never sent; a verb of which pieces were sent may have landed in part. */
    static void unsent(Unsent unsent, Refusal refusal) {
        Round round = ((RoundPending) unsent.pending).round;
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

    /** No answer will come. */
    static void lost(Flight flight, Effect effect, Refusal refusal) {
        Round round = ((RoundPending) flight.pending).round;
        int passed = 0;
        for (int index = flight.firstVerb; passed < flight.verbs; index++) {
            Verb verb = round.verb(index);
            if (verb.link() != flight.link) continue;
            passed++;
            verb.failed(flight.pieceBytes == 0 ? effect : Effect.UNKNOWN, refusal);
        }
    }
}
