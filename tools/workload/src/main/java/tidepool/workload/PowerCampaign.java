package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tidepool.base.Randomness;
import tidepool.history.Level;
import tidepool.node.journal.Durability;
import tidepool.workload.site.Site;
import tidepool.workload.site.TcpSite;

/**
 * A campaign that repeatedly kills all memory nodes of a pool at once, at random moments under load, and restarts them
 * from their disks. The workers live on: they wait, join anew and repair the pool. Afterwards
 * {@link WorkerSite#examine} must find everything in order.
 */
public final class PowerCampaign {
    private static final String[] QUICK_START = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"};
    private static final int WORKERS = 3;

    /** The time-out is longer than nodes need to restart on a busy machine. */
    private static final String PARAMETERS = "&flush=selective&timeout=120s";

    private final int losses;
    private final Durability durability;
    private final long seed;
    private final Consumer<String> out;
    private final Randomness random;

    /**
     * The result of the campaign.
     *
     * @param commits that workers reported
     */
    public record Result(int losses, double seconds, long commits, WorkerSite.SiteFindings findings) {
        public boolean holds() {
            return findings.verdict().holds(Level.STRICT_SERIALIZABILITY)
                    && findings.audit().holds()
                    && findings.quiet().holds()
                    && commits > 0;
        }

        /** Returns the whole result as text for people. */
        public String text() {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "all nodes were killed %d times in %.1f s; %,d commits that were told of%n",
                    losses,
                    seconds,
                    commits));
            text.append("history: ").append(findings.verdict().counts()).append('\n');
            boolean strict = findings.verdict().holds(Level.STRICT_SERIALIZABILITY);
            text.append(mark(strict)).append("strictly serializable\n");
            if (!strict) text.append(findings.verdict().report());
            text.append(mark(findings.audit().holds())).append("every account holds what the books say\n");
            for (String wrong : findings.audit().wrong())
                text.append("    ").append(wrong).append('\n');
            text.append(mark(findings.quiet().holds()))
                    .append(findings.quiet().objects())
                    .append(" objects whole, visible, unlocked, equal on all replicas\n");
            for (String problem : findings.quiet().problems())
                text.append("    ").append(problem).append('\n');
            return text.toString();
        }

        private static String mark(boolean holds) {
            return holds ? "OK     " : "FAILED ";
        }
    }

    public PowerCampaign(int losses, Durability durability, long seed, Consumer<String> out) {
        this.losses = losses;
        this.durability = durability;
        this.seed = seed;
        this.out = out;
        this.random = new Randomness(seed).fork("power");
    }

    /** Runs the campaign from beginning to end. */
    public Result run() throws IOException, InterruptedException {
        TcpSite.Nodes nodes = TcpSite.Nodes.DEFAULT.withDurability(durability);
        Site.Maker where = (folder, parameters) -> new TcpSite(folder, parameters + PARAMETERS, nodes);
        try (WorkerSite workerSite = new WorkerSite(where, seed, 2, 1, 2_000, 200, 3000, 2000 + 200 * losses)) {
            workerSite.load();
            List<WorkerProcess> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) workers.add(workerSite.start(QUICK_START));
            for (WorkerProcess worker : workers) worker.awaitReady();
            long start = System.nanoTime();
            for (int i = 0; i < losses; i++) {
                TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(800));
                requireSound(workers);
                ((TcpSite) workerSite.site()).losePower();
                awaitWork(workers);
                out.accept("killed " + (i + 1) + " times");
            }
            TimeUnit.MILLISECONDS.sleep(300);
            for (WorkerProcess worker : workers) worker.stop();
            requireSound(workers);
            double seconds = (System.nanoTime() - start) / 1e9;
            long commits = workers.stream().mapToLong(WorkerProcess::commits).sum();
            return new Result(losses, seconds, commits, workerSite.examine());
        }
    }

    /** Waits until every worker has committed since the nodes are back. */
    private static void awaitWork(List<WorkerProcess> workers) throws InterruptedException {
        for (WorkerProcess worker : workers) {
            long before = worker.commits();
            while (worker.commits() <= before) {
                requireSound(List.of(worker));
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private static void requireSound(List<WorkerProcess> workers) {
        for (WorkerProcess worker : workers)
            if (worker.failure() != null)
                throw new IllegalStateException("a worker failed: " + worker.failure() + "\n" + worker.complaints());
    }
}
