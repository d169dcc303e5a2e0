package tidepool.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The counts of a node since its start. Only its loop counts. Any thread may read; a single number is never torn. */
public final class NodeCounters {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final NodeCounter[] ALL = NodeCounter.values();

    private final long[] values = new long[ALL.length];

    NodeCounters() {}

    public long value(NodeCounter counter) {
        return (long) LONGS.getOpaque(values, counter.ordinal());
    }

    /** Returns the number of verbs of all kinds. */
    public long verbs() {
        return sum(NodeCounter.VERBS_READ, NodeCounter.VERBS_CHAIN);
    }

    /** Returns the number of connections that were refused or cut, for any reason. */
    public long refused() {
        return sum(NodeCounter.REFUSED_VERSION, NodeCounter.REFUSED_IDENTITY);
    }

    private long sum(NodeCounter first, NodeCounter last) {
        long sum = 0;
        for (int i = first.ordinal(); i <= last.ordinal(); i++) sum += (long) LONGS.getOpaque(values, i);
        return sum;
    }

    void count(NodeCounter counter) {
        add(counter.ordinal(), 1);
    }

    void add(NodeCounter counter, long number) {
        add(counter.ordinal(), number);
    }

    /** Counts in a group of counters: the one that is {@code code - 1} places after its first. */
    void countCode(NodeCounter first, int code) {
        add(first.ordinal() + code - 1, 1);
    }

    private void add(int index, long number) {
        LONGS.setOpaque(values, index, values[index] + number);
    }
}
