package tidepool.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The lines of 64 bytes that were written through a link since its last FLUSH. */
final class DirtyLines {
    static final int LINE_SHIFT = 6;

    private final List<BitSet> byRegion = new ArrayList<>();
    private boolean everything;

    void add(int region, long offset, long length) {
        while (byRegion.size() <= region) byRegion.add(new BitSet());
        byRegion.get(region).set((int) (offset >> LINE_SHIFT), (int) ((offset + length - 1) >> LINE_SHIFT) + 1);
    }

    /** Called after a handler or chained work has run: its writes are not known. */
    void addEverything() {
        everything = true;
    }

    boolean isEverything() {
        return everything;
    }

    /** Returns the lines of a region; null if there are none. */
    BitSet of(int region) {
        return region < byRegion.size() ? byRegion.get(region) : null;
    }

    void clear() {
        for (int i = 0; i < byRegion.size(); i++) byRegion.get(i).clear();
        everything = false;
    }
}
