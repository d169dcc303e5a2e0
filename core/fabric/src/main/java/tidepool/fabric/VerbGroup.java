package tidepool.fabric;

import tidepool.base.Words;

/**
 * Verbs of adjacent places in one region, built as a unit: the first of them holds the fields of all. If a verb costs
 * little more than its checks, a fabric executes the group at once. Each verb of a group is counted, the verbs take
 * effect in their order, and {@link #spell} turns them into the verbs that would have been built one by one.
 *
 * <pre>
 *   group            verbs, from the first                    held by the first verb
 *   {@link #BODY_THEN_PAIR}      READ the bytes after two words,          offset and landing place of the first word,
 *                    READ the first, READ the second          length of the bytes after both
 *   {@link #READ_PAIR}        READ a word, READ the next               offset and landing place of the first
 *   {@link #SWAP_AND_READ}    CAS, READ the bytes after its word       itself; the READ is built as usual
 *   {@link #MARK_AND_WRITE}   WRITE a word, WRITE the bytes after it   offset; length and source of the bytes;
 *                                                             operand: the word
 *   {@link #WRITE_PAIR}       WRITE the second word, WRITE the first   offset of the first; operand: the second,
 *                                                             desired: the first
 * </pre>
 */
public final class VerbGroup {
    private static final int KIND_BITS = 8;
    static final int KIND = (1 << KIND_BITS) - 1;
    private static final int WIDTH_SHIFT = 16;

    /** The largest shape of a verb that leads no group. */
    public static final int ALONE = KIND;

    public static final int BODY_THEN_PAIR = of(1, VerbKind.READ, 3);
    public static final int READ_PAIR = of(2, VerbKind.READ, 2);
    public static final int SWAP_AND_READ = of(3, VerbKind.CAS, 2);
    public static final int MARK_AND_WRITE = of(4, VerbKind.WRITE, 2);
    public static final int WRITE_PAIR = of(5, VerbKind.WRITE, 2);

    /** The number of verbs of the widest group. */
    static final int WIDEST = 3;

    private VerbGroup() {}

    private static int of(int number, VerbKind kind, int width) {
        return width - 1 << WIDTH_SHIFT | number << KIND_BITS | kind.ordinal();
    }

    /** Returns the number of verbs that follow the one with this shape in its group: 0 if it leads none. */
    public static int followers(int shape) {
        return shape >>> WIDTH_SHIFT;
    }

    /** Splits a group into single verbs by setting the fields of each. The kinds and regions of all are set already. */
    static void spell(Verb first, Verb second, Verb third) {
        int shape = first.code;
        first.code = shape & KIND;
        long offset = first.offset;
        if (shape == BODY_THEN_PAIR) {
            word(second, offset);
            landing(second, first, 0);
            word(third, offset + Words.BYTES);
            landing(third, first, Words.BYTES);
            first.offset = offset + 2 * Words.BYTES;
            first.localOffset += 2 * Words.BYTES;
        } else if (shape == READ_PAIR) {
            word(first, offset);
            word(second, offset + Words.BYTES);
            landing(second, first, Words.BYTES);
        } else if (shape == MARK_AND_WRITE) {
            second.offset = offset + Words.BYTES;
            second.length = first.length;
            landing(second, first, 0);
            word(first, offset);
            first.localOffset = Verb.NOWHERE;
        } else if (shape == WRITE_PAIR) {
            word(first, offset + Words.BYTES);
            first.localOffset = Verb.NOWHERE;
            word(second, offset);
            second.localOffset = Verb.NOWHERE;
            second.operand = first.desired;
        }
    }

    private static void word(Verb verb, long offset) {
        verb.offset = offset;
        verb.length = Words.BYTES;
    }

    private static void landing(Verb verb, Verb like, long distance) {
        verb.local = like.local;
        verb.localOffset = like.localOffset + distance;
    }
}
