package tidepool.store;

import java.util.Arrays;
import tidepool.schema.EightByteKeys;

/**
 * A bounded table that maps numbers to words; word 0 means none. It starts small and grows once, to its maximum size,
 * when it turns out to be used. After that it allocates nothing, however many numbers come. When it is full, new
 * numbers replace old ones, and at last the table is cleared.
 *
 * <pre>
 *    a line of the processor's cache:   | number, word | number, word | number, word | number, word |
 * </pre>
 *
 * Four neighbouring numbers start their search in one cache line, each at its own place. A run of 256 numbers starts
 * within one page of memory, because a processor's TLB covers only some thousand pages. So numbers that are used
 * together are found together. A search that finds no room there continues in other lines, by a step that depends on
 * the run. So two runs that collide once do not collide again. A used place never becomes empty again, so that no
 * search ends before the number it looks for. A quarter of the places is always empty, so that every search ends soon.
 */
final class HintTable {
    private static final int FIRST = 1 << 10;
    private static final int IN_LINE = 4;
    private static final int IN_LINE_BITS = 2;

    /** Cache lines of a page, in which a run of neighbours lies. */
    private static final int IN_PAGE = 64;

    private static final int RUN_BITS = 8;
    private static final long NONE = 0;

    /** Words before the first line: the header of a large array ends 16 bytes into a cache line. */
    private static final int LEAD = 6;

    private final int max;
    private int size = FIRST;
    private long[] words = new long[LEAD + 2 * FIRST];
    private int used;

    /**
     * @param maxNumbers the maximum for which there is room
     * @param numbers how many different ones there can be
     */
    HintTable(int maxNumbers, long numbers) {
        // At most half full, so that it is never full; a power of two.
        long places = Math.min(2L * maxNumbers, 4 * numbers - 1);
        this.max = Integer.highestOneBit((int) Math.max(FIRST, places));
    }

    /** Returns for how many numbers there is room now. */
    int places() {
        return size;
    }

    /** Returns the word of a number, or 0. */
    long find(long number) {
        return words[place(number) + 1];
    }

    /** Loads the place at which the search for a number begins, so that a search soon after does not wait for it. */
    long touch(long number) {
        return words[place(line(number, run(number)), number)];
    }

    /** Stores the word of a number; it is never 0. */
    void put(long number, long word) {
        int at = place(number);
        if (words[at + 1] == NONE) at = newPlace(number, at);
        // Most numbers are there already, with this word. A store would make the cache line dirty without need.
        if (words[at] != number) words[at] = number;
        if (words[at + 1] != word) words[at + 1] = word;
    }

    /** Returns where a number lies, or the empty place at which the search for it ends. */
    private int place(long number) {
        long run = run(number);
        int step = (int) (run >>> 40) | 1; // odd, so that it reaches all lines
        for (int line = line(number, run); ; line = line + step & size / IN_LINE - 1) {
            for (int i = 0; i < IN_LINE; i++) {
                int at = place(line, number + i);
                if (words[at] == number || words[at + 1] == NONE) return at;
            }
        }
    }

    private static long run(long number) {
        return EightByteKeys.hash(number >>> RUN_BITS);
    }

    /**
     * Returns the line at which a search starts. The page follows from the run, and so does the first line of the run
     * in it: the low bits of all numbers may be zero.
     */
    private int line(long number, long run) {
        long inPage = (number >>> IN_LINE_BITS ^ run >>> 32) & IN_PAGE - 1;
        return (int) (run & -IN_PAGE | inPage) & size / IN_LINE - 1;
    }

    private static int place(int line, long number) {
        return LEAD + 2 * (IN_LINE * line + ((int) number & IN_LINE - 1));
    }

    /** Returns a place for a number whose search ended at an empty place. */
    private int newPlace(long number, int empty) {
        if (used < size / 2) {
            used++;
            return empty;
        }
        if (size < max) {
            grow();
            used++;
            return place(number);
        }
        if (used >= size / 4 * 3) {
            Arrays.fill(words, NONE);
            used = 0;
        }
        // The place at which the search starts. The number that lies there is forgotten.
        int first = place(line(number, run(number)), number);
        if (words[first + 1] == NONE) used++;
        return first;
    }

    boolean hasGrown() {
        return size > FIRST;
    }

    /** Grows to the maximum size. */
    void grow() {
        if (size == max) return;
        long[] old = words;
        size = max;
        used = 0;
        words = new long[LEAD + 2 * size];
        for (int at = LEAD; at < old.length; at += 2) if (old[at + 1] != NONE) put(old[at], old[at + 1]);
    }
}
