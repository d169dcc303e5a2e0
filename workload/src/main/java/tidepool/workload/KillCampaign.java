package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tidepool.base.Randomness;
import tidepool.check.history.Level;

/**
 * Worker processes on one pool are killed at random moments and replaced, again and again; afterwards everything must be
 * in order, as {@link Playground#examine} finds it.
 */
public final class KillCampaign {
    private static final String[] QUICK_START = {"-XX:TieredStopAtLevel=1", "-Xmx256m"};

    private final int kills;
    private final int workers;
    private final long seed;
    private final Consumer<String> out;

    /**
     * What came of it.
     *
     * @param buryMillis from the signal to the kernel's release of the lock, for each kill
     * @param firstCommitMicros from that release to the first commit of a transaction that the dead process had stood in
     *     the way of, for each kill that left a lock which somebody wanted; sorted
     * @param waitedMicros how long the first such transaction of each of those kills waited, counted from the release or
     *     from its first attempt, whichever was later: without the time in which nobody wanted the key; sorted
     * @param early processes that were killed while they opened the pool, beside the others
     * @param finished transactions of the dead that were finished; the next two: undone, locks freed
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    public record Result(
            int kills,
            long seed,
            double seconds,
            long commits,
            double[] buryMillis,
            double[] firstCommitMicros,
            double[] waitedMicros,
            int early,
            int finished,
            int undone,
            int freed,
            Playground.Findings findings) {
        public boolean holds() {
            return findings.verdict().holds(Level.STRICT_SERIALIZABILITY)
                    && findings.audit().holds()
                    && findings.quiet().holds();
        }

        /** All of it, for a person. */
        public String text() {
            BankAudit audit = findings.audit();
            StringBuilder text = new StringBuilder();
            line(text, "%d kills in %.1f s, seed %d; %,d commits that were told of", kills, seconds, seed, commits);
            line(
                    text,
                    "left by the dead: %d transactions to finish, %d to undo, %d locks to free",
                    finished,
                    undone,
                    freed);
            line(
                    text,
                    "from SIGKILL to the kernel's release of the lock: p50 %.1f ms, p99 %.1f ms",
                    percentile(buryMillis, 50),
                    percentile(buryMillis, 99));
            line(
                    text,
                    "from there to the first commit on an affected key, %d times: p50 %.3f ms, p99 %.3f ms, most %.3f ms",
                    firstCommitMicros.length,
                    percentile(firstCommitMicros, 50) / 1e3,
                    percentile(firstCommitMicros, 99) / 1e3,
                    percentile(firstCommitMicros, 100) / 1e3);
            line(
                    text,
                    "a transaction that wanted such a key waited: p50 %.3f ms, p99 %.3f ms, most %.3f ms",
                    percentile(waitedMicros, 50) / 1e3,
                    percentile(waitedMicros, 99) / 1e3,
                    percentile(waitedMicros, 100) / 1e3);
            line(text, "%d more were killed while they opened the pool", early);
            line(text, "history: %s", findings.verdict().counts());
            line(text, "%s strictly serializable", mark(findings.verdict().holds(Level.STRICT_SERIALIZABILITY)));
            if (!findings.verdict().holds(Level.STRICT_SERIALIZABILITY))
                text.append(findings.verdict().report());
            line(
                    text,
                    "%s every account holds what the books say; %d transactions in doubt, of which %d happened",
                    mark(audit.holds()),
                    audit.doubts(),
                    audit.doubtsThatHappened());
            for (String wrong : audit.wrong()) line(text, "    %s", wrong);
            line(
                    text,
                    "%s %,d objects whole, visible, unlocked, equal on all replicas; places and lock files free",
                    mark(findings.quiet().holds()),
                    findings.quiet().objects());
            for (String problem : findings.quiet().problems()) line(text, "    %s", problem);
            return text.toString();
        }

        private static String mark(boolean holds) {
            return holds ? "OK    " : "FAILED";
        }

        @SuppressWarnings("AnnotateFormatMethod")
        private static void line(StringBuilder text, String format, Object... values) {
            text.append(String.format(Locale.ROOT, format, values)).append('\n');
        }

        private static double percentile(double[] sorted, int percent) {
            if (sorted.length == 0) return 0;
            return sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
        }
    }

    /** @param workers processes at work at a time, two or more: somebody has to survive */
    public KillCampaign(int kills, int workers, long seed, Consumer<String> out) {
        this.kills = kills;
        this.workers = workers;
        this.seed = seed;
        this.out = out;
    }

    /** Runs it from beginning to end. */
    public Result run() throws IOException, InterruptedException {
        Randomness random = new Randomness(seed).fork("kills");
        try (Playground ground = new Playground(seed, 2, 1, 5_000, 500, 3000, 2000 + 100 * kills, null)) {
            ground.load();
            List<WorkerProcess> alive = new ArrayList<>();
            for (int i = 0; i < workers; i++) alive.add(ground.start(QUICK_START));
            for (WorkerProcess worker : alive) worker.awaitReady();
            Map<Integer, Long> deaths = new TreeMap<>();
            double[] bury = new double[kills];
            int early = 0;
            long start = System.nanoTime();
            for (int k = 0; k < kills; k++) {
                TimeUnit.MILLISECONDS.sleep(20 + random.nextInt(400));
                WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
                victim.awaitReady();
                requireSound(ground, alive);
                long killed = System.nanoTime();
                long dead = ground.kill(victim);
                deaths.put(victim.session(), dead);
                bury[k] = (dead - killed) / 1e6;
                if (random.chance(1, 5)) {
                    WorkerProcess opening = ground.start(QUICK_START);
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                    opening.killEarly();
                    early++;
                }
                alive.add(ground.start(QUICK_START));
                if ((k + 1) % 20 == 0) out.accept((k + 1) + " kills");
            }
            for (WorkerProcess worker : alive) worker.awaitReady();
            TimeUnit.MILLISECONDS.sleep(500);
            for (WorkerProcess worker : alive) worker.stop();
            double seconds = (System.nanoTime() - start) / 1e9;
            return result(ground, deaths, bury, early, seconds);
        }
    }

    private static void requireSound(Playground ground, List<WorkerProcess> alive) throws IOException {
        for (WorkerProcess worker : alive)
            if (worker.failure() != null) {
                var errors =
                        ground.folder().resolve("errors-" + worker.options().number());
                throw new IllegalStateException(
                        "a worker failed: " + worker.failure() + "\n" + java.nio.file.Files.readString(errors));
            }
    }

    private Result result(Playground ground, Map<Integer, Long> deaths, double[] bury, int early, double seconds)
            throws IOException {
        Playground.Findings findings = ground.examine();
        Map<Integer, WorkerProcess.Passed> first = new TreeMap<>();
        long commits = 0;
        int finished = 0;
        int undone = 0;
        int freed = 0;
        for (WorkerProcess worker : ground.workers()) {
            commits += worker.commits();
            for (WorkerProcess.Passed passed : worker.passes())
                if (deaths.containsKey(passed.session()))
                    first.merge(passed.session(), passed, (a, b) -> a.nanos() <= b.nanos() ? a : b);
            for (WorkerProcess.Recovered recovered : worker.recoveries()) {
                finished += recovered.finished();
                undone += recovered.undone();
                freed += recovered.freed();
            }
        }
        double[] micros = new double[first.size()];
        double[] waited = new double[first.size()];
        int i = 0;
        for (WorkerProcess.Passed passed : first.values()) {
            long sinceDeath = passed.nanos() - deaths.get(passed.session());
            micros[i] = sinceDeath / 1e3;
            waited[i++] = Math.min(sinceDeath, passed.waitedNanos()) / 1e3;
        }
        Arrays.sort(micros);
        Arrays.sort(waited);
        Arrays.sort(bury);
        return new Result(
                kills, seed, seconds, commits, bury, micros, waited, early, finished, undone, freed, findings);
    }
}
