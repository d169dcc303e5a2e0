package tidepool.workload.recorded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import tidepool.Tidepool;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.spi.PoolAccess;
import tidepool.workload.RecordedWorkload;

/** A run of threads of this process, on a pool inside it. */
final class ThreadsRun {
    private static final long TICK_MILLIS = 50;

    private final RecordedOptions options;
    private final String url;
    private final Path folder;
    private final ProgressLine line;

    ThreadsRun(RecordedOptions options, String url, Path folder, ProgressLine line) {
        this.options = options;
        this.url = url;
        this.folder = folder;
        this.line = line;
    }

    Ended run() throws IOException, InterruptedException {
        Path history = folder.resolve("history.jsonl");
        try (Tidepool pool = Tidepool.open(url);
                HistoryRecorder recorder =
                        HistoryRecorder.into(history, () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            LongSupplier processes = new AtomicLong()::getAndIncrement;
            RecordedWorkload.Pen pen = new RecordedWorkload.Pen(recorder, processes);
            RecordedWorkload workload = options.spec(WorkloadSpec.freeTable(pool, options.workload()))
                    .open(pool);
            workload.recordPool(pen);
            ClientThreads clients = new ClientThreads(workload, pen, options.transactions());
            long start = Clock.system().nowNanos();
            clients.start(options.threads(), new Randomness(options.seed()));
            while (!clients.isDone() && (options.seconds() == 0 || since(start) < options.seconds())) {
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
                line.show(since(start), clients.commits(), 0);
            }
            clients.stop();
            double seconds = since(start);
            line.end();
            if (clients.failure() != null)
                throw new IllegalStateException("a client failed: " + clients.failure(), clients.failure());
            RunProgress progress = new RunProgress(options.workload());
            clients.addTo(progress);
            progress.addAborts(pool);
            long before = recorder.oks();
            progress.eventCounts.add(workload.readAll(pen));
            return new Ended(progress, seconds, List.of(), 0, recorder.oks() - before, List.of(history));
        }
    }

    private static double since(long nanos) {
        return (Clock.system().nowNanos() - nanos) / 1e9;
    }
}
