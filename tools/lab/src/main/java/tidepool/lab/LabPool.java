package tidepool.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.protocol.time.CounterTimestamps;
import tidepool.sim.Adversary;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.ObjectLayout;
import tidepool.store.PoolOptions;
import tidepool.store.RowFormat;
import tidepool.store.SlotTrailer;
import tidepool.store.TableLayout;
import tidepool.store.TxnId;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;
import tidepool.workload.measured.MeasuredWorkload;
import tidepool.workload.measured.TableSpec;

/** A simulated pool with its rows and coordinators, in the warm state after the first seconds of a run. */
final class LabPool implements AutoCloseable {
    /** The log bytes of one transaction: of TPC-C, which delivers ten orders at once, and of the others. */
    static final long LARGE_LOG_BYTES = 128 * 1024;

    private static final long LOG_BYTES = 16 * 1024;
    private static final int FEW_TABLES = 5;
    private static final String OWNS_TABLES = "ford-lv";
    private static final int ROWS_PER_WARMING = 100;

    final Setup setup;
    private final Protocol protocol;
    final Simulation simulation;
    final SimFabric fabric;
    final List<TableLayout> tables;
    final List<RecordCoordinator> coordinators = new ArrayList<>();
    private final List<long[]> rows = new ArrayList<>(); // by table number; only where they have to be warmed
    private final List<Integer> rowCounts = new ArrayList<>();

    LabPool(Setup setup) {
        this.setup = setup;
        this.protocol = LabProtocols.named(setup.protocol());
        this.tables = lay(setup);
        this.simulation = new Simulation(setup.seed());
        this.fabric = new SimFabric(simulation, setup.nodes(), setup.profile().costs(), Adversary.NONE);
        simulation.start(simulation.machine("compute", 1), "setup", this::open);
        simulation.run();
    }

    private static List<TableLayout> lay(Setup setup) {
        return lay(setup.protocol(), setup.workload(), partitions(setup), setup.homes()::get);
    }

    /** Returns the bytes of a pool on all nodes together, without logs. */
    static long bytes(Setup setup) {
        return partitionBytes(lay(setup)) * partitions(setup) * setup.nodes();
    }

    private static long partitionBytes(List<TableLayout> tables) {
        long max = 0;
        for (TableLayout table : tables) max = Math.max(max, table.base() + table.areaBytes());
        return (max + 64 * 1024) & -64;
    }

    /**
     * Lays out the tables of a workload, those of each partition one after the other.
     *
     * @param homes the partition of each table, by its number from 0
     */
    static List<TableLayout> lay(String name, MeasuredWorkload workload, int partitions, IntUnaryOperator homes) {
        Protocol protocol = LabProtocols.named(name);
        List<TableLayout> laid = new ArrayList<>();
        boolean everywhere = name.startsWith(OWNS_TABLES); // it has words of each table in every partition
        long[] ends = new long[partitions];
        Arrays.fill(ends, 64);
        for (TableSpec spec : workload.tables()) {
            int home = homes.applyAsInt(laid.size());
            int room = everywhere ? 0 : home;
            RowFormat format = protocol.rows(spec.schema());
            int slots = Math.clamp(1024 / ObjectLayout.bytes(format.contentBytes()), 2, 8);
            int buckets = (int) Math.max(1, (spec.rows() * 3 / 2 + slots - 1) / slots);
            TableLayout table = new TableLayout(
                            laid.size() + 1,
                            spec.schema(),
                            partitions,
                            buckets,
                            slots,
                            Math.max(4, buckets / 4),
                            ends[room],
                            format,
                            SlotTrailer.bytes(name))
                    .within(home);
            laid.add(table);
            ends[room] = (table.base() + table.areaBytes() + 63) & -64;
        }
        return laid;
    }

    /** Returns the number of partitions: one if all tables have one home. */
    private static int partitions(Setup setup) {
        return setup.homes().stream().allMatch(home -> home == 0) ? 1 : setup.nodes();
    }

    private void open() {
        PoolOptions options = new PoolOptions(
                protocol.name(),
                setup.nodes(),
                partitions(setup),
                partitionBytes(tables),
                setup.maxCoordinators(),
                tables.size() > FEW_TABLES ? LARGE_LOG_BYTES : LOG_BYTES);
        Session session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, options, protocol.flush());
        TxnCounter counters = new TxnCounter();
        if (setup.profile().logsInDram())
            for (int node = 0; node < setup.nodes(); node++) fabric.keepInDram(node, catalog.logRegion(node));
        for (int i = 0; i < setup.maxCoordinators(); i++) {
            RecordCoordinator made = (RecordCoordinator) protocol.coordinator(session, catalog, counters);
            made.keepTables(); // those of the papers do not grow
            if (i > 0) made.shareAddresses(coordinators.getFirst());
            coordinators.add(made);
        }
        long writer = TxnId.of(session.number(), counters.block());
        boolean caches = protocol.name().equals(OWNS_TABLES);
        for (int i = 0; i < tables.size(); i++) {
            rows.add(new long[caches ? 1024 : 0]);
            rowCounts.add(0);
        }
        RecordCoordinator first = coordinators.getFirst();
        BulkLoader loader =
                new BulkLoader(fabric, catalog, tables, writer, firstStamp(first), (table, key, pointer) -> {
                    first.addresses(table).put(key, pointer);
                    if (caches) remember(table.id() - 1, key);
                });
        setup.workload().load(loader, 0, 1);
        loader.end();
        if (caches) warmVersions();
        rows.clear();
    }

    /** Returns a timestamp with which initial rows are in every snapshot. */
    static long firstStamp(RecordCoordinator coordinator) {
        Round round = coordinator.lane().round(1);
        CounterTimestamps timestamps = new CounterTimestamps(coordinator.lane(), coordinator.pool());
        timestamps.take(round);
        round.post().await();
        return timestamps.taken();
    }

    private void remember(int table, long key) {
        int count = rowCounts.get(table);
        if (count == rows.get(table).length) rows.set(table, Arrays.copyOf(rows.get(table), 2 * count));
        rows.get(table)[count] = key;
        rowCounts.set(table, count + 1);
    }

    /** Reads every row once for the session that owns all tables, so that its Vcache holds every version. */
    private void warmVersions() {
        RecordCoordinator first = coordinators.getFirst();
        for (int t = 0; t < tables.size(); t++) {
            int count = rowCounts.get(t);
            if (count == 0) continue;
            Txn owner = first.begin();
            owner.update(tables.get(t), rows.get(t)[0]);
            require(owner);
            for (int from = 0; from < count; from += ROWS_PER_WARMING) {
                Txn reader = first.begin();
                for (int i = from; i < Math.min(count, from + ROWS_PER_WARMING); i++)
                    reader.read(tables.get(t), rows.get(t)[i]);
                require(reader);
            }
        }
    }

    private static void require(Txn txn) {
        if (txn.commit() != Outcome.COMMITTED)
            throw new IllegalStateException("nobody else works, and yet: " + txn.abortReason());
    }

    /**
     * Returns a machine with this number of cores. All cores send through the network card of the one compute machine.
     */
    Machine cores(int threads) {
        return simulation.machine("threads " + threads, threads);
    }

    @Override
    public void close() {
        simulation.close();
    }
}
