package tidepool.workload.recorded;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.fabric.FabricException;
import tidepool.history.HistoryRecorder;
import tidepool.protocol.Protocol;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.workload.RecordedWorkload;

/**
 * A run on machines of the simulator, under an adversary that reorders, tears and delays. Some machines die between two
 * events and are replaced. Everything follows from the seed, the bytes of the history included.
 */
final class SimulatedRun {
    private static final int NODES = 3;
    private static final int CORES = 2;
    private static final long LEASE_NANOS = 20_000;
    private static final long LOOK_NANOS = 2_000;

    /** Longer than any verb is flying, so no live strand gives up. */
    private static final long PATIENCE_NANOS = 50_000_000;

    /** The last machine dies when this part of the work is done, so that its replacement works, too. */
    private static final double LAST_DEATH = 0.8;

    /** The limit in virtual time; recovery takes far less. */
    private static final long RECOVERY_NANOS = 20_000_000_000L;

    private static final long SHOWN_EVERY = 1000;

    private final RecordedOptions options;
    private final Supplier<Protocol> protocol;
    private final Path history;
    private final ProgressLine line;
    private final RunProgress progress;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Tidepool> pools = new ArrayList<>();
    private Simulation simulation;
    private SimFabric fabric;
    private WorkloadSpec spec;
    private RecordedWorkload.Pen pen;
    private Randomness fate;
    private long index;
    private long processes;
    private long begun;
    private long startNanos;
    private double seconds;
    private int killed;

    /** A machine that works or has worked. */
    private static final class Worker {
        final Machine machine;
        final List<RecordedWorkload.Client> clients = new ArrayList<>();
        int running = -1;
        boolean replaced;

        Worker(Machine machine) {
            this.machine = machine;
        }

        boolean isOver() {
            return machine.isDead() ? replaced : running == 0;
        }
    }

    SimulatedRun(RecordedOptions options, Supplier<Protocol> protocol, Path folder, ProgressLine line) {
        this.options = options;
        this.protocol = protocol;
        this.history = folder.resolve("history.jsonl");
        this.line = line;
        this.progress = new RunProgress(options.workload());
    }

    Ended run() throws IOException {
        try (Simulation world = new Simulation(options.seed());
                HistoryRecorder recorder = new HistoryRecorder(
                        new BufferedOutputStream(Files.newOutputStream(history)), () -> index++, world::nowNanos)) {
            simulation = world;
            CostProfile costs = CostProfile.named("cx5").withLease(LEASE_NANOS).withDeadline(PATIENCE_NANOS);
            fabric = new SimFabric(world, NODES, costs, ClusterOptions.DEATHS);
            fate = world.randomness("deaths");
            pen = new RecordedWorkload.Pen(recorder, () -> processes++);
            world.start(world.machine("loader", 1), "loader", this::load);
            world.run();
            startNanos = world.nowNanos();
            world.start(world.machine("supervisor", 1), "supervisor", this::supervise);
            long allocated = ClientThreads.allocatedBytes();
            world.run();
            progress.eventCounts.add(ClientThreads.ALLOCATED, ClientThreads.allocatedBytes() - allocated);
            seconds = (world.nowNanos() - startNanos) / 1e9;
            line.end();
            long before = recorder.oks();
            world.start(world.machine("reader", 1), "reader", this::finish);
            world.run();
            for (Worker worker : workers)
                for (RecordedWorkload.Client client : worker.clients) {
                    progress.tally.add(client.tally());
                    progress.eventCounts.add(client.eventCounts());
                }
            for (Tidepool pool : pools) progress.addAborts(pool);
            int dead = (int)
                    workers.stream().filter(worker -> worker.machine.isDead()).count();
            return new Ended(progress, seconds, List.of(), dead, recorder.oks() - before, List.of(history));
        }
    }

    // ---- strands

    private void load() {
        Tidepool pool = open();
        spec = options.spec(options.workload());
        spec.open(pool);
        pool.close();
    }

    /** Starts the machines, lets some die, and starts a new one for each that died. */
    private void supervise() {
        Tidepool pool = open();
        for (int i = 0; i < options.processes(); i++) start();
        boolean over = false;
        while (!over) {
            Waiting.pause(LOOK_NANOS);
            over = true;
            for (Worker worker : List.copyOf(workers)) {
                if (worker.machine.isDead() && !worker.replaced) {
                    worker.replaced = true;
                    start();
                }
                over &= worker.isOver();
            }
            if (!over && killed < options.kills() && part() >= LAST_DEATH * (killed + 1) / options.kills()) killOne();
            over &= workers.stream().allMatch(Worker::isOver);
        }
        pool.recoverAll();
        pool.close();
    }

    private void start() {
        int number = workers.size();
        Worker worker = new Worker(simulation.machine("m" + number, CORES));
        workers.add(worker);
        simulation.start(worker.machine, "m" + number, () -> work(worker, number));
    }

    private void work(Worker worker, int number) {
        Tidepool pool = open();
        RecordedWorkload workload = spec.open(pool);
        workload.recordPool(pen);
        Randomness random = simulation.randomness("machine " + number);
        for (int i = 0; i < options.threads(); i++)
            worker.clients.add(workload.client(pen, random.fork("client " + i)));
        worker.running = options.threads();
        for (RecordedWorkload.Client client : worker.clients)
            simulation.start(worker.machine, "m" + number + "." + worker.clients.indexOf(client), () -> {
                while (goesOn()) client.next();
                if (worker.running == 1) pool.close(); // the others have ended
                worker.running--;
            });
    }

    private boolean goesOn() {
        if (part() >= 1) return false;
        if (begun++ % SHOWN_EVERY == 0) line.show((simulation.nowNanos() - startNanos) / 1e9, commits(), killed);
        return true;
    }

    private long commits() {
        long sum = 0;
        for (Worker worker : workers)
            for (RecordedWorkload.Client client : worker.clients)
                sum += client.tally().commits();
        return sum;
    }

    /** Returns the part of the work that is done. */
    private double part() {
        return options.transactions() > 0
                ? (double) begun / options.transactions()
                : (simulation.nowNanos() - startNanos) / 1e9 / options.seconds();
    }

    /** Kills a working machine, a little later, between two events. */
    private void killOne() {
        List<Worker> candidates = new ArrayList<>(workers);
        candidates.removeIf(worker -> worker.machine.isDead() || worker.running <= 0);
        if (candidates.size() < 2) return; // one has to survive
        Machine victim = fate.pick(candidates).machine;
        killed++;
        simulation.at(simulation.nowNanos() + fate.nextLong(LOOK_NANOS), victim::crash);
    }

    private void finish() {
        Tidepool pool = open();
        long deadline = simulation.nowNanos() + RECOVERY_NANOS;
        while (fabric.control(0).sessions().length > 1) {
            if (simulation.nowNanos() > deadline)
                throw new IllegalStateException("sessions are left that nobody recovers");
            pool.recoverAll();
            Waiting.pause(LEASE_NANOS);
        }
        progress.eventCounts.add(spec.open(pool).readAll(pen));
        pool.close();
    }

    private Tidepool open() {
        PoolOptions d = PoolOptions.defaults();
        Protocol mine = protocol.get();
        PoolOptions layout =
                new PoolOptions(mine.name(), 2, 0, options.partitionBytes(), d.coordinators(), d.logSlotBytes());
        while (true) {
            try {
                Tidepool pool = PoolAccess.open(fabric, layout, mine);
                pools.add(pool);
                pool.setListener(progress.recoveries);
                return pool;
            } catch (FabricException e) {
                Waiting.pause(LOOK_NANOS);
            }
        }
    }
}
