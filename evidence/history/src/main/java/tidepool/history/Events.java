package tidepool.history;

/** All lines of a history in columns, in the order in which they were read, until {@link HistoryBuilder} pairs them. */
final class Events {
    private final LongColumn indices = new LongColumn();
    private final LongColumn processes = new LongColumn();
    private final ByteColumn types = new ByteColumn();
    private final IntColumn lines = new IntColumn();
    private final IntColumn firstOps = new IntColumn();
    private final IntColumn endOps = new IntColumn();

    void add(long index, long process, byte type, int line, int firstOp, int endOp) {
        indices.add(index);
        processes.add(process);
        types.add(type);
        lines.add(line);
        firstOps.add(firstOp);
        endOps.add(endOp);
    }

    int count() {
        return types.size();
    }

    long index(int event) {
        return indices.at(event);
    }

    long process(int event) {
        return processes.at(event);
    }

    byte type(int event) {
        return types.at(event);
    }

    int line(int event) {
        return lines.at(event);
    }

    int firstOp(int event) {
        return firstOps.at(event);
    }

    int endOp(int event) {
        return endOps.at(event);
    }

    /**
     * Returns the events by index. Recorders of several threads and files leave them nearly sorted: a merge sort of
     * runs.
     */
    int[] inOrder() {
        int[] order = new int[count()];
        boolean sorted = true;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            sorted &= i == 0 || index(i - 1) <= index(i);
        }
        if (sorted) return order;
        int[] other = new int[order.length];
        for (int width = 1; width < order.length; width *= 2) {
            for (int from = 0; from < order.length; from += 2 * width) merge(order, other, from, width);
            int[] swap = order;
            order = other;
            other = swap;
        }
        return order;
    }

    private void merge(int[] from, int[] to, int start, int width) {
        int middle = Math.min(start + width, from.length);
        int end = Math.min(middle + width, from.length);
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
            boolean takeLeft = left < middle && (right >= end || index(from[left]) <= index(from[right]));
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }
}
