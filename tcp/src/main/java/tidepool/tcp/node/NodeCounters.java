package tidepool.tcp.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a node has counted since it started. Its loop alone counts; anybody may look, and sees each number as one. */
public final class NodeCounters {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final NodeCounter[] ALL = NodeCounter.values();

    private final long[] values = new long[ALL.length];

    NodeCounters() {}

    public long value(NodeCounter counter) {
        return (long) LONGS.getOpaque(values, counter.ordinal());
    }

    /** Verbs of all kinds. */
    public long verbs() {
        return sum(NodeCounter.VERBS_READ, NodeCounter.VERBS_CHAIN);
    }

    /** Connections that were turned away or cut, for whatever reason. */
    public long refused() {
        return sum(NodeCounter.REFUSED_VERSION, NodeCounter.REFUSED_ROSTER);
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

    /** Of a group: the counter that stands {@code code - 1} behind its first. */
    void countCode(NodeCounter first, int code) {
        add(first.ordinal() + code - 1, 1);
    }

    private void add(int index, long number) {
        LONGS.setOpaque(values, index, values[index] + number);
    }
}
