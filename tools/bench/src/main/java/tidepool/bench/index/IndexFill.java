package tidepool.bench.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.bench.growth.InsertTally;
import tidepool.fabric.Traffic;
import tidepool.schema.EightByteKeys;
import tidepool.schema.IndexSchema;
import tidepool.schema.Schema;
import tidepool.spi.PoolAccess;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/** An ordered table that threads fill, each transaction timed. */
final class IndexFill {
    private static final int MAX_TRIPS = 64;

    private final Tidepool pool;
    private final String name;
    private final KeyOrder order;
    private final long rows;
    private final int threads;
    private final TableLayout table;
    private final AtomicLong next = new AtomicLong();
    private final InsertTally tally = new InsertTally();
    private final long[] byTrips = new long[MAX_TRIPS + 1];
    private long aborts;
    private long nanos;

    /** Makes the table. Waits for the pool. */
    IndexFill(Tidepool pool, String name, KeyOrder order, long rows, int threads) {
        this.pool = pool;
        this.name = name;
        this.order = order;
        this.rows = rows;
        this.threads = threads;
        Schema schema = Schema.parse(name + "(n:long)").withIndexes(List.of(IndexSchema.primary(1)));
        table = PoolAccess.layout(pool.table(schema, rows));
    }

    /** What a thread has done. */
    private static final class Part {
        final InsertTally tally = new InsertTally();
        final long[] byTrips = new long[MAX_TRIPS + 1];
        long aborts;
        long begun;
        long ended;
    }

    /** Fills the table. Waits for all threads. */
    void run() {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Part>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                parts.add(executor.submit(() -> fill(number)));
            }
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (Future<Part> each : parts) {
                Part part = each.get();
                tally.add(part.tally);
                for (int trips = 0; trips <= MAX_TRIPS; trips++) byTrips[trips] += part.byTrips[trips];
                aborts += part.aborts;
                first = Math.min(first, part.begun);
                last = Math.max(last, part.ended);
            }
            nanos = last - first;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException told ? told : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Part fill(int thread) {
        Part part = new Part();
        Clock clock = Clock.system();
        Randomness random = new Randomness(thread);
        Change change = new Change(table);
        long count = order == KeyOrder.CHURNING ? rows / 2 / threads : rows / threads;
        long[] own = order == KeyOrder.CHURNING ? new long[(int) count] : null;
        long made = 0;
        try (Worker worker = pool.worker()) {
            if (own != null)
                for (int i = 0; i < count; i++) {
                    own[i] = scattered(thread, made++);
                    worker.transact(change.inserting(own[i]));
                }
            Traffic traffic = PoolAccess.traffic(worker);
            part.begun = clock.nowNanos();
            part.tally.begin(part.begun);
            long begun = part.begun;
            for (long i = 0; i < count; i++) {
                if (own != null) {
                    int victim = random.nextInt(own.length);
                    long fresh = scattered(thread, made++);
                    change.replacing(own[victim], fresh);
                    own[victim] = fresh;
                } else {
                    change.inserting(order == KeyOrder.RANDOM ? scattered(thread, i) : next.getAndIncrement());
                }
                long trips = traffic.roundTrips();
                long verbs = traffic.allVerbs();
                worker.transact(change);
                long ended = clock.nowNanos();
                long took = traffic.roundTrips() - trips;
                part.tally.add(begun, ended, 0, took, traffic.allVerbs() - verbs);
                part.byTrips[(int) Math.min(took, MAX_TRIPS)]++;
                part.aborts += worker.attempts() - 1;
                begun = ended;
            }
            part.ended = begun;
        }
        return part;
    }

    /** Returns the i-th key of a thread; keys of all threads differ. */
    private long scattered(int thread, long i) {
        return EightByteKeys.hash(i * threads + thread);
    }

    /** One transaction. */
    private static final class Change implements Worker.Work {
        private final TableLayout table;
        private boolean replaces;
        private long old;
        private long key;

        Change(TableLayout table) {
            this.table = table;
        }

        Change inserting(long fresh) {
            replaces = false;
            key = fresh;
            return this;
        }

        void replacing(long gone, long fresh) {
            replaces = true;
            old = gone;
            key = fresh;
        }

        @Override
        public boolean run(Txn txn) {
            if (replaces) txn.delete(table, old);
            int access = txn.insert(table, key);
            if (!txn.execute()) return false;
            Words.plain(txn.memory(), txn.value(access), key);
            return true;
        }
    }

    /** Requires that the index has as many entries as there are rows, and returns its shape. Reads all of it. */
    TreeShape requireWhole() {
        TreeShape shape = TreeShape.of(pool, table);
        long found = pool.size(name).rows();
        long wanted = order == KeyOrder.CHURNING ? rows / 2 / threads * threads : rows / threads * threads;
        if (found != wanted || shape.entries() != wanted)
            throw new IllegalStateException("an ordered table has not what was inserted: table=" + name + " inserted="
                    + wanted + " rows=" + found + " entries=" + shape.entries());
        return shape;
    }

    TableLayout table() {
        return table;
    }

    void drop() {
        pool.drop(name);
    }

    // ---- results

    double perSecond() {
        return tally.count() * 1e9 / nanos;
    }

    double abortsPerCommit() {
        return (double) aborts / tally.count();
    }

    InsertTally tally() {
        return tally;
    }

    /** Returns the round trips of most transactions, the median. */
    int usualTrips() {
        long half = Arrays.stream(byTrips).sum() / 2;
        int trips = 0;
        for (long seen = byTrips[0]; seen <= half; seen += byTrips[trips]) trips++;
        return trips;
    }
}
