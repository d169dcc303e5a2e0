package tidepool.protocol.ordered;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import tidepool.store.IndexNodeLayout;

/**
 * The nodes that the splits of one attempt have made, in the order of their lows. A search that goes to the right
 * begins at the nearest of them: a transaction that splits a thousand leaves would otherwise take a thousand steps.
 */
final class SplitNodes {
    /** No node; numbers of nodes are never 0. */
    static final long NONE = 0;

    private final int width;
    private byte[][] lows = new byte[4][];
    private long[] nodes = new long[4];
    private int count;

    SplitNodes(int width) {
        this.width = width;
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    void add(byte[] low, long node) {
        int at = place(low, 0, false);
        if (count == nodes.length) {
            lows = Arrays.copyOf(lows, 2 * count);
            nodes = Arrays.copyOf(nodes, 2 * count);
        }
        System.arraycopy(lows, at, lows, at + 1, count - at);
        System.arraycopy(nodes, at, nodes, at + 1, count - at);
        lows[at] = low;
        nodes[at] = node;
        count++;
    }

    /** Returns how many of them begin before a key, or at it if {@code isBelow} is false. */
    private int place(byte[] key, int from, boolean isBelow) {
        int most = isBelow ? -1 : 0;
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (IndexNodeLayout.compare(lows[middle], 0, key, from, width) <= most) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /**
     * Returns the last one that may cover a key, if it lies to the right of a node; {@link #NONE} if there is none.
     *
     * @param key null for the greatest key of all
     * @param isBelow whether the keys just below the key are wanted; a node that begins at the key has none of these
     * @param at the node whose high the search has passed
     */
    long between(MemorySegment memory, long at, byte[] key, int from, boolean isBelow) {
        int last = (key == null ? count : place(key, from, isBelow)) - 1;
        boolean isRight = last >= 0
                && IndexNodeLayout.compare(memory, IndexNodeLayout.high(at, width), lows[last], 0, width) <= 0;
        return isRight ? nodes[last] : NONE;
    }
}
