package tidepool.protocol.ordered;

import java.util.concurrent.atomic.LongAdder;

/** What this process has done to ordered indexes. Attempts that did not commit are not counted, searches are. */
public final class IndexCounts {
    final LongAdder leafSplits = new LongAdder();
    final LongAdder innerSplits = new LongAdder();
    final LongAdder lifts = new LongAdder();
    final LongAdder separators = new LongAdder();
    final LongAdder merges = new LongAdder();
    final LongAdder searches = new LongAdder();
    final LongAdder steps = new LongAdder();

    IndexCounts() {}

    /** Returns how many leaves were split. */
    public long leafSplits() {
        return leafSplits.sum();
    }

    /** Returns how many inner nodes were split. */
    public long innerSplits() {
        return innerSplits.sum();
    }

    /** Returns how often a tree has become higher. */
    public long lifts() {
        return lifts.sum();
    }

    /** Returns how many separators were added to inner nodes. */
    public long separators() {
        return separators.sum();
    }

    /** Returns how many leaves were merged with a neighbour. */
    public long merges() {
        return merges.sum();
    }

    /** Returns how many searches cached nodes have led to a wrong node, so that they began again at the root. */
    public long searches() {
        return searches.sum();
    }

    /** Returns how many steps searches went to the right neighbour of a leaf. */
    public long steps() {
        return steps.sum();
    }

    /** Returns the counts in one line, such as {@code splits=12 inner=0 lifts=1 separators=12 merges=3 …}. */
    @Override
    public String toString() {
        return "splits=" + leafSplits() + " inner=" + innerSplits() + " lifts=" + lifts() + " separators="
                + separators() + " merges=" + merges() + " searches=" + searches() + " steps=" + steps();
    }
}
