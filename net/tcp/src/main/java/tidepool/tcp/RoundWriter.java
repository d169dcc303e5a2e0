package tidepool.tcp;

import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.fabric.Round;
import tidepool.fabric.Verb;
import tidepool.wire.Frame;
import tidepool.wire.VerbFormat;

/**
 * Encodes a round as frames: one for each of its links, and more only if one would be too long. A READ or WRITE that
 * does not fit into one frame is split, which is allowed because it may tear anyway. Used under the write lock of an
 * endpoint.
 */
final class RoundWriter {
    /**
     * A handle that no node ever assigns. Sent for regions that were opened before their link broke, so that the node
     * refuses the verb. Also the mask of the 48 bits of a handle.
     */
    private static final long STALE = (1L << 48) - 1;

    /** Header, the three fixed words of a READ or WRITE, and one word to spare. */
    private static final int PIECE_OVERHEAD = Frame.HEADER + VerbFormat.requestBytes(VerbFormat.READ) + Words.BYTES;

    /** A frame with one READ of a word. */
    private static final int WORD_BYTES = Frame.HEADER + VerbFormat.requestBytes(VerbFormat.READ);

    private static final long WORD_HEAD = Frame.head(WORD_BYTES, Frame.ROUND, 0, 1);

    private PendingRound pending;
    private TcpLink link;
    private NodeConnection connection;
    private OutBuffer out;
    private FrameInFlight flight;
    private int frameAt;
    private int limit;
    private long answerBytes;
    private int stoppedVerb;
    private long stoppedPiece;

    /** Throws an exception if the CALL or its answer does not fit into a frame. */
    static void checkCall(Verb call) {
        int limit = ((TcpLink) call.link()).connection().welcome.frameBytes();
        if (longest(call) > limit - Frame.HEADER)
            throw new IllegalArgumentException("a CALL and its answer fit into a frame of " + limit
                    + " bytes each: length=" + call.length() + " replyLength=" + call.replyLength());
    }

    private static long longest(Verb call) {
        long request = VerbFormat.requestBytes(VerbFormat.CALL) + Frame.padded(call.length());
        return Math.max(request, VerbFormat.answerBytes(VerbFormat.CALL) + Frame.padded(call.replyLength()));
    }

    /**
     * Adds the frames for the verbs of this link. Returns false if there is no room for all of them; see {@link #rest}.
     */
    boolean write(PendingRound of, TcpLink on) {
        return of.round.count() == 1 && isWord(of.round.verb(0)) ? writeWord(of, on) : writeFrom(of, on, 0, 0);
    }

    /**
     * Adds the frames of an entry of the backlog. Returns false if there is no room for all of them; the entry then
     * holds only the rest.
     */
    boolean write(Unsent unsent) {
        if (writeFrom((PendingRound) unsent.pending, unsent.link, unsent.verb, unsent.piece)) return true;
        unsent.verb = stoppedVerb;
        unsent.piece = stoppedPiece;
        return false;
    }

    /** Returns the verbs of this link that are in no frame after {@link #write} has returned false. */
    Unsent rest(PendingRound of, TcpLink on) {
        return new Unsent(of, on, stoppedVerb, stoppedPiece);
    }

    private static boolean isWord(Verb verb) {
        return code(verb) == VerbFormat.READ && verb.length() == Words.BYTES;
    }

    /** The fast path for the most frequent round: one READ of a word. */
    private boolean writeWord(PendingRound of, TcpLink on) {
        NodeConnection connection = on.connection();
        if (!connection.hasRoom()) return stopped(0, 0);
        Verb verb = of.round.verb(0);
        FrameInFlight flight = connection.flights.next();
        flight.set(of, on, connection.nextSequence());
        flight.verbs = 1;
        OutBuffer out = connection.out;
        out.require(WORD_BYTES);
        out.words(WORD_HEAD, Frame.tail(on.number(), flight.sequence), VerbFormat.head(VerbFormat.READ, handle(verb)));
        out.word(verb.offset());
        out.word(Words.BYTES);
        of.sent();
        connection.flights.added();
        return true;
    }

    private boolean stopped(int verb, long piece) {
        stoppedVerb = verb;
        stoppedPiece = piece;
        return false;
    }

    private boolean writeFrom(PendingRound of, TcpLink on, int first, long piece) {
        pending = of;
        link = on;
        connection = on.connection();
        out = connection.out;
        limit = connection.welcome.frameBytes();
        flight = null;
        Round round = of.round;
        int count = round.count();
        for (int i = first; i < count; i++) {
            Verb verb = round.verb(i);
            if (verb.link() == on && !add(verb, i, i == first ? piece : 0)) return false;
        }
        close();
        return true;
    }

    private boolean add(Verb verb, int index, long piece) {
        int code = code(verb);
        long request = VerbFormat.requestBytes(code);
        long answer = VerbFormat.answerBytes(code);
        if (code == VerbFormat.READ) answer = Frame.padded(Math.max(0, verb.length()));
        else if (code == VerbFormat.WRITE) request += Frame.padded(Math.max(0, verb.length()));
        else if (code == VerbFormat.CALL) {
            request += Frame.padded(Math.max(0, verb.length()));
            answer += Frame.padded(Math.max(0, verb.replyLength()));
        }
        if (Math.max(request, answer) > limit - Frame.HEADER) {
            close();
            return split(verb, index, piece);
        }
        if (flight != null
                && (out.end() - frameAt + request > limit
                        || answerBytes + answer > limit
                        || flight.verbs == Frame.MAX_VERBS)) close();
        if (flight == null && !open(index)) return stopped(index, 0);
        flight.verbs++;
        answerBytes += answer;
        out.require((int) request);
        put(verb, verb.offset(), verb.length(), verb.localOffset());
        return true;
    }

    /**
     * Splits a READ or WRITE into pieces of one frame each. No CALL comes here: {@link #checkCall} has refused those
     * that are too long.
     */
    private boolean split(Verb verb, int index, long piece) {
        int code = code(verb);
        Checks.invariant(code == VerbFormat.READ || code == VerbFormat.WRITE, "only a READ or WRITE can be split");
        if (piece == 0 && isMisplaced(verb)) return addRefusable(verb, index);
        long max = (long) limit - PIECE_OVERHEAD & -Words.BYTES;
        for (long done = piece; done < verb.length(); done += max) {
            long bytes = Math.min(max, verb.length() - done);
            if (!open(index)) return stopped(index, done);
            flight.verbs = 1;
            flight.pieceAt = done;
            flight.pieceBytes = bytes;
            out.require((int) (VerbFormat.requestBytes(code) + bytes));
            put(verb, verb.offset() + done, bytes, verb.localOffset() + done);
            close();
        }
        return true;
    }

    /** Returns whether the node would refuse some piece of the verb. */
    private static boolean isMisplaced(Verb verb) {
        long bytes = verb.region().bytes();
        return isUnaligned(verb) || verb.offset() < 0 || verb.length() > bytes || verb.offset() > bytes - verb.length();
    }

    private static boolean isUnaligned(Verb verb) {
        return ((verb.offset() | verb.length()) & (Words.BYTES - 1)) != 0;
    }

    /**
     * Adds one piece that the node refuses for the reason for which it would refuse the whole verb. Otherwise the
     * pieces before the refused one would take effect.
     */
    private boolean addRefusable(Verb verb, int index) {
        if (!open(index)) return stopped(index, 0);
        long tail = verb.length() - 1 & -Words.BYTES;
        long at = verb.offset() < 0 && !isUnaligned(verb) ? 0 : tail;
        long bytes = Math.min(Words.BYTES, verb.length() - at);
        flight.verbs = 1;
        flight.pieceBytes = bytes;
        out.require((int) (VerbFormat.requestBytes(code(verb)) + Frame.padded(bytes)));
        put(verb, verb.offset() + at, bytes, verb.localOffset() + at);
        close();
        return true;
    }

    private boolean open(int index) {
        if (!connection.hasRoom()) return false;
        out.require(Frame.HEADER);
        frameAt = out.end();
        out.word(0);
        flight = connection.flights.next();
        flight.set(pending, link, connection.nextSequence());
        flight.firstVerb = index;
        out.word(Frame.tail(link.number(), flight.sequence));
        answerBytes = Frame.HEADER;
        return true;
    }

    private void close() {
        if (flight == null) return;
        out.wordAt(frameAt, Frame.head(out.end() - frameAt, Frame.ROUND, 0, flight.verbs));
        pending.sent();
        connection.flights.added();
        flight = null;
    }

    /** Writes a verb into the buffer. The caller has reserved the room. */
    private void put(Verb verb, long offset, long length, long localOffset) {
        int code = code(verb);
        switch (verb.kind()) {
            case READ -> out.words(VerbFormat.head(code, handle(verb)), offset, length);
            case WRITE -> {
                out.words(VerbFormat.head(code, handle(verb)), offset, Math.max(0, length));
                if (verb.local() == null) out.word(verb.operand());
                else if (length > 0) out.bytes(verb.local(), localOffset, length);
            }
            case CAS -> {
                out.words(VerbFormat.head(code, handle(verb)), offset, verb.operand());
                out.word(verb.desired());
            }
            case FAA -> out.words(VerbFormat.head(code, handle(verb)), offset, verb.operand());
            case MASKED_CAS -> {
                out.words(VerbFormat.head(code, handle(verb)), offset, verb.operand());
                out.words(verb.compareMask(), verb.desired(), verb.swapMask());
            }
            case MASKED_FAA -> {
                out.words(VerbFormat.head(code, handle(verb)), offset, verb.operand());
                out.word(verb.compareMask());
            }
            case FLUSH -> {
                out.word(VerbFormat.head(code, 0));
                out.word(0);
            }
            case CALL -> {
                out.words(VerbFormat.head(code, verb.operand() & STALE), length, verb.replyLength());
                if (length > 0) out.bytes(verb.local(), localOffset, length);
            }
            case CHAIN -> {
                out.word(VerbFormat.head(code, handle(verb)));
                out.word(offset);
            }
        }
    }

    private static int code(Verb verb) {
        return VerbFormat.codeOf(verb.code());
    }

    private static long handle(Verb verb) {
        TcpRegion region = (TcpRegion) verb.region();
        return region.isCurrent() ? region.handle() & STALE : STALE;
    }
}
