package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.VerbKind;
import tidepool.wire.Frame;

/**
 * The check of a ROUND before any verb of it is executed: kinds, lengths, padding, and that its verbs fill it exactly.
 * A frame that passes can be executed without further checks of its bounds.
 */
final class RoundValidator {
    /** Result for a frame that is no valid ROUND. */
    static final int MALFORMED = -1;

    static final int READ = VerbKind.READ.ordinal() + 1;
    static final int WRITE = VerbKind.WRITE.ordinal() + 1;
    static final int CAS = VerbKind.CAS.ordinal() + 1;
    static final int FAA = VerbKind.FAA.ordinal() + 1;
    static final int MASKED_CAS = VerbKind.MASKED_CAS.ordinal() + 1;
    static final int MASKED_FAA = VerbKind.MASKED_FAA.ordinal() + 1;
    static final int FLUSH = VerbKind.FLUSH.ordinal() + 1;
    static final int CALL = VerbKind.CALL.ordinal() + 1;
    static final int CHAIN = VerbKind.CHAIN.ordinal() + 1;

    /** Offsets of fields and fixed sizes of a verb. */
    static final int OFFSET = 8;

    static final int LENGTH = 16;
    static final int WRITE_BYTES = 24;
    static final int CALL_BYTES = 24;

    private static final long KIND_MASK = 0xff;
    private static final long ZERO_MASK = 0xff00;
    static final int HANDLE_SHIFT = 16;

    private RoundValidator() {}

    /**
     * Returns the most bytes that the answer can have, header included. Returns {@link #MALFORMED} if the frame breaks
     * the rules, or if its answer would not fit into a frame. A READ with a length that no region could answer counts
     * nothing, because it will be refused.
     */
    static int answerBytes(MemorySegment frame, long at, int bytes, int count, int frameLimit) {
        if (count == 0) return MALFORMED;
        long end = at + bytes;
        long verb = at + Frame.HEADER;
        long answer = Frame.HEADER;
        for (int i = 0; i < count; i++) {
            if (end - verb < 2 * Words.BYTES) return MALFORMED;
            long head = Words.plain(frame, verb);
            int kind = (int) (head & KIND_MASK);
            if ((head & ZERO_MASK) != 0) return MALFORMED;
            long length = fixedBytes(kind);
            if (length == 0 || end - verb < length) return MALFORMED;
            if (kind == READ) {
                long wanted = Words.plain(frame, verb + LENGTH);
                if (wanted > 0 && wanted <= frameLimit) answer += Frame.padded(wanted);
            } else if (kind == WRITE) {
                long body = bodyBytes(frame, verb + length, end, Words.plain(frame, verb + LENGTH));
                if (body < 0) return MALFORMED;
                length += body;
            } else if (kind == CALL) {
                long body = bodyBytes(frame, verb + length, end, Words.plain(frame, verb + OFFSET));
                long room = Words.plain(frame, verb + LENGTH);
                if (body < 0 || room < 0 || room > frameLimit) return MALFORMED;
                length += body;
                answer += Words.BYTES + Frame.padded(room);
            } else if (kind == FLUSH) {
                if (head >>> HANDLE_SHIFT != 0 || Words.plain(frame, verb + OFFSET) != 0) return MALFORMED;
            } else if (kind != CHAIN) {
                answer += Words.BYTES;
            }
            if (answer > frameLimit) return MALFORMED;
            verb += length;
        }
        return verb == end ? (int) answer : MALFORMED;
    }

    /** Returns the bytes of a verb without the body of a WRITE or CALL; 0 if there is no such kind. */
    private static int fixedBytes(int kind) {
        return switch (kind) {
            case 1, 2, 4, 8 -> 24; // READ, WRITE, FAA, CALL
            case 3, 6 -> 32; // CAS, MASKED_FAA
            case 5 -> 48; // MASKED_CAS
            case 7, 9 -> 16; // FLUSH, CHAIN
            default -> 0;
        };
    }

    /** Returns the padded bytes of a body; -1 if it reaches beyond the end or its padding is not zero. */
    private static long bodyBytes(MemorySegment frame, long from, long end, long length) {
        if (length < 0 || length > end - from) return -1;
        long padded = Frame.padded(length);
        if (padded > end - from) return -1;
        if (padded != length) {
            long last = Words.plain(frame, from + padded - Words.BYTES);
            long used = (length & (Words.BYTES - 1)) * Byte.SIZE;
            if (last >>> used != 0) return -1;
        }
        return padded;
    }
}
