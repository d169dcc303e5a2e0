package tidepool.workload;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import tidepool.PoolListener;
import tidepool.RecoveryReport;
import tidepool.Tidepool;
import tidepool.history.History;
import tidepool.history.HistoryChecker;
import tidepool.history.HistoryRecorder;
import tidepool.history.Verdict;
import tidepool.spi.PoolAccess;
import tidepool.workload.site.Site;

/**
 * A pool with worker processes on it, in a temporary folder. Processes and folder are removed at the end, also when
 * this process is interrupted.
 */
public final class WorkerSite implements AutoCloseable {
    private static final long READER = 0;

    private final ScratchFolder scratch;
    private final Path folder;
    private final WorkerOptions options;
    private final Tidepool pool;
    private final AuditedBank bank;
    private final ListAppend lists;
    private final List<WorkerProcess> workers = new ArrayList<>(); // guarded by itself
    private final Thread hook = new Thread(this::sweep);
    private final Site site;
    private final List<RecoveryReport> recovered = new CopyOnWriteArrayList<>();
    private final AffectedKeys affected; // null, like the prober, where memory nodes come and go
    private final KeyProber prober;
    private volatile boolean closed;

    /**
     * The findings after all work has ended.
     *
     * @param verdict of the recorded history
     * @param audit of the money
     * @param quiet of every byte of the pool
     * @param listsRead lists read at the end
     * @param leftAtNodes resources at memory nodes that were not there before the work, in words
     */
    public record SiteFindings(
            Verdict verdict, BankAudit audit, QuiescentPoolCheck quiet, int listsRead, List<String> leftAtNodes) {
        public SiteFindings {
            leftAtNodes = List.copyOf(leftAtNodes);
        }
    }

    /**
     * @param where makes the pool
     * @param rows number of list keys for which the table has room
     */
    public WorkerSite(
            Site.Maker where,
            long seed,
            int tellers,
            int appenders,
            int accounts,
            int hot,
            int appendPauseMicros,
            int rows) {
        scratch = ScratchFolder.create();
        folder = scratch.path();
        Runtime.getRuntime().addShutdownHook(hook);
        // Two tables of accounts and one of lists over three partitions, with room for overflow; see TableGeometry.
        long partition = (16L << 20) + accounts * 2L * 64 * 2 / 3 + rows * 900L;
        site = make(where, "replicas=2&coordinators=64&memory=" + partition);
        String url = site.url();
        options = new WorkerOptions(
                url,
                folder,
                0,
                seed,
                tellers,
                appenders,
                accounts,
                hot,
                8,
                NumberList.MAX_NUMBERS,
                rows,
                appendPauseMicros);
        try {
            // The workers must recover. The process that kills and inspects must not help.
            pool = Tidepool.open(url + "&watch=off");
            bank = new AuditedBank(pool, accounts, hot);
            lists = new ListAppend(pool, options.width(), options.longest(), rows);
            affected = site.hasFixedNodes() ? new AffectedKeys(PoolAccess.fabric(pool)) : null;
            site.leftovers(); // the baseline: resources taken from here on must be released
            prober = site.hasFixedNodes() ? new KeyProber(PoolAccess.fabric(pool)) : null;
        } catch (RuntimeException e) {
            sweep();
            throw e;
        } catch (InterruptedException e) {
            sweep();
            throw new IllegalStateException("interrupted", e);
        }
        pool.setListener(new PoolListener() {
            @Override
            public void recovered(RecoveryReport report) {
                recovered.add(report);
            }
        });
    }

    private Site make(Site.Maker where, String parameters) {
        try {
            return where.make(folder, parameters);
        } catch (RuntimeException e) {
            sweep();
            throw e;
        }
    }

    public void load() {
        bank.load();
    }

    /** Starts one more worker. */
    public WorkerProcess start(String... jvmOptions) {
        synchronized (workers) {
            if (closed) throw new IllegalStateException("the site of the workers is closed");
            int number = workers.size() + 1;
            WorkerProcess worker =
                    WorkerProcess.start(options.withNumber(number).withUrl(site.urlOf(number)), jvmOptions);
            workers.add(worker);
            return worker;
        }
    }

    /** Returns all workers that were ever started. */
    public List<WorkerProcess> workers() {
        synchronized (workers) {
            return List.copyOf(workers);
        }
    }

    /** Kills a worker and probes the keys that it held. Returns the latest moment at which its death was not known. */
    public long kill(WorkerProcess worker) {
        int session = worker.session();
        int[] places = affected.placesOf(session);
        AtomicReference<Set<AffectedKeys.Key>> held = new AtomicReference<>();
        AtomicBoolean gone = new AtomicBoolean(); // recovered and forgotten between two looks
        BooleanSupplier isDead = () -> PoolAccess.fabric(pool).isDead(session) || gone.get();
        Runnable look = () -> {
            Set<AffectedKeys.Key> seen = affected.of(session, places);
            gone.set(Arrays.stream(PoolAccess.fabric(pool).control(0).sessions())
                    .noneMatch(listed -> listed == session));
            // Keys that are seen after the death is known may be free again.
            if (held.get() == null || !isDead.getAsBoolean()) held.set(seen);
        };
        long known = worker.kill(look, isDead);
        prober.want(session, held.get());
        return known;
    }

    /** Returns the prober of the keys that killed workers held. */
    KeyProber prober() {
        return prober;
    }

    /** Recovers the remaining sessions and checks everything. Called when all workers have ended. */
    public SiteFindings examine() throws IOException, InterruptedException {
        if (prober != null) prober.close();
        pool.recoverAll();
        Path end = folder.resolve("history-end.jsonl");
        int read;
        try (HistoryRecorder recorder =
                HistoryRecorder.into(end, () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            read = lists.readAll(recorder, READER);
        }
        List<Path> files = new ArrayList<>();
        List<TellerBook> books = new ArrayList<>();
        try {
            for (WorkerProcess worker : workers()) {
                if (Files.exists(worker.options().history()))
                    files.add(worker.options().history());
                for (int i = 0; i < options.tellers(); i++)
                    if (Files.exists(worker.options().book(i)))
                        books.add(TellerBook.open(worker.options().book(i), 2 * options.accounts()));
            }
            files.add(end);
            BankAudit audit = BankAudit.of(bank, books);
            Verdict verdict = HistoryChecker.check(History.read(files));
            return new SiteFindings(verdict, audit, QuiescentPoolCheck.of(pool), read, site.leftovers());
        } finally {
            for (TellerBook book : books) book.close();
        }
    }

    /** Returns the recoveries that were left to this process. */
    public List<RecoveryReport> recovered() {
        return List.copyOf(recovered);
    }

    public Tidepool pool() {
        return pool;
    }

    /** Returns the site of the pool. */
    public Site site() {
        return site;
    }

    public Path folder() {
        return folder;
    }

    public WorkerOptions options() {
        return options;
    }

    /** Ends all workers and removes all files. */
    @Override
    public void close() {
        if (closed) return;
        synchronized (workers) {
            for (WorkerProcess worker : workers) worker.close();
        }
        if (prober != null) prober.close();
        if (affected != null) affected.close();
        pool.close();
        sweep();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown hook is running, or has run.
        }
    }

    private void killAll() {
        synchronized (workers) {
            closed = true;
            for (WorkerProcess worker : workers) worker.close();
        }
        if (site != null) site.close();
    }

    private void sweep() {
        killAll();
        scratch.close();
    }

    /** Removes a folder and its contents. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) return;
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failed) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
