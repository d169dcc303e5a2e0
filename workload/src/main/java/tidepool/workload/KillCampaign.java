package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
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

    /** A service manager waits as long before it starts a process again; that costs a core more than the recovery does. */
    private static final int RESTART_MILLIS = 100;

    private final int kills;
    private final int workers;
    private final long seed;
    private final Consumer<String> out;

    /**
     * What came of it.
     *
     * @param unanswered keys that a dead process had held, and on which the survivors let nobody commit any more
     * @param early processes that were killed while they opened the pool, beside the others
     * @param finished transactions of the dead that were finished; the next two: undone, locks freed
     */
    public record Result(
            int kills,
            long seed,
            double seconds,
            long commits,
            RecoveryTimes times,
            int unanswered,
            int early,
            int finished,
            int undone,
            int freed,
            Playground.Findings findings) {
        public boolean holds() {
            return findings.verdict().holds(Level.STRICT_SERIALIZABILITY)
                    && findings.audit().holds()
                    && findings.quiet().holds()
                    && unanswered == 0;
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
            line(text, "%d more were killed while they opened the pool", early);
            text.append(times.text());
            line(
                    text,
                    "%s every key that a dead process had held had a commit again; %d had none",
                    mark(unanswered == 0),
                    unanswered);
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
            Map<Integer, RecoveryTimes.Death> deaths = new TreeMap<>();
            int early = 0;
            long start = System.nanoTime();
            for (int k = 0; k < kills; k++) {
                TimeUnit.MILLISECONDS.sleep(20 + random.nextInt(400));
                WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
                victim.awaitReady();
                awaitSurvivor(alive);
                requireSound(ground, alive);
                long killed = System.nanoTime();
                deaths.put(victim.session(), new RecoveryTimes.Death(killed, ground.kill(victim)));
                TimeUnit.MILLISECONDS.sleep(RESTART_MILLIS);
                if (random.chance(1, 5)) {
                    WorkerProcess opening = ground.start(QUICK_START);
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                    opening.killEarly();
                    early++;
                }
                alive.add(ground.start(QUICK_START));
                victim.bury();
                if ((k + 1) % 20 == 0) out.accept((k + 1) + " kills");
            }
            for (WorkerProcess worker : alive) worker.awaitReady();
            while (ground.prober().isWaiting()) TimeUnit.MILLISECONDS.sleep(10);
            TimeUnit.MILLISECONDS.sleep(500);
            for (WorkerProcess worker : alive) worker.stop();
            double seconds = (System.nanoTime() - start) / 1e9;
            return result(ground, deaths, early, seconds);
        }
    }

    /** Some other worker is at work: otherwise nobody survives, and the next one that starts is the first to notice. */
    private static void awaitSurvivor(List<WorkerProcess> others) throws InterruptedException {
        for (WorkerProcess worker : others) if (worker.isReady()) return;
        others.getFirst().awaitReady();
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

    private Result result(Playground ground, Map<Integer, RecoveryTimes.Death> deaths, int early, double seconds)
            throws IOException {
        Playground.Findings findings = ground.examine();
        long commits = 0;
        int finished = 0;
        int undone = 0;
        int freed = 0;
        for (WorkerProcess worker : ground.workers()) {
            commits += worker.commits();
            for (WorkerProcess.Recovered recovered : worker.recoveries()) {
                finished += recovered.finished();
                undone += recovered.undone();
                freed += recovered.freed();
            }
        }
        RecoveryTimes times =
                RecoveryTimes.of(deaths, ground.workers(), ground.prober().commits());
        int unanswered = ground.prober().unanswered();
        return new Result(kills, seed, seconds, commits, times, unanswered, early, finished, undone, freed, findings);
    }
}
