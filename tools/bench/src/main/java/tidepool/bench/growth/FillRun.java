package tidepool.bench.growth;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.Traffic;
import tidepool.schema.Key;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * A table that threads fill, one insert per transaction, while another thread reads rows that are in it. Keys are
 * numbers in order, dealt to the threads in turn, so that threads meet in buckets. A row that is in the table and is
 * not found, or has another value, ends the run.
 */
final class FillRun {
    /** The row that is inserted: 40 bytes. */
    record Row(@Key long id, long a, long b, long c, long d, long e) {}

    private static final int WORDS = 5;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Tidepool pool;
    private final String name;
    private final TableLayout table;
    private final long rows;
    private final int threads;
    private final long bucketsBefore;
    private final int areasBefore;
    private final AtomicLongArray inserted; // by thread
    private final InsertTally inserts = new InsertTally();
    private final InsertTally reads = new InsertTally();
    private long wallNanos;
    private volatile boolean over;

    /** Makes the table. Waits for the pool. */
    FillRun(Tidepool pool, String name, long madeFor, long rows, int threads) {
        this.pool = pool;
        this.name = name;
        this.rows = rows;
        this.threads = threads;
        this.inserted = new AtomicLongArray(threads);
        this.table = PoolAccess.layout(pool.table(schema(name), madeFor));
        this.bucketsBefore = buckets();
        this.areasBefore = table.areaCount();
    }

    static Schema schema(String name) {
        return Schema.of(name, Row.class);
    }

    /** Fills the table. Waits for all threads. */
    void run() {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads + 1)) {
            List<Future<InsertTally>> filling = new ArrayList<>();
            long begun = Clock.system().nowNanos();
            for (int i = 0; i < threads; i++) filling.add(executor.submit(insertsOf(i)));
            Future<InsertTally> reading = executor.submit(this::read);
            try {
                for (Future<InsertTally> each : filling) inserts.add(each.get());
                wallNanos = Clock.system().nowNanos() - begun;
            } finally {
                over = true;
            }
            reads.add(reading.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException told ? told : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Callable<InsertTally> insertsOf(int thread) {
        return () -> {
            try {
                return insert(thread);
            } finally {
                if (inserted.get(thread) < rows / threads) over = true; // after a failure the reader ends too
            }
        };
    }

    private InsertTally insert(int thread) {
        InsertTally tally = new InsertTally();
        OneRow work = new OneRow();
        Clock clock = Clock.system();
        try (Worker worker = pool.worker()) {
            Traffic traffic = PoolAccess.traffic(worker);
            long cpuBegun = THREADS.getCurrentThreadCpuTime();
            long begun = clock.nowNanos();
            tally.begin(begun);
            for (long key = thread, count = 1; key < rows && !over; key += threads, count++) {
                long trips = traffic.roundTrips();
                long verbs = traffic.allVerbs();
                work.key = key;
                worker.transact(work.inserting());
                long ended = clock.nowNanos();
                long cpuEnded = THREADS.getCurrentThreadCpuTime();
                tally.add(begun, ended, cpuEnded - cpuBegun, traffic.roundTrips() - trips, traffic.allVerbs() - verbs);
                inserted.setRelease(thread, count);
                begun = ended;
                cpuBegun = cpuEnded;
            }
        }
        return tally;
    }

    private InsertTally read() {
        InsertTally tally = new InsertTally();
        OneRow work = new OneRow();
        Clock clock = Clock.system();
        Randomness random = new Randomness(1);
        try (Worker worker = pool.worker()) {
            Traffic traffic = PoolAccess.traffic(worker);
            tally.begin(clock.nowNanos());
            while (!over) {
                int thread = random.nextInt(threads);
                long count = inserted.getAcquire(thread);
                if (count == 0) {
                    Thread.onSpinWait();
                    continue;
                }
                long trips = traffic.roundTrips();
                long verbs = traffic.allVerbs();
                long begun = clock.nowNanos();
                work.key = thread + threads * random.nextLong(count);
                worker.read(work.reading());
                work.requireRight();
                tally.add(begun, clock.nowNanos(), 0, traffic.roundTrips() - trips, traffic.allVerbs() - verbs);
            }
        }
        return tally;
    }

    /** The insert, or the read, of one row. */
    private final class OneRow implements Worker.Work {
        private long key;
        private boolean inserts;
        private boolean found;
        private long value;

        OneRow inserting() {
            inserts = true;
            return this;
        }

        OneRow reading() {
            inserts = false;
            return this;
        }

        @Override
        public boolean run(Txn txn) {
            int access = inserts ? txn.insert(table, key) : txn.read(table, key);
            if (!txn.execute()) return false;
            found = txn.found(access);
            if (inserts) {
                long at = txn.value(access);
                for (int i = 0; i < WORDS; i++) Words.plain(txn.memory(), at + (long) i * Words.BYTES, key);
            } else if (found) {
                value = Words.plain(txn.memory(), txn.value(access));
            }
            return true;
        }

        void requireRight() {
            if (!found || value != key)
                throw new IllegalStateException("a row that was inserted is not as it was: table=" + name + " key="
                        + key + (found ? " value=" + value : " not found"));
        }
    }

    /** Requires that the table has all rows. Reads all of it. */
    void requireComplete() {
        long found = pool.size(name).rows();
        if (found != rows)
            throw new IllegalStateException(
                    "a table has not the rows that were inserted: table=" + name + " rows=" + found + " not " + rows);
    }

    void drop() {
        pool.drop(name);
    }

    private long buckets() {
        long sum = 0;
        for (int p = 0; p < table.partitions(); p++) sum += table.size(p);
        return sum;
    }

    // ---- results

    InsertTally inserts() {
        return inserts;
    }

    InsertTally reads() {
        return reads;
    }

    double insertsPerSecond() {
        return inserts.count() * 1e9 / wallNanos;
    }

    double readsPerSecond() {
        return reads.count() * 1e9 / wallNanos;
    }

    /** Returns the buckets that were split while the table was filled. */
    long splits() {
        return buckets() - bucketsBefore;
    }

    /** Returns the areas that were added meanwhile. */
    int areas() {
        return table.areaCount() - areasBefore;
    }
}
