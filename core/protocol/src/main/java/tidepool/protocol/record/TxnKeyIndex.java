package tidepool.protocol.record;

import java.util.Arrays;
import tidepool.schema.EightByteKeys;

/**
 * A map from keys to numbers, for the few hundred entries of one transaction. Clearing costs nothing; it allocates
 * nothing.
 */
final class TxnKeyIndex {
    private final int mask;
    private final long[] keys;
    private final int[] tags;
    private final int[] numbers;

    /**
     * The value of {@link #now} when a place was filled. Any value other than the current one means that it is empty.
     */
    private final int[] filled;

    private int now = 1;

    /** @param max the maximum number of entries */
    TxnKeyIndex(int max) {
        int places = Integer.highestOneBit(2 * max - 1) << 1; // at most half of them are used
        mask = places - 1;
        keys = new long[places];
        tags = new int[places];
        numbers = new int[places];
        filled = new int[places];
    }

    void clear() {
        now++;
        if (now != 0) return;
        Arrays.fill(filled, 0); // the counter wrapped around
        now = 1;
    }

    /** Returns the number that was put last for a key and its tag; -1 if there is none. */
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
        int at = (int) EightByteKeys.hash(key, tag) & mask;
        while (filled[at] == now && (keys[at] != key || tags[at] != tag)) at = at + 1 & mask;
        return at;
    }
}
