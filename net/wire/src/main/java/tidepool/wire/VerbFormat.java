package tidepool.wire;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;

/**
 * The verbs of a ROUND on the wire: their codes, their words, and how long each verb and its result are. A verb has a
 * fixed number of words, and WRITE and CALL have a body after them. Offsets are bytes into a verb.
 *
 * <pre>
 *               0      8               16          24            32        40
 *   READ        head   offset          length
 *   WRITE       head   offset          length      body ...
 *   CAS         head   offset          operand     desired
 *   FAA         head   offset          operand
 *   MASKED_CAS  head   offset          operand     compare mask  desired   swap mask
 *   MASKED_FAA  head   offset          operand     field tops
 *   FLUSH       head   0
 *   CALL        head   request length  reply room  body ...
 *   CHAIN       head   offset
 *
 *   head        code (bits 0-7), zero (8-15), handle of the region or number of the handler (16-63)
 * </pre>
 *
 * {@code docs/internals/layouts/wire.txt} is the byte table. The look-ups below are array reads, because both ends make
 * them for every verb.
 */
public final class VerbFormat {
    public static final int READ = 1;
    public static final int WRITE = 2;
    public static final int CAS = 3;
    public static final int FAA = 4;
    public static final int MASKED_CAS = 5;
    public static final int MASKED_FAA = 6;
    public static final int FLUSH = 7;
    public static final int CALL = 8;
    public static final int CHAIN = 9;

    // ---- offsets of the words of a verb

    /** Where in the region: of all verbs on regions. */
    public static final int OFFSET = 8;

    /** Bytes of the body of a CALL. */
    public static final int REQUEST_LENGTH = 8;

    /** Bytes that a READ wants, and of the body of a WRITE. */
    public static final int LENGTH = 16;

    /** Most bytes of the reply to a CALL. */
    public static final int REPLY_ROOM = 16;

    /** The expected word of CAS and MASKED_CAS; the delta of FAA and MASKED_FAA. */
    public static final int OPERAND = 16;

    /** The new word of a CAS. */
    public static final int DESIRED = 24;

    /** The top bits of the fields of a MASKED_FAA. */
    public static final int FIELD_TOPS = 24;

    /** Of a MASKED_CAS. */
    public static final int COMPARE_MASK = 24;

    /** The new word of a MASKED_CAS. */
    public static final int MASKED_DESIRED = 32;

    /** Of a MASKED_CAS. */
    public static final int SWAP_MASK = 40;

    /** Result of {@link #bodyLengthAt} for verbs without a body. */
    public static final int NO_BODY = 0;

    private static final int CODE_MASK = 0xff;
    private static final long ZERO_MASK = 0xff00;
    private static final int HANDLE_SHIFT = 16;

    // By code, one byte: codes without a verb have zeros.
    private static final int[] REQUEST_BYTES = new int[CODE_MASK + 1];
    private static final int[] ANSWER_BYTES = new int[CODE_MASK + 1];
    private static final int[] BODY_LENGTH_AT = new int[CODE_MASK + 1];

    static {
        verb(READ, 3, 0, NO_BODY);
        verb(WRITE, 3, 0, LENGTH);
        verb(CAS, 4, 1, NO_BODY);
        verb(FAA, 3, 1, NO_BODY);
        verb(MASKED_CAS, 6, 1, NO_BODY);
        verb(MASKED_FAA, 4, 1, NO_BODY);
        verb(FLUSH, 2, 0, NO_BODY);
        verb(CALL, 3, 1, REQUEST_LENGTH);
        verb(CHAIN, 2, 0, NO_BODY);
    }

    private VerbFormat() {}

    private static void verb(int code, int requestWords, int answerWords, int bodyLengthAt) {
        REQUEST_BYTES[code] = requestWords * Words.BYTES;
        ANSWER_BYTES[code] = answerWords * Words.BYTES;
        BODY_LENGTH_AT[code] = bodyLengthAt;
    }

    /** Returns the code of the verb kind with this ordinal in {@code VerbKind}. */
    public static int codeOf(int ordinal) {
        return ordinal + READ;
    }

    /** Returns the ordinal in {@code VerbKind} of the kind with this code. */
    public static int ordinalOf(int code) {
        return code - READ;
    }

    // ---- sizes

    /** Returns the bytes of a verb without its body; 0 if there is no such code. The body follows them. */
    public static int requestBytes(int code) {
        return REQUEST_BYTES[code & CODE_MASK];
    }

    /** Returns the bytes of a result without the data of a READ and the reply to a CALL. */
    public static int answerBytes(int code) {
        return ANSWER_BYTES[code & CODE_MASK];
    }

    /** Returns the offset of the word that holds the length of the body; {@link #NO_BODY} if the verb has none. */
    public static int bodyLengthAt(int code) {
        return BODY_LENGTH_AT[code & CODE_MASK];
    }

    /** Returns the bytes of the verb at this place of a frame, with its padded body. */
    public static long bytes(int code, MemorySegment frame, long verb) {
        int lengthAt = bodyLengthAt(code);
        int fixed = requestBytes(code);
        return lengthAt == NO_BODY ? fixed : fixed + Frame.padded(Words.plain(frame, verb + lengthAt));
    }

    // ---- the head

    /** Returns the first word of a verb. The handle has 48 bits. */
    public static long head(int code, long handle) {
        return code | handle << HANDLE_SHIFT;
    }

    public static int code(long head) {
        return (int) head & CODE_MASK;
    }

    public static long handle(long head) {
        return head >>> HANDLE_SHIFT;
    }

    /** Returns whether the bits between code and handle are zero, as they have to be. */
    public static boolean isHead(long head) {
        return (head & ZERO_MASK) == 0;
    }
}
