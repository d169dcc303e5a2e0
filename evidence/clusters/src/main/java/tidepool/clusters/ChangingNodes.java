package tidepool.clusters;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.fabric.FabricException;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/**
 * Memory nodes of a simulated cluster that die and come back empty, and the stewards that look after them. One steward
 * runs in each process that has the pool open, set up as in real processes. Two more run on machines of their own; they
 * do not take turns with any other, and die too. Nodes die at random moments of the work, of a reconfiguration, and of
 * filling; never so that the last whole copy of something would be lost.
 */
public final class ChangingNodes {
    private static final int STEWARDS = 2;
    private static final long DEATH_NANOS = 1_500_000;
    private static final long LOOK_NANOS = 30_000;
    private static final int IDLE_PAUSES = 3;
    private static final long ALARMED_NANOS = 300_000;
    private static final long MAX_PATIENCE_NANOS = 40_000_000;
    private static final long MAX_NANOS = 60_000_000_000L;

    private final Simulation simulation;
    private final SimFabric fabric;
    private final ClusterOptions options;
    private final PoolOptions poolOptions;
    private final ClusterReport report;
    private final Randomness random;
    private final SimRosters rosters;
    private final List<Machine> stewards = new ArrayList<>();
    private final Membership own;
    private final NodeCuts cuts;
    private final SurvivingCopies copies;
    private List<ObservedProtocol> protocols;
    private int deathsLeft;
    private int stewardDeathsLeft;
    private int started;
    private int running;
    private boolean over;
    private BooleanSupplier noCallerLeft;

    public ChangingNodes(
            Simulation simulation,
            SimFabric fabric,
            ClusterOptions options,
            PoolOptions poolOptions,
            ClusterReport report,
            Supplier<List<Machine>> machines) {
        this.cuts = new NodeCuts(simulation, fabric, report, () -> {
            List<Machine> there = new ArrayList<>(machines.get());
            there.addAll(stewards);
            there.removeIf(Machine::isDead);
            return there;
        });
        this.simulation = simulation;
        this.fabric = fabric;
        this.options = options;
        this.poolOptions = poolOptions;
        this.report = report;
        this.random = simulation.randomness("nodes");
        this.rosters = new SimRosters(
                fabric,
                options.fates().spares(),
                poolOptions.partitions(),
                poolOptions.replicas(),
                options.leaseNanos());
        this.own = rosters.client();
        this.copies = new SurvivingCopies(fabric, rosters);
        this.deathsLeft = options.fates().deaths();
        this.stewardDeathsLeft = options.crashes();
    }

    /** Opens the pool as a real process does; its steward runs in another strand of the same machine. */
    public Tidepool open(Protocol protocol) {
        Machine machine = simulation.currentMachine();
        Steward.Pace pace = new Steward.Pace(LOOK_NANOS, IDLE_PAUSES, ALARMED_NANOS, patienceNanos());
        return PoolAccess.open(rosters.clientInTurn(), poolOptions, protocol, pace, steward -> {
            steward.setListener(new Observer(_ -> {}));
            simulation.start(machine, machine.name() + ".steward", steward::run);
        });
    }

    private long patienceNanos() {
        return random.nextLong(MAX_PATIENCE_NANOS);
    }

    public Roster roster() {
        return rosters.now();
    }

    /** Returns the fabric of the current members. */
    public SimFabric pool() {
        return rosters.showing(rosters.now());
    }

    // ---- events

    /**
     * Starts the stewards.
     *
     * @param all list to which protocols are added whose counts are read at the end
     * @param isNoCallerLeft whether no strand is left that would call {@link #end}
     */
    public void care(List<ObservedProtocol> all, BooleanSupplier isNoCallerLeft) {
        protocols = all;
        noCallerLeft = isNoCallerLeft;
        over = false;
        stewards.clear();
        running = 0;
        for (int i = 0; i < STEWARDS; i++) start();
    }

    /** Plans the deaths of nodes. */
    public void begin() {
        for (int i = 0; i < options.fates().deaths(); i++) planDeath(random.nextLong(DEATH_NANOS));
        for (int i = 0; i < options.fates().cuts(); i++) cuts.plan();
        if (options.fates().cuts() > 0 && random.nextBoolean()) planAbsence();
    }

    /** Makes the store of the roster unreachable for a time. */
    private void planAbsence() {
        long begins = simulation.nowNanos() + random.nextLong(DEATH_NANOS);
        simulation.at(begins, () -> {
            report.add("roster was away", 1);
            rosters.setAway(true);
        });
        simulation.at(begins + 1 + random.nextLong(3 * DEATH_NANOS), () -> rosters.setAway(false));
    }

    /**
     * Revokes all sessions at a removed node {@link SimRosters#SETTLE_NANOS} after its removal. Until then, and no
     * longer, a session that is revoked at the other nodes may trust the removed node.
     */
    private void disbelieve(Roster to) {
        for (int node = 0; node < fabric.nodes(); node++) {
            if (!rosters.isLost(node) || fabric.isDown(node) || to.position(rosters.identity(node)) >= 0) continue;
            int removed = node;
            String life = rosters.identity(node);
            simulation.at(simulation.nowNanos() + SimRosters.SETTLE_NANOS, () -> {
                if (fabric.isDown(removed) || !rosters.identity(removed).equals(life)) return;
                for (int session : fabric.memory(removed).sessions().all())
                    fabric.control(removed).revoke(session);
            });
        }
    }

    /** Waits until the pool has everything again that it can have. */
    public void end() {
        while (!isWell()) {
            if (simulation.nowNanos() > MAX_NANOS)
                throw new ClusterFailure("the memory nodes do not get well: " + roster().text());
            Waiting.pause(LOOK_NANOS);
            requireOutlasting();
        }
        over = true;
        while (running > 0) Waiting.pause(LOOK_NANOS);
    }

    /** Whether every partition has its copies, all of them whole, on nodes that live. */
    private boolean isWell() {
        Roster now = roster();
        if (!now.steady() || now.isFilling()) return false;
        for (Roster.Member member : now.members()) if (own.isMissing(member)) return false;
        for (Roster.Copies copies : now.partitions()) if (copies.whole().size() < poolOptions.replicas()) return false;
        return true;
    }

    // ---- nodes

    private void planDeath(long nanos) {
        simulation.at(simulation.nowNanos() + nanos, this::killOne);
    }

    private void killOne() {
        if (deathsLeft == 0 || over) return;
        int node = random.nextInt(fabric.nodes());
        if (fabric.isDown(node) || rosters.isLost(node) || !copies.remainWithout(node, losesPower())) return;
        deathsLeft--;
        boolean member = rosters.positionOf(node) >= 0;
        report.add("memory node died", 1);
        report.add("memory node died while the roster changed", roster().steady() ? 0 : 1);
        report.add("memory node died while copies were filled", roster().isFilling() ? 1 : 0);
        report.add("first memory node died", rosters.positionOf(node) == 0 ? 1 : 0);
        report.add("spare memory node died", member ? 0 : 1);
        if (options.fates().cuts() > 0 && member && random.chance(1, 2)) {
            report.add("memory node was not heard of, and served", 1);
            rosters.deafen(node);
        } else rosters.crash(node);
        if (losesPower()) report.add("last flushed copy was lost", copies.outlastDeath() ? 0 : 1);
        long away = options.leaseNanos() + 1 + random.nextLong(2 * DEATH_NANOS);
        simulation.at(simulation.nowNanos() + away, () -> rosters.comeBackEmpty(node));
    }

    // ---- power

    public boolean isLost(int node) {
        return rosters.isLost(node);
    }

    public boolean isAnyLost() {
        for (int node = 0; node < fabric.nodes(); node++) if (isLost(node)) return true;
        return false;
    }

    private boolean losesPower() {
        return options.adversary().persistence();
    }

    /** See {@link SurvivingCopies#outlastPowerLoss}. */
    public boolean outlastsPowerLoss() {
        return copies.outlastPowerLoss();
    }

    /** Checks this while other strands work. */
    private void requireOutlasting() {
        if (losesPower()) copies.outlastPowerLoss();
    }

    // ---- stewards

    private void start() {
        String name = "steward" + started++;
        Machine machine = simulation.machine(name, 1);
        stewards.add(machine);
        running++;
        simulation.start(machine, name, () -> tend(machine));
    }

    private void tend(Machine machine) {
        ObservedProtocol protocol = new ObservedProtocol(options.protocol().get());
        protocols.add(protocol);
        Steward steward = new Steward(rosters.client(), poolOptions, protocol, patienceNanos());
        steward.setListener(new Observer(nanos -> mayDieSoon(machine, nanos)));
        while (!over && !noCallerLeft.getAsBoolean()) {
            try {
                if (steward.tend()) continue;
            } catch (FabricException | StoreException e) {
                failed(e);
            }
            Waiting.pause(LOOK_NANOS);
        }
        running--;
        stewards.remove(machine);
    }

    /** Counts failures that a steward may meet; all others end the simulation. */
    private void failed(RuntimeException e) {
        boolean expected = e instanceof FabricException
                || e instanceof StoreException refused && refused.reason() != StoreException.Reason.CORRUPT;
        if (!expected) throw e;
        report.add("steward failed", 1);
    }

    /** Injects faults around the actions of a steward. */
    private final class Observer implements StewardListener {
        private final LongConsumer mayDie;

        /** @param mayDie draws whether the steward dies within this number of nanoseconds */
        Observer(LongConsumer mayDie) {
            this.mayDie = mayDie;
        }

        @Override
        public void changing(Roster to) {
            requireOutlasting();
            disbelieve(to);
            mayDie.accept(400_000);
            if (random.chance(1, 3)) planDeath(random.nextLong(400_000));
        }

        @Override
        public void changed(Roster to, Reconfiguration.Report done) {
            requireOutlasting();
            mayDie.accept(100_000);
        }

        @Override
        public void filling(Roster of, int partition, long bytes, long ofBytes) {
            requireOutlasting();
            if (!random.chance(1, 20)) return;
            mayDie.accept(100_000);
            if (random.chance(1, 3)) planDeath(random.nextLong(100_000));
        }

        @Override
        public void filled(Roster of, int partition, long copied) {
            report.add("objects copied to a new copy", copied);
            requireOutlasting();
        }

        @Override
        public void failed(RuntimeException e) {
            ChangingNodes.this.failed(e);
        }
    }

    private void mayDieSoon(Machine machine, long nanos) {
        if (stewardDeathsLeft == 0 || !random.chance(1, 3)) return;
        stewardDeathsLeft--;
        simulation.at(simulation.nowNanos() + random.nextLong(nanos), () -> {
            if (over || machine.isDead() || !stewards.remove(machine)) return;
            report.add("steward died", 1);
            machine.crash();
            running--;
            start();
        });
    }
}
