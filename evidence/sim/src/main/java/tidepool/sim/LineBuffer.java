package tidepool.sim;

import java.util.Arrays;

/**
 * The write buffer of a memory: lines in which it collects writes before they go to its medium. It consists of small
 * sets; in each set the oldest line is replaced. Optane has such a buffer in every module. Without it each of the small
 * writes that commit a record would cost the medium a whole line.
 */
final class LineBuffer {
    private static final int WAYS = 4;
    private static final long EMPTY = -1;
    private static final long SPREAD = 0x9e3779b97f4a7c15L; // 2^64 / golden ratio, odd

    private final long[] lines;
    private final int[] oldest;

    /**
     * @param count number of lines, rounded up to whole sets
     */
    LineBuffer(int count) {
        int sets = (count + WAYS - 1) / WAYS;
        lines = new long[sets * WAYS];
        oldest = new int[sets];
        Arrays.fill(lines, EMPTY);
    }

    /** Puts a line into the buffer. Returns true if it was there already. */
    boolean touch(long line) {
        if (oldest.length == 0) return false;
        int set = (int) Long.remainderUnsigned(line * SPREAD >>> 20, oldest.length);
        int from = set * WAYS;
        for (int i = from; i < from + WAYS; i++) if (lines[i] == line) return true;
        lines[from + oldest[set]] = line;
        oldest[set] = (oldest[set] + 1) % WAYS;
        return false;
    }
}
