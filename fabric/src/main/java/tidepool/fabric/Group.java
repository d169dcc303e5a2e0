package tidepool.fabric;

import tidepool.base.Words;

/**
 * Verbs of one kind or another that belong together and lie side by side in one region, built as one: the first of them
 * carries what is needed for all. Where a verb costs little more than what is asked about it, a fabric carries them out at
 * once. They count as so many verbs, take effect in the same order, and {@link #spell} makes of them what they would have
 * been if they had been built one by one.
 *
 * <pre>
 *   group            verbs, from the first                         carried by the first verb
 *   {@link #READ_BEHIND}      READ all behind two words, READ the first,   offset of the first word, length behind both
 *                    READ the second                               where the first word lands, the others behind it
 *   {@link #READ_PAIR}        READ a word, READ the next                    offset, where the first lands
 *   {@link #SWAP_AND_READ}    CAS, READ behind the word                     itself; the READ is built as always
 *   {@link #MARK_AND_WRITE}   WRITE a word, WRITE what lies behind it       offset, length and source behind it; operand: the word
 *   {@link #WRITE_PAIR}       WRITE the second word, WRITE the first        offset of the first; operand: the second, desired: the first
 * </pre>
 */
public final class Group {
    private static final int KIND_BITS = 8;
    static final int KIND = (1 << KIND_BITS) - 1;
    private static final int WIDTH_SHIFT = 16;

    /** Shapes of verbs that lead a group are greater. */
    public static final int ALONE = KIND;

    public static final int READ_BEHIND = of(1, VerbKind.READ, 3);
    public static final int READ_PAIR = of(2, VerbKind.READ, 2);
    public static final int SWAP_AND_READ = of(3, VerbKind.CAS, 2);
    public static final int MARK_AND_WRITE = of(4, VerbKind.WRITE, 2);
    public static final int WRITE_PAIR = of(5, VerbKind.WRITE, 2);

    private Group() {}

    private static int of(int number, VerbKind kind, int width) {
        return width - 1 << WIDTH_SHIFT | number << KIND_BITS | kind.ordinal();
    }

    /** How many verbs come behind the one with this shape in its group: 0 if it stands alone. */
    public static int followers(int shape) {
        return shape >>> WIDTH_SHIFT;
    }

    /** Takes a group apart: each of its verbs says for itself what it is. The kinds and regions of all are known already. */
    static void spell(Verb first, Verb second, Verb third) {
        int shape = first.code;
        first.code = shape & KIND;
        long offset = first.offset;
        if (shape == READ_BEHIND) {
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

    private static void landing(Verb verb, Verb like, long behind) {
        verb.local = like.local;
        verb.localOffset = like.localOffset + behind;
    }
}
