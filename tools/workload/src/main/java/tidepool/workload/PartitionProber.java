package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.TidepoolException;
import tidepool.schema.Key;
import tidepool.spi.PoolAccess;
import tidepool.workload.process.BoundedWait;

/**
 * Updates one record of each partition repeatedly and records the times, from which the unavailability of a partition
 * follows.
 */
final class PartitionProber implements AutoCloseable {
    /** A record that only the prober accesses. */
    record Probe(@Key long id, long count) {}

    /** An update that was committed. */
    record Commit(long begunNanos, long endedNanos) {}

    private static final long PAUSE_MILLIS = 1;

    private final Tidepool pool;
    private final Table<Probe> probes;
    private final List<CopyOnWriteArrayList<Commit>> commits = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private volatile String failure;

    PartitionProber(Tidepool pool) {
        this.pool = pool;
        this.probes = pool.table("probes", Probe.class, 1000);
        for (int p = 0; p < PoolAccess.roster(pool).partitions().size(); p++) {
            long key = 0;
            while (PoolAccess.layout(probes.handle()).partition(key) != p) key++;
            long chosen = key;
            pool.transact(tx -> probes.insert(tx, new Probe(chosen, 0)));
            commits.add(new CopyOnWriteArrayList<>());
            int partition = p;
            threads.add(
                    Thread.ofPlatform().daemon().name("probes partition " + p).start(() -> probe(partition, chosen)));
        }
    }

    private void probe(int partition, long key) {
        try {
            while (!closed) {
                long begun = System.nanoTime();
                pool.transact(tx -> {
                    var cell = probes.update(tx, key);
                    cell.set(new Probe(key, cell.get().count() + 1));
                });
                CopyOnWriteArrayList<Commit> mine = commits.get(partition);
                // Only commits around a death are queried, so the last 64 are enough.
                if (mine.size() > 64) mine.remove(0);
                mine.add(new Commit(begun, System.nanoTime()));
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (TidepoolException e) {
            if (!closed) failure = "partition " + partition + ": " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until a partition is available again. Returns the end of the first update that began after the given
     * moment.
     */
    long firstCommitAfter(int partition, long nanos) throws InterruptedException {
        while (true) {
            if (failure != null) throw new IllegalStateException("what was killed was not mended: " + failure);
            for (Commit commit : commits.get(partition)) if (commit.begunNanos > nanos) return commit.endedNanos;
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    @Override
    public void close() {
        closed = true;
        for (Thread thread : threads) thread.interrupt();
        for (Thread thread : threads) {
            try {
                BoundedWait.join(thread);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
