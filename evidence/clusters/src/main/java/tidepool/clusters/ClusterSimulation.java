package tidepool.clusters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions.Workload;
import tidepool.fabric.FabricException;
import tidepool.history.Verdict;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.Recovery;
import tidepool.protocol.Step;
import tidepool.protocol.fordlv.FordLvCoordinator;
import tidepool.protocol.hdtx.HdtxCoordinator;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.RowAudit;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.AbortReason;

/**
 * A run of a cluster from its first machine to its last. A loader fills a table, and machines run
 * {@link RandomTxns random transactions} on it. Some machines die at some verb and are replaced by fresh ones. Live
 * machines recover the locks and logs of dead ones when they meet them. At the end a last machine recovers the rest and
 * uses every key. Then everything is checked: {@link PoolCheck} the memory, {@link SerialOrder} the history.
 *
 * <p>Where the adversary distinguishes persistent memory, the power of all memory nodes fails once or several times,
 * with all machines or some of them; then other machines go on with what is left.
 */
public final class ClusterSimulation {
    /** About as long as a recovery takes. */
    private static final long RECOVERY_NANOS = 300_000;

    /** Longer than any verb flies: no live client gives up. */
    private static final long PATIENCE_NANOS = 50_000_000;

    /** The wait for a lost node in a hasty cluster. */
    private static final long SHORT_PATIENCE_NANOS = 3_000_000;

    private static final long LOOK_NANOS = 2_000;

    private static final int MAX_CUTS = 3;

    /** About as long as it takes to repair a pool, and as long as the machines work. */
    private static final long RESTART_NANOS = 2_000_000;

    private static final long WORK_NANOS = 1_500_000;

    private final ClusterOptions options;
    private final ClusterReport report = new ClusterReport();
    private final ClusterHistory history = new ClusterHistory();
    private final List<ObservedProtocol> protocols = new ArrayList<>();
    private final Simulation simulation;
    private final SimFabric fabric;
    private final PoolOptions poolOptions;
    private final JudgedRows rows;
    private final DraftLog drafts = new DraftLog();
    private final Randomness random;
    private final ChangingNodes nodes; // null if they never change
    private final List<Tidepool> pools = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private TableLayout table;

    /** The hidden tables with the parts of long values, and tables that the history does not judge. */
    private List<TableLayout> otherTables = List.of();

    private boolean loaded;
    private boolean cutPlanned;
    private int workersStarted;
    private int lives;
    private int recoverersToDie;

    /** A machine at work. */
    private static final class Worker {
        final Machine machine;
        final int number;
        int running;
        boolean started;
        boolean replaced;

        Worker(Machine machine, int number) {
            this.machine = machine;
            this.number = number;
        }

        boolean isOver() {
            return machine.isDead() ? replaced : started && running == 0;
        }
    }

    private ClusterSimulation(ClusterOptions options, Simulation simulation) {
        this.options = options;
        this.simulation = simulation;
        CostProfile costs = CostProfile.named("cx5")
                .withLease(options.leaseNanos())
                .withDeadline(isHasty() ? SHORT_PATIENCE_NANOS : PATIENCE_NANOS);
        int spares = options.fates() == null ? 0 : options.fates().spares();
        this.fabric = new SimFabric(simulation, options.nodes() + spares, costs, options.adversary());
        this.poolOptions = new PoolOptions(
                options.protocol().get().name(),
                options.replicas(),
                2,
                partitionBytes(options.workload()),
                16,
                LogsInHeap.slotBytes(options.protocol().get(), logSlotBytes(options.workload())));
        this.rows = rows(options.workload());
        this.random = simulation.randomness("cluster");
        this.nodes = options.fates() == null
                ? null
                : new ChangingNodes(simulation, fabric, options, poolOptions, report, () -> machines);
        this.recoverersToDie = options.crashes() / 2;
    }

    private static JudgedRows rows(Workload workload) {
        return switch (workload) {
            case FEW_ROWS, GROWING_ROWS -> Content.ROWS;
            case DOCUMENTS -> new Documents();
            case ORDERED -> new OrderedRows();
        };
    }

    private static long partitionBytes(Workload workload) {
        return switch (workload) {
            case FEW_ROWS -> 64 << 10;
            case GROWING_ROWS -> 512 << 10;
            case DOCUMENTS, ORDERED -> 3 << 20;
        };
    }

    private static long logSlotBytes(Workload workload) {
        return workload == Workload.FEW_ROWS ? 4 << 10 : 64 << 10;
    }

    private boolean isHasty() {
        return options.fates() != null && options.fates().hasty();
    }

    /**
     * Runs a cluster to its end and checks everything. Throws {@link ClusterFailure} with the seed if something is
     * wrong.
     */
    public static ClusterReport run(ClusterOptions options) {
        return run(options, 0, events -> {});
    }

    /**
     * Runs a cluster as {@link #run(ClusterOptions)} does. Passes the last events of its trace on, also if something is
     * wrong: up to {@code max} lines, oldest first. Events of verbs have the step of their round.
     */
    public static ClusterReport run(ClusterOptions options, int max, Consumer<List<String>> events) {
        try (Simulation simulation = new Simulation(options.seed())) {
            ClusterSimulation cluster = new ClusterSimulation(options, simulation);
            try {
                return cluster.run();
            } catch (RuntimeException e) {
                throw new ClusterFailure(e.getMessage() + cluster.judgement(), e);
            } finally {
                if (max > 0) events.accept(simulation.trace().last(max, Step::word));
            }
        } catch (RuntimeException e) {
            throw new ClusterFailure("seed=" + options.seed() + ": " + e.getMessage(), e);
        }
    }

    /** Returns what the history of a table that grows proves, without the memory; empty if it proves nothing. */
    private String judgement() {
        if (!options.workload().grows()) return "";
        Verdict verdict = SerialOrder.of(history);
        return verdict.holds(PromisedLevel.of(options.protocol().get())) ? "" : "\nhistory: " + verdict.report();
    }

    private ClusterReport run() {
        int cuts = losesPower() ? 1 + random.nextInt(MAX_CUTS) : 0;
        if (losesPower() && random.chance(1, 4)) planCut();
        phase("loader", this::load);
        for (int life = 0; life <= cuts; life++) {
            planCrashes();
            if (life < cuts && !cutPlanned) planCut();
            phase("supervisor" + (life == 0 ? "" : life), this::supervise);
            if (cutPlanned && life < cuts) cutPowerAtRest(); // no machine was at work any more
        }
        if (cutPlanned) cutPowerAtRest();
        phase("last", this::finish);
        simulation.settle();
        check();
        count();
        return report;
    }

    private void phase(String machine, Runnable body) {
        simulation.start(machine(machine, 1), machine, body);
        simulation.run();
    }

    private Machine machine(String name, int cores) {
        Machine machine = simulation.machine(name, cores);
        machines.add(machine);
        return machine;
    }

    // ---- power

    private boolean losesPower() {
        return options.adversary().persistence();
    }

    /** Plans a loss of power: soon, while the pool is repaired or just after that; or while the machines work. */
    private void planCut() {
        cutPlanned = true;
        long nanos = random.nextLong(random.chance(1, 3) ? RESTART_NANOS : WORK_NANOS);
        planCut(nanos);
    }

    /** Postpones the loss of power if the remaining copies would not be enough: no promise holds then. */
    private void planCut(long nanos) {
        simulation.at(simulation.nowNanos() + nanos, () -> {
            if (!cutPlanned) return;
            if (nodes == null || nodes.outlastsPowerLoss()) cutPower();
            else planCut(RESTART_NANOS / 10);
        });
    }

    private void cutPowerAtRest() {
        if (nodes == null || nodes.outlastsPowerLoss()) cutPower();
        cutPlanned = false;
    }

    private void cutPower() {
        cutPlanned = false;
        boolean all = random.chance(2, 3);
        boolean outlived = false;
        for (Machine machine : List.copyOf(machines)) {
            if (machine.isDead()) continue;
            if (all || random.nextBoolean()) machine.crash();
            else outlived = true;
        }
        for (int node = 0; node < fabric.nodes(); node++) fabric.failPower(node);
        for (int node = 0; node < fabric.nodes(); node++)
            if (nodes == null || !nodes.isLost(node)) fabric.restartNode(node);
        report.add("power cut while a memory node was lost", nodes != null && nodes.isAnyLost() ? 1 : 0);
        report.add("power cut", 1);
        report.add("power cut that somebody outlived", outlived ? 1 : 0);
    }

    // ---- phases

    private void load() {
        Tidepool pool = open();
        load(pool);
        pool.close();
    }

    private void load(Tidepool pool) {
        table = PoolAccess.layout(pool.table(rows.schema(), 1));
        workload(pool, "loader", 0).load();
        loaded = true;
    }

    private void planCrashes() {
        for (int i = 0; i < options.crashes(); i++) {
            // The machines that replace dead ones have the numbers after the first ones; they may die too.
            int machine = workersStarted + random.nextInt(options.machines() + options.crashes());
            boolean opening = random.chance(1, 4);
            String strand = opening ? "m" + machine : "m" + machine + "." + random.nextInt(options.strands());
            long verb = random.nextLong(opening ? 300 : options.transactions() * 9L);
            simulation.crashMachineOf(strand, verb, random.nextBoolean() ? When.BEFORE : When.AFTER);
        }
    }

    /** Starts the machines, and a new one for each that died. */
    private void supervise() {
        Machine own = machines.getLast();
        if (nodes != null) nodes.care(protocols, () -> own.isDead() && areAllWorkersOver());
        Tidepool pool = open();
        lives++;
        workers.clear();
        if (losesPower()) goOn(pool);
        for (int i = 0; i < options.machines(); i++) start();
        planPauses();
        if (nodes != null) nodes.begin();
        while (true) {
            boolean over = true;
            for (Worker worker : List.copyOf(workers)) {
                if (worker.machine.isDead() && !worker.replaced) {
                    worker.replaced = true;
                    start();
                    if (random.nextBoolean()) pool.recoverAll(); // at once: its last verbs may be under way
                }
                over &= worker.isOver();
            }
            if (over) break;
            Waiting.pause(LOOK_NANOS);
        }
        pool.close();
        if (nodes != null) nodes.end();
    }

    private boolean areAllWorkersOver() {
        for (Worker worker : workers) if (!worker.machine.isDead() && !worker.isOver()) return false;
        return true;
    }

    /**
     * No other machine is at work: if opening has just repaired the pool, it is checked before any transaction changes
     * it.
     */
    private void goOn(Tidepool pool) {
        boolean repaired = !protocols.getLast().restarts.isEmpty();
        if (repaired && table != null) newCheck().checkObjects();
        report.add("checked after a restart", repaired && table != null ? 1 : 0);
        if (!loaded) load(pool);
    }

    private void planPauses() {
        for (int i = 0; i < options.pauses(); i++) {
            Machine machine = workers.get(random.nextInt(workers.size())).machine;
            long nanos = options.leaseNanos() + 1 + random.nextLong(200_000);
            simulation.at(simulation.nowNanos() + random.nextLong(1_000_000), () -> machine.pause(nanos));
        }
    }

    private void start() {
        int number = workersStarted++;
        Worker worker = new Worker(machine("m" + number, 2), number);
        workers.add(worker);
        simulation.start(worker.machine, "m" + number, () -> work(worker));
    }

    private void work(Worker worker) {
        Tidepool pool = open(() -> mayDieRecovering(worker.machine));
        pool.table(rows.schema(), 1);
        if (random.nextBoolean()) pool.recoverAll();
        worker.running = options.strands();
        worker.started = true;
        for (int s = 0; s < options.strands(); s++) {
            String name = "m" + worker.number + "." + s;
            int process = worker.number * 16 + s;
            simulation.start(worker.machine, name, () -> {
                StrandTxns workload = workload(pool, name, process + 1);
                Randomness own = simulation.randomness("recoverer " + process);
                for (int i = 0; i < options.transactions(); i++) {
                    workload.runOne();
                    if (own.chance(1, 20)) pool.recoverAll();
                }
                if (worker.running == 1) pool.close(); // others have ended
                worker.running--;
            });
        }
    }

    private void finish() {
        if (nodes != null) {
            nodes.care(protocols, () -> false);
            nodes.end();
        }
        Tidepool pool = open();
        while (PoolAccess.fabric(pool).control(0).sessions().length > 1) {
            pool.recoverAll();
            Waiting.pause(options.leaseNanos() + 1_000);
            if (simulation.nowNanos() > 20_000_000_000L)
                throw new ClusterFailure("sessions are left that nobody recovers: "
                        + Arrays.toString(PoolAccess.fabric(pool).control(0).sessions()));
        }
        // Before the sweep, which would overwrite whatever is wrong.
        newCheck().checkObjects();
        workload(pool, "last", 4096).sweep();
        if (options.workload() == Workload.DOCUMENTS) otherTables = Documents.otherTables(pool);
        if (options.workload() == Workload.ORDERED) otherTables = OrderedRows.otherTables(pool);
        pool.close();
    }

    private Tidepool open() {
        return open(() -> {});
    }

    private Tidepool open(Runnable onRecovery) {
        Protocol made = options.protocol().get();
        ObservedProtocol protocol = options.workload().grows()
                ? new ObservedProtocol(
                        made, new RecordedSplits(history, report, rows.schema().name()))
                : new ObservedProtocol(made);
        protocol.onRecovery(onRecovery);
        protocols.add(protocol);
        while (true) {
            try {
                Tidepool pool = nodes == null ? PoolAccess.open(fabric, poolOptions, protocol) : nodes.open(protocol);
                pools.add(pool);
                return pool;
            } catch (FabricException e) {
                report.add("opening failed", 1);
            }
        }
    }

    /** A machine that recovers another may die during the recovery. */
    private void mayDieRecovering(Machine machine) {
        if (recoverersToDie == 0 || !random.chance(1, 3)) return;
        recoverersToDie--;
        simulation.at(simulation.nowNanos() + random.nextLong(RECOVERY_NANOS), machine::crash);
    }

    private StrandTxns workload(Tidepool pool, String who, int process) {
        Randomness own = simulation.randomness("process " + process);
        if (rows instanceof Documents documents)
            return new DocumentTxns(options, documents, history, drafts, report, pool, own, who);
        if (rows instanceof OrderedRows ordered)
            return new OrderedTxns(options, ordered, history, report, pool, table, own, who);
        return new RandomTxns(options, history, report, pool, table, own, who);
    }

    private PoolCheck newCheck() {
        return newCheck(table, rows);
    }

    private PoolCheck newCheck(TableLayout of, JudgedRows read) {
        return nodes == null
                ? new PoolCheck(fabric, null, of, read)
                : new PoolCheck(nodes.pool(), nodes.roster(), of, read);
    }

    // ---- at the end

    private void check() {
        PoolCheck pool = newCheck();
        pool.check();
        SerialOrder order = new SerialOrder(
                history,
                key -> pool.bucketOf(rows.wordOf(key)),
                pool.versions(),
                pool.contents(),
                PromisedLevel.of(options.protocol().get()));
        order.check();
        checkMoved(pool);
        checkOthers();
        if (order.showsSkew()) report.add("write skew", 1);
        report.add("overflow bucket", pool.overflowBuckets());
        report.add("unknown that happened", order.unknownThatHappened());
        long open = 0;
        for (RecordedAttempt attempt : history.attempts()) if (attempt.end == RecordedAttempt.End.OPEN) open++;
        report.add("unknown that did not", open - order.unknownThatHappened());
    }

    /** Checks that a row whose object has another version than that of its writer was moved by a split. */
    private void checkMoved(PoolCheck pool) {
        int moved = 0;
        for (Map.Entry<Long, Long> object : pool.objects().entrySet()) {
            long writer = pool.versions().get(object.getKey());
            if (object.getValue() == writer) continue;
            moved++;
            RecordedAttempt by = history.find(object.getValue());
            if (by == null || by.split == null || by.end == RecordedAttempt.End.FAILED)
                throw new ClusterFailure(VersionedPlace.text(object.getKey()) + " of " + TxnId.text(writer)
                        + " was moved by no split, but by " + by);
        }
        report.add("row moved by a split", moved);
        report.add("bucket made by a split", pool.bornBuckets());
    }

    /** Checks the tables that the history does not judge, and that every part of a long value is that of one row. */
    private void checkOthers() {
        if (otherTables.isEmpty()) return;
        RowAudit audit = new RowAudit();
        List<TableLayout> all = new ArrayList<>(otherTables);
        all.add(table);
        for (TableLayout each : all) {
            PoolCheck check = newCheck(each, null);
            check.check();
            check.audit(audit);
            if (each != table) report.add("bucket of another table made by a split", check.bornBuckets());
        }
        if (!audit.problems().isEmpty()) throw new ClusterFailure("contents and indexes: " + audit.problems());
        report.add("part of a long value", audit.parts());
        report.add("entry of an index", audit.entries());
    }

    private void count() {
        report.add("run", 1);
        report.add("attempts", history.count());
        report.add("virtual micros", simulation.nowNanos() / 1000);
        report.add("machines replaced", workersStarted - (long) lives * options.machines());
        report.add(simulation.coverage());
        for (ObservedProtocol protocol : protocols) count(protocol);
        for (Tidepool pool : pools) report.addIndexes(pool.statistics().indexes());
        for (Tidepool pool : pools)
            for (AbortReason reason : AbortReason.values())
                report.add("abort " + reason, pool.statistics().aborts(reason));
        report.traceHash(simulation.traceHash());
    }

    private void count(ObservedProtocol protocol) {
        for (Recovery.Report recovery : protocol.recoveries) report.add(recovery);
        report.add("recoverer died", protocol.begun - protocol.recoveries.size() - protocol.busy);
        report.add("recovery busy", protocol.busy);
        for (Recovery.Restart restart : protocol.restarts) report.add(restart);
        for (Reconfiguration.Report change : protocol.changes) report.add(change);
        report.add("change cut off", protocol.changesBegun - protocol.changes.size());
        report.add("restart cut off", protocol.restartsBegun - protocol.restarts.size() - protocol.restartsBusy);
        for (Coordinator coordinator : protocol.coordinators) {
            if (!(coordinator instanceof RecordCoordinator records)) continue;
            report.add("read torn", records.counts().tornReads);
            report.add("read marked", records.counts().markedReads);
            report.add("read locked", records.counts().lockedReads);
            report.add("read past a lock", records.counts().passedLocks);
            report.add("read from a backup", records.counts().backupReads);
            if (coordinator instanceof FordLvCoordinator lv) report.add(lv.versionCounts());
            if (coordinator instanceof MotorCoordinator motor) report.add("timestamp shared", motor.sharedTimestamps());
            if (coordinator instanceof HdtxCoordinator hdtx) report.add(hdtx.hdtxCounts());
        }
    }
}
