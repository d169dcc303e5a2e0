package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.schema.Key;
import tidepool.testkit.Effort;

/**
 * HDTX's lock queues with more plain threads than cores. A waiter that keeps its core keeps the holder from running.
 * The count of polls shows it, whatever the machine does meanwhile.
 */
class CrowdedQueueTest {
    private static final int THREADS = 16;
    private static final int EACH = Effort.of(20, 50, 300);
    private static final int KEYS = 4;

    /**
     * Two trips commit a transaction that waits for no lock; the other trips are polls. On one core there are 10 trips,
     * and 78 if waiters keep it. With more cores there are fewer in both cases, so {@code WaitingTest} counts exactly
     * how often a waiter yields.
     */
    private static final int MAX_TRIPS = 40;

    /** One row of the table. */
    record Counter(@Key long id, long value) {}

    @Test
    void waitersGiveTheirCoresAway() throws Exception {
        try (Tidepool pool = Tidepool.open("mem:?protocol=hdtx&nodes=2&replicas=2");
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            Table<Counter> counters = pool.table("counters", Counter.class);
            for (int key = 0; key < KEYS; key++) {
                Counter fresh = new Counter(key, 0);
                pool.transact(tx -> counters.insert(tx, fresh));
            }
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                running.add(threads.submit(() -> increment(pool, counters, number)));
            }
            long trips = 0;
            for (Future<Long> one : running) trips += one.get(240, TimeUnit.SECONDS);

            long sum = 0;
            for (int key = 0; key < KEYS; key++) {
                int id = key;
                sum += pool.read(tx -> counters.get(tx, id)).value();
            }
            assertEquals(2L * THREADS * EACH, sum);
            long perCommit = trips / (THREADS * EACH);
            assertTrue(perCommit <= MAX_TRIPS, "round trips per transaction: " + perCommit);
        }
    }

    private static long increment(Tidepool pool, Table<Counter> counters, int number) {
        Randomness random = new Randomness(number);
        long trips = 0;
        for (int i = 0; i < EACH; i++) {
            int first = random.nextInt(KEYS);
            int second = (first + 1 + random.nextInt(KEYS - 1)) % KEYS;
            long[] all = new long[1];
            pool.transact(tx -> {
                Cell<Counter> a = counters.update(tx, first);
                Cell<Counter> b = counters.update(tx, second);
                a.set(new Counter(first, a.get().value() + 1));
                b.set(new Counter(second, b.get().value() + 1));
                all[0] = tx.roundTrips();
            });
            trips += all[0];
        }
        return trips;
    }
}
