package tidepool.examples;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import tidepool.Cell;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.schema.Key;

/** A pool embedded in a program with many virtual threads. None of them holds a lock that another could wait for. */
public final class CounterExample {
    private static final int THREADS = 200;
    private static final int COUNTERS = 10;

    public record Counter(@Key long id, long count) {}

    public static void main(String[] arguments) {
        try (Tidepool pool = Tidepool.open("mem:")) {
            Table<Counter> counters = pool.table("counters", Counter.class);
            pool.transact(tx -> {
                for (int id = 0; id < COUNTERS; id++) counters.insert(tx, new Counter(id, 0));
            });
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < THREADS; i++) {
                    int id = i % COUNTERS;
                    threads.execute(() -> pool.transact(tx -> {
                        Cell<Counter> counter = counters.update(tx, id);
                        counter.set(new Counter(id, counter.get().count() + 1));
                    }));
                }
            }
            long sum = pool.read(
                    tx -> counters.getAll(tx, LongStream.range(0, COUNTERS).toArray()).stream()
                            .mapToLong(Counter::count)
                            .sum());
            System.out.println(sum + " transactions on " + COUNTERS + " counters, "
                    + pool.statistics().aborts() + " attempts repeated");
        }
    }

    private CounterExample() {}
}
