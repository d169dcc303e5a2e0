package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.wire.Frame;
import tidepool.wire.VerbFormat;

/**
 * The check of a ROUND before any verb of it is executed: kinds, lengths, padding, and that its verbs fill it exactly.
 * A frame that passes can be executed without further checks of its bounds.
 */
final class RoundValidator {
    /** Result for a frame that is no valid ROUND. */
    static final int MALFORMED = -1;

    /** Bytes of the shortest verb. */
    private static final int MIN_BYTES = VerbFormat.requestBytes(VerbFormat.FLUSH);

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
            if (end - verb < MIN_BYTES) return MALFORMED;
            long head = Words.plain(frame, verb);
            if (!VerbFormat.isHead(head)) return MALFORMED;
            int code = VerbFormat.code(head);
            long length = VerbFormat.requestBytes(code);
            if (length == 0 || end - verb < length) return MALFORMED;
            answer += VerbFormat.answerBytes(code);
            if (code == VerbFormat.READ) {
                long wanted = Words.plain(frame, verb + VerbFormat.LENGTH);
                if (wanted > 0 && wanted <= frameLimit) answer += Frame.padded(wanted);
            } else if (code == VerbFormat.WRITE) {
                long body = bodyBytes(frame, verb + length, end, Words.plain(frame, verb + VerbFormat.LENGTH));
                if (body < 0) return MALFORMED;
                length += body;
            } else if (code == VerbFormat.CALL) {
                long body = bodyBytes(frame, verb + length, end, Words.plain(frame, verb + VerbFormat.REQUEST_LENGTH));
                long room = Words.plain(frame, verb + VerbFormat.REPLY_ROOM);
                if (body < 0 || room < 0 || room > frameLimit) return MALFORMED;
                length += body;
                answer += Frame.padded(room);
            } else if (code == VerbFormat.FLUSH) {
                if (VerbFormat.handle(head) != 0 || Words.plain(frame, verb + VerbFormat.OFFSET) != 0) return MALFORMED;
            }
            if (answer > frameLimit) return MALFORMED;
            verb += length;
        }
        return verb == end ? (int) answer : MALFORMED;
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
