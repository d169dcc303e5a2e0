package tidepool.clusters;

import java.util.List;
import java.util.function.Supplier;
import tidepool.base.Checks;
import tidepool.base.Randomness;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.sim.Adversary;
import tidepool.store.FlushPolicy;

/**
 * The parts of a simulated cluster and the faults that happen to it; the rest follows from the seed.
 *
 * @param nodes memory nodes
 * @param replicas copies of each partition
 * @param machines compute machines; one that dies is replaced by a fresh one
 * @param strands that run transactions, on each machine
 * @param transactions of each strand
 * @param lists keys that always exist and are appended to
 * @param others keys that are inserted and deleted
 * @param crashes machines that die, each at a random verb; fewer if one ends before it gets there
 * @param pauses machines that stand still for longer than a lease, are taken for dead, and go on
 * @param leaseNanos after which a machine that does not move is taken for dead
 * @param protocol that the cluster runs; replaceable for planted bugs
 * @param fates of the memory nodes; null if they never change
 * @param workload the tables, and the transactions on them
 */
public record ClusterOptions(
        long seed,
        int nodes,
        int replicas,
        int machines,
        int strands,
        int transactions,
        int lists,
        int others,
        Adversary adversary,
        int crashes,
        int pauses,
        long leaseNanos,
        Supplier<Protocol> protocol,
        NodeFates fates,
        Workload workload) {

    /** The tables of a cluster, and the transactions on them. */
    public enum Workload {
        /** {@link RandomTxns} on so few rows that the table keeps its size. */
        FEW_ROWS,
        /** {@link RandomTxns} on more rows than the table was made for, so that it grows. */
        GROWING_ROWS,
        /** {@link DocumentTxns}: wide keys, long values, tables that grow, and one that is emptied. */
        DOCUMENTS,
        /** {@link OrderedTxns}: rows with two indexes, which are scanned; tables grow. */
        ORDERED;

        /** Whether tables grow. */
        boolean grows() {
            return this != FEW_ROWS;
        }
    }

    /**
     * Order, tearing, flights that outlast a short lease, and verbs of dead sessions that land or do not, whole or in
     * part. No connection breaks by itself and no answer is lost: a live client learns the effect of its verbs.
     */
    public static final Adversary DEATHS =
            Adversary.ORDER.with(new Adversary.Losses(30_000, 600_000, 0, 2_000, 0, 500_000, 500_000));

    /**
     * As {@link #DEATHS}, and slow: verbs of dead sessions are often under way, or half done, when those are recovered.
     */
    public static final Adversary SLOW = Adversary.ORDER
            .with(new Adversary.Order(300_000, 4_000, 500_000, 40_000, 200_000, true, true, Adversary.BURSTS))
            .with(new Adversary.Losses(150_000, 400_000, 0, 2_000, 0, 200_000, 500_000));

    /** Answers are lost and connections break: live clients lose their sessions, and recover themselves. */
    public static final Adversary LOSSES = DEATHS.withLosses(1_000, 300_000, 400, 2_000, 400, 500_000);

    /**
     * Faults of memory nodes.
     *
     * @param spares nodes, numbered after the others, that replace lost nodes
     * @param deaths nodes that die, and come back empty
     * @param cuts links that are cut and healed; and some nodes lose contact with the store of the roster, instead of
     *     dying
     * @param hasty whether clients and stewards wait for a lost node not much longer than its removal takes; so copies
     *     are filled under writers
     */
    public record NodeFates(int spares, int deaths, int cuts, boolean hasty) {}

    private static final long SEEDS_PER_GROWTH = 40;
    private static final long SEEDS_PER_ORDER = 80;

    public ClusterOptions {
        Checks.argument(machines >= 1 && strands >= 1 && transactions >= 1, "a cluster does something");
        Checks.argument(lists >= 2 && others >= 1, "there are keys");
    }

    /** Returns a cluster whose size and faults are drawn from the seed as well. */
    public static ClusterOptions drawn(long seed) {
        Randomness random = new Randomness(seed).fork("options");
        int replicas = 1 + random.nextInt(3);
        int nodes = Math.max(2, replicas);
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                2 + random.nextInt(2),
                1 + random.nextInt(3),
                6 + random.nextInt(10),
                2 + random.nextInt(2),
                4 + random.nextInt(9),
                random.pick(List.of(Adversary.ORDER, DEATHS, DEATHS, SLOW)),
                random.nextInt(5),
                0,
                random.pick(new int[] {0, 2_000, 50_000}),
                Ford::new,
                null,
                Workload.FEW_ROWS);
    }

    /**
     * Returns a cluster of FORD whose memory distinguishes flushed words, and which loses its power. Machines have
     * different switches, but one flush policy.
     */
    public static ClusterOptions drawnWithPower(long seed) {
        Randomness random = new Randomness(seed).fork("power");
        return withPower(
                drawn(seed), random.pick(List.of(FlushPolicy.SELECTIVE, FlushPolicy.SELECTIVE, FlushPolicy.FULL)));
    }

    /** Returns this cluster with power that fails. */
    public static ClusterOptions withPower(ClusterOptions options, FlushPolicy flush) {
        Randomness random = new Randomness(options.seed).fork("flush");
        int evict = random.pick(new int[] {0, 20_000, 300_000});
        return options.withAdversary(options.adversary.withPersistence(evict))
                .withProtocol(() -> new Ford(drawnSwitches(random, flush)));
    }

    /** Returns this cluster with nodes that keep journals: logs mostly travel with the data there. */
    public static ClusterOptions withJournals(ClusterOptions options, FlushPolicy flush) {
        ClusterOptions losing = withPower(options, flush);
        Adversary keeping =
                options.adversary.withJournals(losing.adversary.persistent().evict());
        Randomness random = new Randomness(options.seed).fork("journals");
        return losing.withAdversary(keeping)
                .withProtocol(() -> new Ford(drawnSwitches(random, flush)
                        .with(random.chance(1, 4) ? FordOptions.Undo.PARALLEL : FordOptions.Undo.AHEAD)));
    }

    private static FordOptions drawnSwitches(Randomness random, FlushPolicy flush) {
        return new FordOptions(
                random.chance(1, 4) ? FordOptions.Locking.SEPARATE : FordOptions.Locking.HITCHHIKED,
                random.chance(1, 4) ? FordOptions.Commit.SEPARATE : FordOptions.Commit.COALESCED,
                FordOptions.Undo.PARALLEL,
                random.chance(1, 4) ? FordOptions.Reads.BACKUP : FordOptions.Reads.PRIMARY,
                flush);
    }

    public ClusterOptions withProtocol(Supplier<Protocol> other) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                others,
                adversary,
                crashes,
                pauses,
                leaseNanos,
                other,
                fates,
                workload);
    }

    public ClusterOptions withAdversary(Adversary other) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                others,
                other,
                crashes,
                pauses,
                leaseNanos,
                protocol,
                fates,
                workload);
    }

    /** Returns this cluster with machines that stand still for longer than a lease, are taken for dead, and go on. */
    public ClusterOptions withPauses(int pausing) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                others,
                adversary,
                crashes,
                pausing,
                20_000,
                protocol,
                fates,
                workload);
    }

    /** Returns this cluster with this number of machines that die. */
    public ClusterOptions withCrashes(int dying) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                others,
                adversary,
                dying,
                pauses,
                leaseNanos,
                protocol,
                fates,
                workload);
    }

    /**
     * Returns the cluster of {@link #drawnWithNodes} whose links are cut; nodes serve some clients and are unreachable
     * for others.
     */
    public static ClusterOptions drawnWithCuts(long seed) {
        ClusterOptions drawn = drawnWithNodes(seed);
        int cuts = 1 + new Randomness(seed).fork("cuts").nextInt(4);
        return drawn.withFates(new NodeFates(drawn.fates.spares, drawn.fates.deaths, cuts, false));
    }

    /** Returns this cluster with a workload that is drawn from the seed: in most seeds few rows. */
    public ClusterOptions withDrawnWorkload() {
        return switch ((int) Math.floorMod(seed, SEEDS_PER_GROWTH)) {
            case 0 -> growing();
            case 20 -> documents();
            default -> Math.floorMod(seed, SEEDS_PER_ORDER) == 10 ? ordered() : this;
        };
    }

    /** Returns this cluster with more rows than its table was made for: the table grows. */
    public ClusterOptions growing() {
        return withWorkload(
                Workload.GROWING_ROWS, 40 + new Randomness(seed).fork("growth").nextInt(60));
    }

    /** Returns this cluster with the tables and transactions of {@link DocumentTxns}. */
    public ClusterOptions documents() {
        return withWorkload(
                Workload.DOCUMENTS, 24 + new Randomness(seed).fork("documents").nextInt(24));
    }

    /** Returns this cluster with the table and transactions of {@link OrderedTxns}. */
    public ClusterOptions ordered() {
        return withWorkload(
                Workload.ORDERED, 24 + new Randomness(seed).fork("ordered").nextInt(40));
    }

    private ClusterOptions withWorkload(Workload other, int keys) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                keys,
                adversary,
                crashes,
                pauses,
                leaseNanos,
                protocol,
                fates,
                other);
    }

    private ClusterOptions withFates(NodeFates other) {
        return new ClusterOptions(
                seed,
                nodes,
                replicas,
                machines,
                strands,
                transactions,
                lists,
                others,
                adversary,
                crashes,
                pauses,
                leaseNanos,
                protocol,
                other,
                workload);
    }

    /**
     * Returns the cluster of {@link #drawnWithNodes}, of FORD with flush, in which the power of all present nodes fails
     * too.
     */
    public static ClusterOptions drawnWithNodesAndPower(long seed) {
        Randomness random = new Randomness(seed).fork("nodes and power");
        return withPower(
                drawnWithNodes(seed),
                random.pick(List.of(FlushPolicy.SELECTIVE, FlushPolicy.SELECTIVE, FlushPolicy.FULL)));
    }

    /** Returns this cluster with a short wait for a lost node. */
    public ClusterOptions hasty() {
        return withFates(new NodeFates(fates.spares, fates.deaths, fates.cuts, true));
    }

    /** Returns a cluster in which memory nodes die and come back empty while clients work. */
    public static ClusterOptions drawnWithNodes(long seed) {
        Randomness random = new Randomness(seed).fork("nodes");
        ClusterOptions drawn = drawn(seed);
        int replicas = 2 + random.nextInt(2);
        return new ClusterOptions(
                seed,
                replicas + random.nextInt(2),
                replicas,
                drawn.machines,
                drawn.strands,
                2 * drawn.transactions,
                drawn.lists,
                drawn.others,
                drawn.adversary,
                random.nextInt(3),
                0,
                drawn.leaseNanos,
                Ford::new,
                new NodeFates(random.nextInt(2), 1 + random.nextInt(3), 0, false),
                drawn.workload);
    }
}
