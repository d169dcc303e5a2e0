package tidepool.check.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import tidepool.Steward;
import tidepool.StewardListener;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.fabric.FabricException;
import tidepool.fabric.sim.Machine;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Change;
import tidepool.protocol.Protocol;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/**
 * Memory nodes of a simulated cluster that die and come back with nothing, and the stewards that care for them: one in each
 * process that has the pool open, put together as in real processes, and two more on machines of their own, which take no
 * turns with any other and die too. Nodes die at random moments of the work, of a change, and of filling; never so that the
 * last whole copy of something would be lost.
 */
final class ChangingNodes {
    private static final int STEWARDS = 2;
    private static final long DEATH_NANOS = 1_500_000;
    private static final long LOOK_NANOS = 30_000;
    private static final int IDLE_PAUSES = 3;
    private static final long ALARMED_NANOS = 300_000;
    private static final long MOST_PATIENCE_NANOS = 40_000_000;
    private static final long MOST_NANOS = 60_000_000_000L;

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
    private final LastCopies copies;
    private List<ObservedProtocol> protocols;
    private int deathsLeft;
    private int stewardDeathsLeft;
    private int started;
    private int running;
    private boolean over;
    private BooleanSupplier nobodyThere;

    ChangingNodes(
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
        this.copies = new LastCopies(fabric, rosters);
        this.deathsLeft = options.fates().deaths();
        this.stewardDeathsLeft = options.crashes();
    }

    /** Opens the pool as a real process does; its steward runs in another strand of the same machine. */
    Tidepool open(Protocol protocol) {
        Machine machine = simulation.currentMachine();
        Steward.Pace pace = new Steward.Pace(LOOK_NANOS, IDLE_PAUSES, ALARMED_NANOS, patienceNanos());
        return Tidepool.open(rosters.clientInTurn(), poolOptions, protocol, pace, steward -> {
            steward.listen(new Observer(_ -> {}));
            simulation.start(machine, machine.name() + ".steward", steward::run);
        });
    }

    private long patienceNanos() {
        return random.nextLong(MOST_PATIENCE_NANOS);
    }

    Roster roster() {
        return rosters.now();
    }

    /** The members of today. */
    SimFabric pool() {
        return rosters.showing(rosters.now());
    }

    // ---- what happens

    /**
     * From here on somebody cares for the nodes.
     *
     * @param all where protocols are added that are to be asked at the end what they did
     * @param isNobodyThere whether nobody is left who would say that it is over
     */
    void care(List<ObservedProtocol> all, BooleanSupplier isNobodyThere) {
        protocols = all;
        nobodyThere = isNobodyThere;
        over = false;
        stewards.clear();
        running = 0;
        for (int i = 0; i < STEWARDS; i++) start();
    }

    /** From here on nodes die. */
    void begin() {
        for (int i = 0; i < options.fates().deaths(); i++) planDeath(random.nextLong(DEATH_NANOS));
        for (int i = 0; i < options.fates().cuts(); i++) cuts.plan();
        if (options.fates().cuts() > 0 && random.nextBoolean()) planAbsence();
    }

    /** The place where the roster is kept cannot be reached for a while. */
    private void planAbsence() {
        long begins = simulation.nowNanos() + random.nextLong(DEATH_NANOS);
        simulation.at(begins, () -> {
            report.add("roster was away", 1);
            rosters.setAway(true);
        });
        simulation.at(begins + 1 + random.nextLong(3 * DEATH_NANOS), () -> rosters.setAway(false));
    }

    /** Who was shut out where the others are believes a node that was taken out for so long, and no longer. */
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
    void end() {
        while (!isWell()) {
            if (simulation.nowNanos() > MOST_NANOS)
                throw new ClusterFailure("the memory nodes do not get well: " + roster().text());
            Waiting.pause(LOOK_NANOS);
            requireOutlasting();
        }
        over = true;
        while (running > 0) Waiting.pause(LOOK_NANOS);
    }

    /** Every partition has its copies, all of them whole, on nodes that live. */
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

    boolean isLost(int node) {
        return rosters.isLost(node);
    }

    boolean isAnyLost() {
        for (int node = 0; node < fabric.nodes(); node++) if (isLost(node)) return true;
        return false;
    }

    private boolean losesPower() {
        return options.adversary().persistence();
    }

    /** See {@link LastCopies#outlastPowerLoss}. */
    boolean outlastsPowerLoss() {
        return copies.outlastPowerLoss();
    }

    /** While others are at it. */
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
        steward.listen(new Observer(nanos -> mayDieSoon(machine, nanos)));
        while (!over && !nobodyThere.getAsBoolean()) {
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

    /** Only failures that a steward may meet are counted; all others end the simulation. */
    private void failed(RuntimeException e) {
        boolean expected = e instanceof FabricException
                || e instanceof StoreException refused && refused.reason() != StoreException.Reason.CORRUPT;
        if (!expected) throw e;
        report.add("steward failed", 1);
    }

    /** What happens around what a steward does. */
    private final class Observer implements StewardListener {
        private final LongConsumer mayDie;

        /** @param mayDie whether the steward dies within so many nanoseconds is drawn */
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
        public void changed(Roster to, Change.Report done) {
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
