package tidepool.store;

import java.util.Arrays;
import tidepool.store.schema.Keys;

/**
 * Remembers a word for a number, as long as there is room; 0 is no word. It begins small and grows once, when it turns out that
 * it is used, to all that it may ever need: whoever goes on then allocates nothing, however many numbers come. When it is
 * full, what is new takes the places of what is old, and at last it starts anew.
 *
 * <pre>
 *    a line of the processor's cache:   | number, word | number, word | number, word | number, word |
 * </pre>
 *
 * Four neighbouring numbers begin their search in one line, each at its own place, and a run of 256 within one page of memory,
 * of which a processor remembers only some thousand: what is used together is found together. Who finds no room there goes on
 * elsewhere, by steps of its run, so that two runs that meet once do not meet again. A place that was used is never empty
 * again, so nothing behind it is cut off, and a quarter of the places is always empty, so that every search ends soon.
 */
final class HintTable {
    private static final int FIRST = 1 << 10;
    private static final int IN_LINE = 4;
    private static final int IN_LINE_BITS = 2;

    /** Lines of a page, in which a run of neighbours lies. */
    private static final int IN_PAGE = 64;

    private static final int RUN_BITS = 8;
    private static final long NONE = 0;

    /** Words in front of the first line: the header of a large array ends 16 bytes into a line of the processor. */
    private static final int LEAD = 6;

    private final int most;
    private int size = FIRST;
    private long[] words = new long[LEAD + 2 * FIRST];
    private int used;

    /**
     * @param mostNumbers for how many there is room at the most
     * @param numbers how many different ones there can be
     */
    HintTable(int mostNumbers, long numbers) {
        // At most half full, so that it is never full; a power of two.
        long places = Math.min(2L * mostNumbers, 4 * numbers - 1);
        this.most = Integer.highestOneBit((int) Math.max(FIRST, places));
    }

    /** For how many there is room now. */
    int places() {
        return size;
    }

    /** The word of a number, or 0. */
    long find(long number) {
        return words[place(number) + 1];
    }

    /** Never 0. */
    void put(long number, long word) {
        int at = place(number);
        if (words[at + 1] == NONE) at = newPlace(number, at);
        // Most are there already, as they are: a store would make the line dirty for nothing.
        if (words[at] != number) words[at] = number;
        if (words[at + 1] != word) words[at + 1] = word;
    }

    /** Where a number lies, or the empty place at which the search for it ends. */
    private int place(long number) {
        long run = run(number);
        int step = (int) (run >>> 40) | 1; // odd, and so it comes to all lines
        for (int line = line(number, run); ; line = line + step & size / IN_LINE - 1) {
            for (int i = 0; i < IN_LINE; i++) {
                int at = place(line, number + i);
                if (words[at] == number || words[at + 1] == NONE) return at;
            }
        }
    }

    private static long run(long number) {
        return Keys.hash(number >>> RUN_BITS);
    }

    /** The page follows from the run. So does which line of it is the first: numbers may have nothing but zeros in their low bits. */
    private int line(long number, long run) {
        long inPage = (number >>> IN_LINE_BITS ^ run >>> 32) & IN_PAGE - 1;
        return (int) (run & -IN_PAGE | inPage) & size / IN_LINE - 1;
    }

    private static int place(int line, long number) {
        return LEAD + 2 * (IN_LINE * line + ((int) number & IN_LINE - 1));
    }

    /** A place for a number whose search ended at an empty one. */
    private int newPlace(long number, int empty) {
        if (used < size / 2) {
            used++;
            return empty;
        }
        if (size < most) {
            grow();
            used++;
            return place(number);
        }
        if (used >= size / 4 * 3) {
            Arrays.fill(words, NONE);
            used = 0;
        }
        // Where its search begins: whoever lies there is given up.
        int first = place(line(number, run(number)), number);
        if (words[first + 1] == NONE) used++;
        return first;
    }

    boolean hasGrown() {
        return size > FIRST;
    }

    /** To all that it may ever need. */
    void grow() {
        if (size == most) return;
        long[] old = words;
        size = most;
        used = 0;
        words = new long[LEAD + 2 * size];
        for (int at = LEAD; at < old.length; at += 2) if (old[at + 1] != NONE) put(old[at], old[at + 1]);
    }
}
