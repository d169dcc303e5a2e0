package tidepool.tcp;

import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.fabric.VerbKind;
import tidepool.tcp.wire.Frame;

/**
 * Makes frames of a round: one for each of its links, and more only if one would be too long. A READ or WRITE that does not
 * fit into a frame at all is split; it may tear anyway. Used under the write lock of a port.
 */
final class RoundWriter {
    /** No node gives this handle to anybody: for regions that were opened before their link broke. */
    private static final long STALE = (1L << 48) - 1;

    /** Header, and the three words before the bytes of a verb. */
    private static final int PIECE_OVERHEAD = Frame.HEADER + 4 * Words.BYTES;

    private RoundPending pending;
    private TcpLink link;
    private Wire wire;
    private OutBuffer out;
    private Flight flight;
    private int frameAt;
    private int limit;
    private long answerBytes;

    /** Adds the frames for the verbs of this link; false if so many cannot be under way. */
    boolean write(RoundPending of, TcpLink on) {
        pending = of;
        link = on;
        wire = on.wire();
        out = wire.out;
        limit = wire.welcome.frameBytes();
        flight = null;
        Round round = of.round;
        int count = round.count();
        for (int i = 0; i < count; i++) {
            Verb verb = round.verb(i);
            if (verb.link() == on && !add(verb, i)) return false;
        }
        close();
        return true;
    }

    private boolean add(Verb verb, int index) {
        long request = requestBytes(verb);
        long answer = answerBytes(verb);
        if (Math.max(request, answer) > limit - Frame.HEADER) {
            close();
            return split(verb, index);
        }
        if (flight != null
                && (out.end() - frameAt + request > limit
                        || answerBytes + answer > limit
                        || flight.verbs == Frame.MOST_VERBS)) close();
        if (flight == null && !open(index)) return false;
        flight.verbs++;
        answerBytes += answer;
        put(verb, verb.offset(), verb.length(), verb.localOffset());
        return true;
    }

    private boolean split(Verb verb, int index) {
        if (verb.kind() != VerbKind.READ && verb.kind() != VerbKind.WRITE)
            throw new IllegalArgumentException("does not fit into a frame of " + limit + " bytes: " + verb);
        long most = (long) limit - PIECE_OVERHEAD & -Words.BYTES;
        for (long done = 0; done < verb.length(); done += most) {
            long bytes = Math.min(most, verb.length() - done);
            if (!open(index)) return false;
            flight.verbs = 1;
            flight.pieceAt = done;
            flight.pieceBytes = bytes;
            put(verb, verb.offset() + done, bytes, verb.localOffset() + done);
            close();
        }
        return true;
    }

    private boolean open(int index) {
        if (wire.flights.room() == 0) return false;
        frameAt = out.end();
        out.word(0);
        flight = wire.flights.next();
        flight.set(pending, link, wire.nextSequence());
        flight.firstVerb = index;
        out.word(Frame.tail(link.number(), flight.sequence));
        answerBytes = Frame.HEADER;
        return true;
    }

    private void close() {
        if (flight == null) return;
        out.wordAt(frameAt, Frame.head(out.end() - frameAt, Frame.ROUND, 0, flight.verbs));
        pending.sent();
        wire.flights.added();
        flight = null;
    }

    private void put(Verb verb, long offset, long length, long localOffset) {
        VerbKind kind = verb.kind();
        long what = kind.ordinal() + 1L;
        switch (kind) {
            case READ -> {
                head(what, handle(verb), offset);
                out.word(length);
            }
            case WRITE -> {
                head(what, handle(verb), offset);
                out.word(Math.max(0, length));
                if (verb.local() == null) out.word(verb.operand());
                else if (length > 0) out.bytes(verb.local(), localOffset, length);
            }
            case CAS -> {
                head(what, handle(verb), offset);
                out.word(verb.operand());
                out.word(verb.desired());
            }
            case FAA -> {
                head(what, handle(verb), offset);
                out.word(verb.operand());
            }
            case MASKED_CAS -> {
                head(what, handle(verb), offset);
                out.word(verb.operand());
                out.word(verb.compareMask());
                out.word(verb.desired());
                out.word(verb.swapMask());
            }
            case MASKED_FAA -> {
                head(what, handle(verb), offset);
                out.word(verb.operand());
                out.word(verb.compareMask());
            }
            case FLUSH -> head(what, 0, 0);
            case CALL -> {
                head(what, verb.operand() & STALE, length);
                out.word(verb.replyLength());
                if (length > 0) out.bytes(verb.local(), localOffset, length);
            }
            case CHAIN -> head(what, handle(verb), offset);
        }
    }

    private void head(long what, long handle, long second) {
        out.word(what | handle << 16);
        out.word(second);
    }

    private static long handle(Verb verb) {
        TcpRegion region = (TcpRegion) verb.region();
        return region.isCurrent() ? region.handle() & STALE : STALE;
    }

    private static long requestBytes(Verb verb) {
        return switch (verb.kind()) {
            case READ, FAA -> 3 * Words.BYTES;
            case WRITE, CALL -> 3 * Words.BYTES + Frame.padded(Math.max(0, verb.length()));
            case CAS, MASKED_FAA -> 4 * Words.BYTES;
            case MASKED_CAS -> 6 * Words.BYTES;
            case FLUSH, CHAIN -> 2 * Words.BYTES;
        };
    }

    private static long answerBytes(Verb verb) {
        return switch (verb.kind()) {
            case READ -> Frame.padded(Math.max(0, verb.length()));
            case CAS, FAA, MASKED_CAS, MASKED_FAA -> Words.BYTES;
            case CALL -> Words.BYTES + Frame.padded(Math.max(0, verb.replyLength()));
            case WRITE, FLUSH, CHAIN -> 0;
        };
    }
}
