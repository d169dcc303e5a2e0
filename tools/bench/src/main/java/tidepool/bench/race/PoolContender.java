package tidepool.bench.race;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tidepool.Tidepool;
import tidepool.bench.TemporaryFolder;
import tidepool.bench.TemporaryPool;
import tidepool.bench.node.TemporaryNodes;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.PoolLoader;
import tidepool.workload.measured.PoolRows;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.WorkloadClient;

/**
 * A pool of Tidepool with any of its protocols, used through the public API. On {@code tcp} each memory node is a
 * process. The {@link PoolShape} holds the numbers of nodes and copies. Everything that is on for users is on here:
 * checksums, logs, bounds, sessions, counters, the detection of dead sessions.
 */
final class PoolContender implements Contender {
    /**
     * The highest number of loading threads. Threads that back off spin: 48 on two busy cores had not loaded 100,000
     * customers in 50 s, 6 took 13 to 17.
     */
    private static final int MAX_LOADERS = 8;

    private final MeasuredWorkload workload;
    private MeasuredWorkload drawn;
    private final String where;
    private final int attempts;
    private final int driversPerThread;
    private final TemporaryNodes nodes; // null unless the nodes are processes
    private final TemporaryFolder kept; // null unless the nodes keep journals
    private final Tidepool pool;
    private final List<TableLayout> tables;
    private final List<WorkloadClient> clients = new ArrayList<>();
    private final PoolSize size;

    PoolContender(ContenderOptions options) {
        workload = options.workload();
        drawn = workload;
        attempts = options.attempts();
        driversPerThread = Math.max(1, options.drivers() / options.threads());
        String fabric = options.entry().fabric();
        boolean flushes = options.entry().name().matches(".*flush=(selective|full).*");
        size = PoolSize.of(
                options.shape().on(fabric),
                workload,
                options.drivers() + (flushes ? MAX_LOADERS : 0),
                options.entry().name());
        where = where(fabric, options.folder());
        kept = fabric.equals("tcp") && flushes ? TemporaryFolder.onDisk() : null;
        nodes = fabric.equals("tcp")
                ? TemporaryNodes.start(
                        size.shape().nodes(),
                        size.nodeBytes(),
                        options.folder(),
                        kept == null ? null : kept.path(),
                        System.getProperty("java.class.path"))
                : null;
        boolean ready = false;
        try {
            pool = Tidepool.open(
                    url(options) + "&protocol=" + options.entry().name().replace('?', '&'));
            tables = PoolTables.open(pool, workload);
            // Where each commit waits for a disk, many loaders wait together.
            load(
                    kept != null
                            ? Math.min(options.drivers(), MAX_LOADERS)
                            : Math.min(options.threads(), Runtime.getRuntime().availableProcessors()));
            ready = true;
        } finally {
            if (!ready) closeNodes();
        }
    }

    private static String where(String fabric, Path folder) {
        return switch (fabric) {
            case "tcp" -> "in processes on loopback";
            case "shm" -> TemporaryPool.isInSharedMemory(folder) ? "on shared memory" : "in files on a disk";
            default -> "inside the process";
        };
    }

    /** Returns the URL. Threads that work at once have their own connections; strands share those of their thread. */
    private String url(ContenderOptions options) {
        return switch (options.entry().fabric()) {
            case "tcp" -> nodes.url(size.storeParameters() + "&connections=" + options.threads());
            case "shm" -> "shm:" + options.folder().resolve("pool") + "?" + size.parameters();
            default -> options.entry().fabric() + ":?" + size.parameters();
        };
    }

    private void load(int threads) {
        try (ExecutorService loaders = Executors.newFixedThreadPool(threads)) {
            List<Callable<Long>> shares = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int share = i;
                shares.add(() -> PoolLoader.load(pool, tables, workload, share, threads));
            }
            for (Future<Long> share : loaders.invokeAll(shares)) share.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException told ? told : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Makes drivers draw from another workload with equal tables, rows and books. */
    void draw(MeasuredWorkload other) {
        drawn = other;
    }

    @Override
    public String settings() {
        return size.shape().text() + " " + where + ", " + size.shape().copies()
                + "; logs, checksums, bounds and counters on; "
                + (kept == null
                        ? "nothing is synced to a disk"
                        : "every commit is forced to disks before it is reported");
    }

    @Override
    public List<String> types() {
        return drawn.types();
    }

    @Override
    public ClientDriver driver(int number, int count, long seed) {
        WorkloadClient client = drawn.client(tables, number, count, seed);
        synchronized (clients) {
            clients.add(client);
        }
        // Strands of one thread share the addresses of records: the first of them scans for all.
        WarmupScan scan = number % driversPerThread == 0 ? new WarmupScan(workload, tables) : null;
        return new PoolDriver(pool.worker(), client, scan, attempts);
    }

    @Override
    public Map<String, Long> aborts() {
        Map<String, Long> aborts = new TreeMap<>();
        for (AbortReason reason : AbortReason.values())
            if (reason != AbortReason.ROLLED_BACK) // counted as the end of a transaction, not of an attempt
            aborts.put(
                        reason.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        pool.statistics().aborts(reason));
        return aborts;
    }

    @Override
    public Map<String, Long> events() {
        Map<String, Long> events = new TreeMap<>();
        events.put("recoveries", pool.statistics().recoveries());
        events.put(RoundTable.GROWTH, tableBytes() >> 20);
        if (kept != null) events.put("forces", nodes.forces());
        return events;
    }

    /** Returns the memory that tables have taken, in all copies. */
    private long tableBytes() {
        long bytes = 0;
        for (TableLayout table : tables) bytes += table.bytes() * table.partitions();
        return bytes * size.shape().replicas();
    }

    @Override
    public List<String> check() {
        long[] book = new long[workload.books().size()];
        synchronized (clients) {
            for (WorkloadClient client : clients) for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
        }
        return PoolRows.check(pool, tables, workload, book);
    }

    @Override
    public void close() {
        pool.close();
        closeNodes();
    }

    private void closeNodes() {
        if (nodes != null) nodes.close();
        if (kept != null) kept.close();
    }
}
