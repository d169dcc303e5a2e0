package tidepool.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tidepool.base.Randomness;
import tidepool.fabric.FabricUrl;
import tidepool.store.Membership;
import tidepool.store.Roster;
import tidepool.workload.site.ZkSite;

/**
 * A campaign that kills memory nodes at random moments, under SmallBank and list-append in several processes. The nodes
 * come back empty. No kill destroys the last whole copy of a partition. Some nodes are killed during a reconfiguration
 * or while copies are filled. Afterwards {@link WorkerSite#examine} must find everything in order.
 */
public final class NodeKillCampaign {
    private static final String[] QUICK_START = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"};
    private static final long MAX_SECONDS = 120;

    private final int kills;
    private final int workers;
    private final Randomness random;
    private final Consumer<String> out;
    private final Set<Integer> down = new HashSet<>();
    private final List<Long> unavailable = new ArrayList<>();
    private final List<Long> detection = new ArrayList<>();
    private final List<Long> repair = new ArrayList<>();
    private final List<Long> refill = new ArrayList<>();
    private int whileChanging;
    private int whileFilling;
    private int primaries;

    /**
     * @param kills number of memory nodes that are killed
     * @param workers client processes at work
     * @param out receives progress lines
     */
    public NodeKillCampaign(int kills, int workers, long seed, Consumer<String> out) {
        this.kills = kills;
        this.workers = workers;
        this.random = new Randomness(seed).fork("node kills");
        this.out = out;
    }

    /** Runs the campaign from beginning to end. */
    public NodeKillResult run() throws IOException, InterruptedException {
        ZkSite[] made = new ZkSite[1];
        try (WorkerSite workerSite = new WorkerSite(
                (folder, parameters) -> made[0] = new ZkSite(folder, parameters),
                random.nextLong(),
                2,
                1,
                5_000,
                500,
                3000,
                2000 + 100 * kills)) {
            ZkSite site = made[0];
            workerSite.load();
            List<WorkerProcess> clients = new ArrayList<>();
            for (int i = 0; i < workers; i++) clients.add(workerSite.start(QUICK_START));
            for (WorkerProcess client : clients) client.awaitReady();
            long start = System.nanoTime();
            try (Membership membership = Membership.open(FabricUrl.parse(site.url()));
                    PartitionProber prober = new PartitionProber(workerSite.pool());
                    EpochWatch epochs = new EpochWatch(membership)) {
                for (int k = 0; k < kills; k++) {
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                    requireSound(site, clients);
                    kill(site, membership, prober, epochs);
                    if ((k + 1) % 10 == 0) out.accept((k + 1) + " memory nodes killed");
                }
                awaitWhole(membership);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            requireSound(site, clients);
            for (WorkerProcess client : clients) client.stop();
            WorkerSite.SiteFindings findings = workerSite.examine();
            long commits = 0;
            for (WorkerProcess client : workerSite.workers()) commits += client.commits();
            return new NodeKillResult(
                    kills,
                    workers,
                    seconds,
                    commits,
                    primaries,
                    whileChanging,
                    whileFilling,
                    RecoveryTimes.Spread.of(unavailable),
                    RecoveryTimes.Spread.of(detection),
                    RecoveryTimes.Spread.of(repair),
                    RecoveryTimes.Spread.of(refill),
                    findings);
        }
    }

    // ---- one kill

    private void kill(ZkSite site, Membership membership, PartitionProber prober, EpochWatch epochs)
            throws InterruptedException {
        int victim = awaitVictim(site, membership);
        Roster before = membership.read();
        int position = before.position(site.identity(victim));
        List<Integer> held = new ArrayList<>();
        for (int p = 0; p < before.partitions().size(); p++) {
            if (before.partitions().get(p).all().contains(position)) held.add(p);
            if (before.partitions().get(p).whole().getFirst() == position) primaries++;
        }
        if (!before.steady()) whileChanging++;
        if (before.isFilling()) whileFilling++;
        long killed = System.nanoTime();
        site.kill(victim);
        down.add(victim);
        if (position >= 0) {
            long noticed = epochs.changedAfter(before.epoch());
            detection.add(noticed - killed);
            for (int p : held) {
                long had = prober.firstCommitAfter(p, killed);
                unavailable.add(had - killed);
                repair.add(had - noticed);
            }
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
        site.restart(victim);
        down.remove(victim);
        if (random.chance(1, 2)) return; // the next node dies while copies are filled, if a copy of each remains
        awaitWhole(membership);
        refill.add(System.nanoTime() - killed);
    }

    /** Waits for a node whose loss leaves a whole copy of every partition on live nodes. */
    private int awaitVictim(ZkSite site, Membership membership) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        while (true) {
            int victim = random.nextInt(site.nodes());
            Roster now = membership.read();
            int position = now.position(site.identity(victim));
            Set<Integer> alive = new HashSet<>();
            for (int i = 0; i < site.nodes(); i++)
                if (i != victim && !down.contains(i)) alive.add(now.position(site.identity(i)));
            boolean may = position >= 0
                    && now.partitions().stream()
                            .allMatch(copies -> copies.whole().stream().anyMatch(alive::contains));
            if (may) return victim;
            if (System.nanoTime() > deadline)
                throw new IllegalStateException("the pool does not get well: " + now.text());
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Waits until every partition has all its copies again. */
    private static void awaitWhole(Membership membership) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        while (true) {
            Roster now = membership.read();
            boolean whole = now.steady()
                    && now.partitions().stream()
                            .allMatch(copies -> copies.whole().size() >= 2);
            if (whole) return;
            if (System.nanoTime() > deadline)
                throw new IllegalStateException("the pool does not get whole again: " + now.text());
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static void requireSound(ZkSite site, List<WorkerProcess> clients) {
        site.requireSound();
        for (WorkerProcess client : clients)
            if (client.failure() != null)
                throw new IllegalStateException("a worker failed: " + client.failure() + "\n" + client.complaints());
    }

    /** A thread that records when changing rosters were first seen. */
    private static final class EpochWatch implements AutoCloseable {
        private final Membership membership;
        private final Thread thread;
        private volatile long epoch;
        private volatile long sinceNanos;
        private volatile boolean closed;

        EpochWatch(Membership membership) {
            this.membership = membership;
            this.epoch = membership.latest().epoch();
            this.thread =
                    Thread.ofPlatform().daemon().name("watches the roster").start(this::watch);
        }

        private void watch() {
            while (!closed) {
                long now = membership.latest().epoch();
                if (now != epoch) {
                    sinceNanos = System.nanoTime();
                    epoch = now;
                }
                try {
                    TimeUnit.MICROSECONDS.sleep(200);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        /** Waits for an epoch after the given one. Returns when it was first seen. */
        long changedAfter(long known) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
            while (epoch <= known) {
                if (System.nanoTime() > deadline)
                    throw new IllegalStateException("nobody has noticed that a memory node is gone");
                TimeUnit.MICROSECONDS.sleep(200);
            }
            return sinceNanos;
        }

        @Override
        public void close() {
            closed = true;
            thread.interrupt();
        }
    }
}
