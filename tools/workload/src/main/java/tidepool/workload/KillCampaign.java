package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tidepool.base.Randomness;
import tidepool.workload.site.Site;
import tidepool.workload.site.TcpSite;

/**
 * A campaign that repeatedly kills worker processes on one pool at random moments and replaces them. On the network it
 * injects other faults too. Afterwards {@link WorkerSite#examine} must find everything in order.
 */
public final class KillCampaign {
    private static final String[] QUICK_START = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"};

    /**
     * The pause of a service manager before it restarts a process. The restart costs a core more time than the recovery
     * does.
     */
    private static final int RESTART_MILLIS = 100;

    private final CrashPlan plan;
    private final Consumer<String> out;
    private final Randomness random;
    private final List<WorkerProcess> alive = new ArrayList<>();
    private final Map<Integer, RecoveryTimes.Death> deaths = new TreeMap<>();
    private int early;

    public KillCampaign(CrashPlan plan, Consumer<String> out) {
        this.plan = plan;
        this.out = out;
        this.random = new Randomness(plan.seed()).fork("kills");
    }

    /** Runs the campaign from beginning to end. */
    public CrashResult run() throws IOException, InterruptedException {
        int events = plan.kills() + plan.faults();
        Site.Maker where = plan.faults() == 0 ? Site.on(plan.fabric()) : TcpSite.maker(TcpSite.Nodes.PROXIED);
        try (WorkerSite workerSite = new WorkerSite(where, plan.seed(), 2, 1, 5_000, 500, 3000, 2000 + 100 * events)) {
            workerSite.load();
            FaultInjector injector = new FaultInjector(workerSite, random.fork("faults"));
            for (int i = 0; i < plan.workers(); i++) alive.add(workerSite.start(QUICK_START));
            for (WorkerProcess worker : alive) worker.awaitReady();
            long start = System.nanoTime();
            int killsLeft = plan.kills();
            for (int k = 0; k < events; k++) {
                TimeUnit.MILLISECONDS.sleep(20 + random.nextInt(400));
                WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
                victim.awaitReady();
                awaitSurvivor(alive);
                requireSound(workerSite);
                if (random.chance(killsLeft, events - k)) {
                    killsLeft--;
                    kill(workerSite, victim);
                } else if (injector.survives(victim)) {
                    alive.add(victim);
                } else {
                    alive.add(workerSite.start(QUICK_START));
                }
                if ((k + 1) % 20 == 0) out.accept((k + 1) + (plan.faults() == 0 ? " kills" : " kills and faults"));
            }
            for (WorkerProcess worker : alive) worker.awaitReady();
            while (workerSite.prober().isWaiting()) TimeUnit.MILLISECONDS.sleep(10);
            TimeUnit.MILLISECONDS.sleep(500);
            requireSound(workerSite);
            for (WorkerProcess worker : alive) worker.stop();
            double seconds = (System.nanoTime() - start) / 1e9;
            return result(workerSite, injector, seconds);
        }
    }

    private void kill(WorkerSite workerSite, WorkerProcess victim) throws InterruptedException {
        long killed = System.nanoTime();
        int session = victim.session();
        deaths.put(session, new RecoveryTimes.Death(killed, workerSite.kill(victim)));
        TimeUnit.MILLISECONDS.sleep(RESTART_MILLIS);
        if (random.chance(1, 5)) {
            WorkerProcess opening = workerSite.start(QUICK_START);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
            opening.killEarly();
            early++;
        }
        alive.add(workerSite.start(QUICK_START));
        victim.bury();
    }

    /**
     * Waits until another worker is at work. Otherwise no worker survives, and only the next one that starts notices
     * the death.
     */
    private static void awaitSurvivor(List<WorkerProcess> others) throws InterruptedException {
        for (WorkerProcess worker : others) if (worker.isReady()) return;
        others.getFirst().awaitReady();
    }

    private void requireSound(WorkerSite workerSite) {
        workerSite.site().requireSound();
        for (WorkerProcess worker : alive)
            if (worker.failure() != null)
                throw new IllegalStateException("a worker failed: " + worker.failure() + "\n" + worker.complaints());
    }

    private CrashResult result(WorkerSite workerSite, FaultInjector injector, double seconds)
            throws IOException, InterruptedException {
        WorkerSite.SiteFindings findings = workerSite.examine();
        long commits = 0;
        int finished = 0;
        int undone = 0;
        int freed = 0;
        for (WorkerProcess worker : workerSite.workers()) {
            commits += worker.commits();
            for (WorkerProcess.Recovered recovered : worker.recoveries()) {
                finished += recovered.finished();
                undone += recovered.undone();
                freed += recovered.freed();
            }
        }
        deaths.putAll(injector.deaths());
        RecoveryTimes times = RecoveryTimes.of(
                RecoveryTimes.signOn(plan.fabric()),
                deaths,
                workerSite.workers(),
                workerSite.prober().commits());
        return new CrashResult(
                plan,
                seconds,
                commits,
                times,
                workerSite.prober().unanswered(),
                early,
                finished,
                undone,
                freed,
                injector.counts(),
                injector.flights(),
                injector.problems(),
                findings);
    }
}
