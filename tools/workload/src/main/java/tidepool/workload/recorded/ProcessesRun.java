package tidepool.workload.recorded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tidepool.Tidepool;
import tidepool.base.Clock;
import tidepool.base.Randomness;
import tidepool.history.HistoryRecorder;
import tidepool.spi.PoolAccess;
import tidepool.workload.RecordedWorkload;

/**
 * A run of processes on a shared pool. Some are killed, in a step of a transaction or at a random moment, and replaced
 * by standbys. Each records its own part of the history, and the pool's clock orders the parts. This process only
 * creates the table and reads everything in the end.
 */
final class ProcessesRun {
    private static final long TICK_MILLIS = 20;
    private static final long READER = 0;

    /** The last process is killed when this part of the work is done, so that its replacement works, too. */
    private static final double LAST_KILL = 0.8;

    /** The number of standbys that replace killed processes: a JVM that opens a pool takes a second or more. */
    private static final int STANDBYS = 3;

    /** A process whose threads do not reach their places within this time is killed where they are. */
    private static final long AIM_MILLIS = 30_000;

    /** How much longer a run takes at most, so that a replacement commits. */
    private static final long WORK_SECONDS = 30;

    private final RecordedOptions options;
    private final String url;
    private final Path folder;
    private final ProgressLine line;
    private final Randomness random;
    private final KillPlan plan;
    private final List<ClientProcess> all = new ArrayList<>();
    private final List<ClientProcess> working = new ArrayList<>();
    private final Deque<ClientProcess> standbys = new ArrayDeque<>();
    private final List<Kill> killed = new ArrayList<>();
    private WorkloadSpec spec;
    private long killedCommits;
    private long lastReads;

    /**
     * A process that was killed.
     *
     * @param replacement the process that went on; null if no transaction was left
     * @param millis until the replacement was at work
     */
    private record Kill(ClientProcess victim, ClientProcess replacement, double millis) {
        private Deaths.Death death() {
            return new Deaths.Death(victim.places(), millis, replacement == null ? 0 : replacement.commits());
        }

        private boolean isReplacementIdle() {
            return replacement != null && replacement.isAlive() && replacement.commits() == 0;
        }
    }

    ProcessesRun(RecordedOptions options, String url, Path folder, ProgressLine line) {
        this.options = options;
        this.url = url;
        this.folder = folder;
        this.line = line;
        this.random = new Randomness(options.seed()).fork("kills");
        this.plan = new KillPlan(options.killAt(), random.fork("sites"));
    }

    Ended run() throws IOException, InterruptedException {
        RunProgress progress = new RunProgress(options.workload());
        try (Tidepool pool = Tidepool.open(url)) {
            pool.setListener(progress.recoveries);
            spec = options.spec(WorkloadSpec.freeTable(pool, options.workload()));
            RecordedWorkload workload = spec.open(pool);
            int spare = Math.min(options.kills(), STANDBYS);
            for (int i = 0; i < options.processes() + spare; i++) start();
            for (ClientProcess client : standbys) client.awaitStandby();
            for (int i = 0; i < options.processes(); i++) goOn(standbys.removeFirst(), share(i));
            for (ClientProcess client : working) client.awaitReady();
            double seconds = work();
            line.end();
            pool.recoverAll();
            for (ClientProcess client : all) client.addTo(progress);
            List<Path> histories = histories(pool, workload, progress);
            List<Deaths.Death> deaths = killed.stream().map(Kill::death).toList();
            return new Ended(progress, seconds, deaths, deaths.size(), lastReads, histories);
        } finally {
            for (ClientProcess client : all) client.close();
        }
    }

    private long share(int i) {
        long each = options.transactions() / options.processes();
        return i < options.transactions() % options.processes() ? each + 1 : each;
    }

    private void start() {
        int number = all.size() + 1;
        ClientMain.Orders orders =
                new ClientMain.Orders(url, history(number), number, options.seed(), options.threads(), spec);
        // A process that may be killed soon does not use the second compiler, whose time the other processes need.
        List<String> jvmOptions =
                options.kills() > 0 ? List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1") : List.of();
        ClientProcess client = ClientProcess.start(orders, folder.resolve("errors-" + number), jvmOptions);
        all.add(client);
        standbys.addLast(client);
    }

    private void goOn(ClientProcess client, long transactions) {
        client.go(transactions);
        working.add(client);
    }

    private Path history(int number) {
        return folder.resolve("history-" + number + ".jsonl");
    }

    /**
     * Works until the time is up, all planned kills are done and every replacement has committed, or until all
     * transactions are run. Returns the seconds.
     */
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
            line.show(seconds, commits, killed.size());
            double part =
                    options.seconds() > 0 ? seconds / options.seconds() : (double) commits / options.transactions();
            boolean kills = killed.size() < options.kills();
            boolean isOver = options.seconds() > 0 && part >= 1 && !kills;
            boolean isWaited = seconds < options.seconds() + WORK_SECONDS
                    && killed.stream().anyMatch(Kill::isReplacementIdle);
            if (!anyAlive || isOver && !isWaited) break;
            if (kills && part >= LAST_KILL * (killed.size() + 1) / options.kills()) killOne();
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
        for (ClientProcess client : working) client.stop();
        double seconds = since(start);
        for (ClientProcess client : standbys) client.stop();
        return seconds;
    }

    /** Kills a working process. A standby replaces it at once. */
    private void killOne() throws InterruptedException {
        List<ClientProcess> candidates = new ArrayList<>(working);
        candidates.removeIf(client -> !client.isAlive() || !client.isReady());
        if (candidates.isEmpty()) return;
        ClientProcess next = standbys.removeFirst();
        next.awaitStandby();
        ClientProcess victim = random.pick(candidates);
        kill(victim);
        if (victim.isDone()) { // it had run all its transactions before it reached its place
            standbys.addFirst(next);
            return;
        }
        long dead = Clock.system().nowNanos();
        killedCommits += victim.commits();
        working.remove(victim);
        long left = victim.transactions() - victim.commits();
        boolean replaced = options.transactions() == 0 || left > 0;
        if (replaced) {
            goOn(next, Math.max(0, left));
            next.awaitReady();
        } else {
            standbys.addFirst(next);
        }
        killed.add(new Kill(victim, replaced ? next : null, replaced ? since(dead) * 1e3 : 0));
        if (killed.size() + standbys.size() < options.kills()) start();
    }

    private void kill(ClientProcess victim) throws InterruptedException {
        List<AimedDeath.Aim> aims = plan.next(options.threads(), victim.passed());
        if (aims.isEmpty()) TimeUnit.MILLISECONDS.sleep(random.nextInt((int) TICK_MILLIS));
        else victim.die(aims, AIM_MILLIS);
        victim.kill(); // at an arbitrary moment, if no thread reached its place
    }

    private List<Path> histories(Tidepool pool, RecordedWorkload workload, RunProgress progress) throws IOException {
        List<Path> histories = new ArrayList<>();
        for (ClientProcess client : all)
            if (Files.exists(client.orders().history()))
                histories.add(client.orders().history());
        Path end = history(0);
        try (HistoryRecorder recorder =
                HistoryRecorder.into(end, () -> PoolAccess.historyTick(pool), System::nanoTime)) {
            progress.eventCounts.add(workload.readAll(new RecordedWorkload.Pen(recorder, () -> READER)));
            lastReads = recorder.oks();
        }
        histories.add(end);
        return histories;
    }

    private static double since(long nanos) {
        return (Clock.system().nowNanos() - nanos) / 1e9;
    }
}
