package tidepool.workload.recorded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tidepool.Tidepool;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.check.history.HistoryRecorder;
import tidepool.workload.RecordedWorkload;

/**
 * Processes on a pool that they share; some are killed at random moments and replaced. Each records its own part, and the
 * pool's clock orders them. This process only makes the table and reads everything in the end.
 */
final class ProcessesRun {
    private static final long TICK_MILLIS = 20;
    private static final long READER = 0;

    /** When this part of the work is done, the last one is killed: whoever takes its place shall work, too. */
    private static final double LAST_KILL = 0.8;

    private final RecordedOptions options;
    private final String url;
    private final Path folder;
    private final ProgressLine line;
    private final Randomness random;
    private final List<ClientProcess> all = new ArrayList<>();
    private final List<ClientProcess> working = new ArrayList<>();
    private WorkloadSpec spec;
    private long killedCommits;
    private int killed;

    ProcessesRun(RecordedOptions options, String url, Path folder, ProgressLine line) {
        this.options = options;
        this.url = url;
        this.folder = folder;
        this.line = line;
        this.random = new Randomness(options.seed()).fork("kills");
    }

    Ended run() throws IOException, InterruptedException {
        try (Tidepool pool = Tidepool.open(url)) {
            spec = options.spec(WorkloadSpec.freeTable(pool, options.workload()));
            RecordedWorkload workload = spec.open(pool);
            for (int i = 0; i < options.processes(); i++) start(share(i));
            for (ClientProcess client : working) client.awaitReady();
            double seconds = work();
            line.end();
            pool.recoverAll();
            Progress progress = new Progress(options.workload());
            for (ClientProcess client : all) client.addTo(progress);
            return new Ended(progress, seconds, killed, histories(pool, workload, progress));
        } finally {
            for (ClientProcess client : all) client.close();
        }
    }

    private long share(int i) {
        long each = options.transactions() / options.processes();
        return i < options.transactions() % options.processes() ? each + 1 : each;
    }

    private void start(long transactions) {
        int number = all.size() + 1;
        ClientMain.Orders orders = new ClientMain.Orders(
                url, history(number), number, options.seed(), options.threads(), transactions, spec);
        ClientProcess client = ClientProcess.start(orders, folder.resolve("errors-" + number));
        all.add(client);
        working.add(client);
    }

    private Path history(int number) {
        return folder.resolve("history-" + number + ".jsonl");
    }

    /** Until the time is up, or all have run what they should. Answers how long that was. */
    private double work() throws InterruptedException {
        long start = Clock.system().nowNanos();
        while (true) {
            double seconds = since(start);
            long commits = killedCommits;
            boolean anyAlive = false;
            for (ClientProcess client : working) {
                client.requireSound();
                commits += client.commits();
                anyAlive |= client.isAlive();
            }
            line.show(seconds, commits, killed);
            double part =
                    options.seconds() > 0 ? seconds / options.seconds() : (double) commits / options.transactions();
            if (!anyAlive || options.seconds() > 0 && part >= 1) break;
            if (killed < options.kills() && part >= LAST_KILL * (killed + 1) / options.kills()) killOne();
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
        for (ClientProcess client : working) client.stop();
        return since(start);
    }

    /** Any that works. */
    private void killOne() throws InterruptedException {
        List<ClientProcess> candidates = new ArrayList<>(working);
        candidates.removeIf(client -> !client.isAlive() || !client.isReady());
        if (candidates.isEmpty()) return;
        ClientProcess victim = random.pick(candidates);
        TimeUnit.MILLISECONDS.sleep(random.nextInt((int) TICK_MILLIS));
        victim.kill();
        killed++;
        killedCommits += victim.commits();
        working.remove(victim);
        long left = victim.orders().transactions() - victim.commits();
        if (options.transactions() == 0 || left > 0) start(Math.max(0, left));
    }

    private List<Path> histories(Tidepool pool, RecordedWorkload workload, Progress progress) throws IOException {
        List<Path> histories = new ArrayList<>();
        for (ClientProcess client : all)
            if (Files.exists(client.orders().history()))
                histories.add(client.orders().history());
        Path end = history(0);
        try (HistoryRecorder recorder = HistoryRecorder.into(end, pool::tick, System::nanoTime)) {
            progress.facts.add(workload.readAll(new RecordedWorkload.Pen(recorder, () -> READER)));
        }
        histories.add(end);
        return histories;
    }

    private static double since(long nanos) {
        return (Clock.system().nowNanos() - nanos) / 1e9;
    }
}
