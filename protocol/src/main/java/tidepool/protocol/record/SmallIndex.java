package tidepool.protocol.record;

import java.util.Arrays;
import tidepool.store.schema.Keys;

/**
 * Finds the number of a thing by its key, among the few hundred of one transaction. Emptied at no cost; allocates nothing.
 */
final class SmallIndex {
    private final int mask;
    private final long[] keys;
    private final int[] tags;
    private final int[] numbers;

    /** Which of the {@link #clear} calls a place was filled after; any other than the last one means that it is empty. */
    private final int[] filled;

    private int now = 1;

    /** @param most how many it has to hold */
    SmallIndex(int most) {
        int places = Integer.highestOneBit(2 * most - 1) << 1; // at most half of them are used
        mask = places - 1;
        keys = new long[places];
        tags = new int[places];
        numbers = new int[places];
        filled = new int[places];
    }

    void clear() {
        now++;
        if (now != 0) return;
        Arrays.fill(filled, 0); // the counter came round
        now = 1;
    }

    /** The number that was put last for a key and its tag; -1 if there is none. */
    int find(long key, int tag) {
        int at = place(key, tag);
        return filled[at] == now ? numbers[at] : -1;
    }

    void put(long key, int tag, int number) {
        int at = place(key, tag);
        keys[at] = key;
        tags[at] = tag;
        numbers[at] = number;
        filled[at] = now;
    }

    private int place(long key, int tag) {
        int at = (int) Keys.hash(key, tag) & mask;
        while (filled[at] == now && (keys[at] != key || tags[at] != tag)) at = at + 1 & mask;
        return at;
    }
}
