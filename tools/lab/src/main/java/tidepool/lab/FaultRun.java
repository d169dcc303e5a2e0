package tidepool.lab;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import tidepool.Tidepool;
import tidepool.Worker;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.RowFormat;
import tidepool.store.SlotTrailer;
import tidepool.store.StoreException;
import tidepool.store.TableGeometry;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.PoolRows;
import tidepool.workload.measured.PoolTables;
import tidepool.workload.measured.TableSpec;
import tidepool.workload.measured.WorkloadClient;

/**
 * A run of a pool in which a part fails, with the commits of each millisecond. All parts are real. Coordinators are
 * workers of pools that were opened as applications open them, and they recover the dead session that they meet. A
 * steward takes a dead memory node out, and has the spare one filled while they work. Aborted transactions are retried.
 */
final class FaultRun implements Measurement {
    /** The part that fails. */
    enum Fault {
        /** The machine of 60 of the 84 coordinators (Motor §7.9). Others replace them when its lease has expired. */
        COORDINATORS,
        /** The memory node with the primaries. */
        PRIMARY,
        /** A memory node with backups. */
        BACKUP
    }

    /**
     * The observed time in milliseconds.
     *
     * @param before from the first counted millisecond to the fault
     * @param after from the fault to the end
     */
    record Length(int before, int after) {}

    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final long WARM_NANOS = 2 * Timeline.MILLI;
    private static final long LOOK_NANOS = 50_000;
    private static final int REPLICAS = 3;
    private static final int COORDINATORS_OF_A_THREAD = 3;
    private static final int THREADS = 28;
    private static final int THREADS_THAT_DIE = 20;

    /** Coordinators that die, their replacements, and those that fill copies. */
    private static final int PLACES = (THREADS + THREADS_THAT_DIE) * COORDINATORS_OF_A_THREAD + 4;

    private final String series;
    private final Fault fault;
    private final Length length;
    private final MeasuredWorkload workload;
    private final String protocol;
    private final LabProfile profile;
    private final long seed;
    private final long[] book;
    private final Timeline timeline;
    private final FaultNotes notes;
    private List<String> wrong = List.of();

    private Simulation simulation;
    private SimFabric fabric;
    private Machine dying;
    private SimRosters rosters;
    private PoolOptions options;
    private long end = Long.MAX_VALUE; // unknown before all coordinators are ready
    private int ready;
    private int clients;
    private int working;
    private boolean checks;

    FaultRun(
            String series,
            Fault fault,
            Length length,
            MeasuredWorkload workload,
            String protocol,
            LabProfile profile,
            long seed) {
        this.series = series;
        this.fault = fault;
        this.length = length;
        this.workload = workload;
        this.protocol = protocol;
        this.profile = profile;
        this.seed = seed;
        this.timeline = new Timeline(length.before + length.after, new Load(THREADS, COORDINATORS_OF_A_THREAD));
        this.notes = new FaultNotes(series);
        this.book = new long[workload.books().size()];
    }

    @Override
    public long bytes() {
        return (MotorPaper.NODES + 1) * partitionBytes();
    }

    @Override
    public String series() {
        return series;
    }

    /** Returns a point for each millisecond. The fault is {@link Length#before} milliseconds after the first. */
    @Override
    public List<Results.Point> run() {
        play();
        return points();
    }

    /** Returns the counted points. */
    List<Results.Point> points() {
        return timeline.points();
    }

    @Override
    public List<String> notes() {
        return notes.all();
    }

    /** Runs without points. Returns the findings of the workload's own check afterwards, when no transaction runs. */
    List<String> runAndCheck() {
        checks = true;
        play();
        return wrong;
    }

    private void play() {
        LOG.setLevel(Level.SEVERE); // failures are intended here
        try (Simulation made = new Simulation(seed)) {
            simulation = made;
            CostProfile costs = profile.costs();
            fabric = new SimFabric(simulation, MotorPaper.NODES + 1, costs, Adversary.NONE);
            rosters = new SimRosters(fabric, 1, 1, REPLICAS, costs.timeouts().leaseNanos());
            options =
                    new PoolOptions(protocol().name(), REPLICAS, 1, partitionBytes(), PLACES, LabPool.LARGE_LOG_BYTES);
            simulation.start(simulation.machine("loader", 1), "loader", this::load);
            simulation.run();
            startAll();
            simulation.run();
            if (!checks) return;
            simulation.start(simulation.machine("checker", 1), "checker", this::check);
            simulation.run();
        }
    }

    private Protocol protocol() {
        return LabProtocols.named(protocol);
    }

    /** Returns the size of the tables, which the catalog lays out one after the other. */
    private long partitionBytes() {
        long bytes = 1 << 20;
        for (TableSpec spec : workload.tables()) {
            RowFormat rows = protocol().rows(spec.schema());
            TableLayout table = TableGeometry.lay(
                    1,
                    spec.schema(),
                    spec.rows(),
                    1,
                    64,
                    rows,
                    SlotTrailer.bytes(protocol().name()));
            bytes += table.areaBytes() + 64;
        }
        return bytes & -64;
    }

    private Tidepool open() {
        return PoolAccess.open(rosters.client(), options, protocol());
    }

    private void load() {
        try (Tidepool pool = open()) {
            List<TableLayout> tables = PoolTables.open(pool, workload);
            SimFabric members = rosters.showing(rosters.now());
            try (Session session = members.attach()) {
                Protocol made = protocol();
                Catalog catalog = Catalog.open(members, session, options, made.flush(), rosters.now());
                TxnCounter counters = new TxnCounter();
                RecordCoordinator coordinator = (RecordCoordinator) made.coordinator(session, catalog, counters);
                long writer = TxnId.of(session.number(), counters.block());
                BulkLoader loader = new BulkLoader(
                        members, catalog, tables, writer, LabPool.firstStamp(coordinator), (_, _, _) -> {});
                workload.load(loader, 0, 1);
                loader.end();
                coordinator.close();
            }
        }
    }

    // ---- strands

    private void startAll() {
        simulation.start(simulation.machine("steward", 1), "steward", this::tend);
        if (fault == Fault.COORDINATORS) {
            compute("compute", THREADS - THREADS_THAT_DIE);
            dying = compute("dying", THREADS_THAT_DIE);
        } else compute("compute", THREADS);
    }

    /** Called when all coordinators are ready. From here on the time of the fault is known. */
    private void allReady() {
        long begin = simulation.nowNanos() + WARM_NANOS;
        long at = begin + length.before * Timeline.MILLI;
        end = timeline.begin(begin);
        notes.begin(simulation, at);
        if (fault == Fault.COORDINATORS) {
            simulation.at(at, dying::crash);
            long noticed = at + profile.costs().timeouts().leaseNanos();
            simulation.at(noticed, () -> compute("new", THREADS_THAT_DIE));
            return;
        }
        int node = fault == Fault.PRIMARY ? 0 : MotorPaper.NODES - 1;
        simulation.at(at, () -> rosters.crash(node));
    }

    /** Starts a machine with its process, which opens the pool. Then its coordinators begin. */
    private Machine compute(String name, int threads) {
        Machine machine = simulation.machine(name, threads);
        int first = clients;
        int count = threads * COORDINATORS_OF_A_THREAD;
        clients += count;
        working++;
        simulation.start(machine, name, () -> {
            Tidepool pool = open();
            pool.setListener(notes.ofRecoveries());
            List<TableLayout> tables = PoolTables.open(pool, workload);
            int[] left = {count};
            for (int i = 0; i < count; i++) {
                WorkloadClient client = workload.client(tables, first + i, PLACES, seed);
                simulation.start(machine, name + "." + i, () -> {
                    work(pool, client);
                    if (--left[0] > 0) return;
                    pool.close();
                    working--;
                });
            }
        });
        return machine;
    }

    private void work(Tidepool pool, WorkloadClient client) {
        ChargedTxn charged = new ChargedTxn(profile.coordinator());
        Worker.Work attempt = txn -> {
            boolean wanted = client.run(charged.of(txn));
            if (wanted) charged.chargeCommit();
            return wanted;
        };
        try (Worker worker = pool.worker()) {
            if (++ready == THREADS * COORDINATORS_OF_A_THREAD) allReady();
            while (simulation.nowNanos() < end) {
                client.draw();
                long started = simulation.nowNanos();
                boolean committed = worker.transact(attempt);
                if (committed) client.committed();
                else client.gaveUp();
                if (committed && !client.missed()) timeline.count(started, simulation.nowNanos(), worker.attempts());
            }
        }
        for (int i = 0; i < book.length; i++) book[i] += client.book()[i];
    }

    /** Maintains the memory nodes, as a thread of every process does outside of simulations. */
    private void tend() {
        Steward steward = new Steward(rosters.client(), options, protocol());
        steward.setListener(notes.ofNodes());
        int neverEnd = fault == Fault.COORDINATORS ? 1 : 0;
        while (working > neverEnd || checks && rosters.now().isFilling()) {
            try {
                if (steward.tend()) continue;
            } catch (FabricException | StoreException _) {
                // The loop tries again until it succeeds: the node that was asked may be the one that has just died.
            }
            Waiting.pause(LOOK_NANOS);
        }
    }

    // ---- results

    private void check() {
        try (Tidepool pool = open()) {
            pool.recoverAll();
            wrong = PoolRows.check(pool, PoolTables.open(pool, workload), workload, book);
        }
    }
}
