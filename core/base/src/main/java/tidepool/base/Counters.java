package tidepool.base;

import java.util.List;

/**
 * Named counters of one thread or one scheduler. They are plain additions to an array, cheap enough to count every
 * verb. Another thread that reads them meanwhile sees slightly old numbers.
 *
 * <p>The index of a counter is its place among the names. Modules keep it in a constant or in the ordinal of an enum.
 */
public final class Counters {
    private final List<String> names;
    private final long[] values;

    public Counters(List<String> names) {
        Checks.argument(names.stream().distinct().count() == names.size(), "counters have different names");
        this.names = List.copyOf(names);
        this.values = new long[names.size()];
    }

    /** Returns one counter per constant, in their order and with their names. */
    public static <E extends Enum<E>> Counters of(Class<E> constants) {
        return new Counters(
                List.of(constants.getEnumConstants()).stream().map(Enum::name).toList());
    }

    public void increment(int counter) {
        values[counter]++;
    }

    public void add(int counter, long delta) {
        values[counter] += delta;
    }

    public long value(int counter) {
        return values[counter];
    }

    public List<String> names() {
        return names;
    }

    /** Returns a copy of the current values. */
    public Snapshot snapshot() {
        return new Snapshot(names, values.clone());
    }

    /** Values at one moment, or the difference of two moments. */
    public static final class Snapshot {
        private final List<String> names;
        private final long[] values;

        private Snapshot(List<String> names, long[] values) {
            this.names = names;
            this.values = values;
        }

        public long value(int counter) {
            return values[counter];
        }

        public long value(String name) {
            int counter = names.indexOf(name);
            Checks.argument(counter >= 0, "no such counter: name=" + name);
            return values[counter];
        }

        /** Returns the difference to an earlier snapshot of these counters. */
        public Snapshot since(Snapshot earlier) {
            Checks.argument(names.equals(earlier.names), "snapshots of different counters");
            long[] difference = values.clone();
            for (int i = 0; i < difference.length; i++) difference[i] -= earlier.values[i];
            return new Snapshot(names, difference);
        }

        /** Returns the sum with the counts of another thread. */
        public Snapshot plus(Snapshot other) {
            Checks.argument(names.equals(other.names), "snapshots of different counters");
            long[] sum = values.clone();
            for (int i = 0; i < sum.length; i++) sum[i] += other.values[i];
            return new Snapshot(names, sum);
        }

        /** Returns {@code name=value} for every counter that is not zero, in the order of the names. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < values.length; i++) {
                if (values[i] == 0) continue;
                if (!text.isEmpty()) text.append(' ');
                text.append(names.get(i)).append('=').append(values[i]);
            }
            return text.toString();
        }
    }
}
