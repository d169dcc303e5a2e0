package tidepool.endurance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;

/**
 * A very long run on one pool in the simulator with a bounded set of keys. Rows are changed, deleted and inserted
 * again; only the number of updates may grow. Between stretches all strands rest and everything is counted: the bytes
 * of all regions, overflow buckets, slots with rows and with tombstones, versions and deltas, landing memory and
 * address caches of the coordinators. There are never more overflow buckets than each chain needs when all its keys
 * exist at once, and each of them holds a row: a bucket that becomes empty is freed.
 */
public final class Endurance {
    private static final int NODES = 2;
    private static final int PARTITIONS = 2;
    private static final Schema SCHEMA = Schema.parse("row(balance:long, count:int, owner:long, note:bytes[24])")
            .withUpdates("6 balance+count, 1 balance+count+note, 1 balance+count+owner");

    private final EnduranceOptions options;
    private final Simulation simulation;
    private final SimFabric fabric;
    private final List<String> faults = new ArrayList<>();
    private final List<RecordCoordinator> coordinators = new ArrayList<>();
    private final List<EnduranceStrand> strands = new ArrayList<>();
    private Session session;
    private Catalog catalog;
    private TableLayout table;
    private MemoryCensus first;
    private MemoryCensus last;

    /**
     * Result of a run.
     *
     * @param updates of committed transactions
     * @param aborts attempts that conflicted with another transaction
     * @param expectedOverflow buckets that the keys need in addition to the table's own
     * @param census the last count
     * @param faults what grew, or is wrong; empty if nothing is
     */
    public record Report(
            long updates, long deletes, long aborts, long expectedOverflow, MemoryCensus census, List<String> faults) {}

    private Endurance(EnduranceOptions options, Simulation simulation) {
        this.options = options;
        this.simulation = simulation;
        this.fabric = new SimFabric(simulation, NODES, CostProfile.named("cx5"), Adversary.NONE);
    }

    /** Runs to the end, or until something is wrong; {@code progress} is called after each stretch. */
    public static Report run(EnduranceOptions options, Consumer<String> progress) {
        try (Simulation simulation = new Simulation(options.seed())) {
            return new Endurance(options, simulation).run(progress);
        }
    }

    private Report run(Consumer<String> progress) {
        alone("setup", this::open);
        for (int i = 1; i <= options.stretches() && faults.isEmpty(); i++) {
            work(options.updates() * i / options.stretches());
            if (faults.isEmpty()) alone("count" + i, this::count);
            progress.accept(updates() + " updates: " + (faults.isEmpty() ? "nothing grew" : faults.getFirst()));
        }
        return new Report(
                updates(),
                strands.stream().mapToLong(EnduranceStrand::deletes).sum(),
                strands.stream().mapToLong(EnduranceStrand::aborts).sum(),
                expectedOverflow(),
                last,
                List.copyOf(faults));
    }

    private void alone(String name, Runnable body) {
        simulation.start(simulation.machine(name, 1), name, body);
        simulation.run();
    }

    private void open() {
        Protocol protocol = options.protocol().get();
        session = fabric.attach();
        long bytes = 64 * 1024 + options.keys() * 4096L;
        PoolOptions pool = new PoolOptions(protocol.name(), NODES, PARTITIONS, bytes, options.strands() + 1, 32 * 1024);
        catalog = Catalog.open(fabric, session, pool, protocol.flush()).withRows(protocol::rows);
        table = catalog.table(SCHEMA, options.keys());
        TxnCounter counters = new TxnCounter();
        for (int i = 0; i < options.strands(); i++) {
            coordinators.add((RecordCoordinator) protocol.coordinator(session, catalog, counters));
            coordinators.get(i).keepTables(); // the census compares memory that does not grow
            strands.add(new EnduranceStrand(
                    coordinators.get(i),
                    table,
                    i,
                    options.strands(),
                    options.keys(),
                    simulation.randomness("tenant " + i)));
        }
        for (EnduranceStrand strand : strands) strand.moveIn();
    }

    /** Lets all strands work until their updates add up to this number. */
    private void work(long until) {
        for (int i = 0; i < strands.size(); i++) {
            EnduranceStrand strand = strands.get(i);
            simulation.start(simulation.machine("machine " + i + " to " + until, 1), "tenant " + i, () -> {
                try {
                    strand.work(until / strands.size());
                } catch (StoreException e) {
                    faults.add(e.getMessage());
                }
            });
        }
        simulation.run();
        for (EnduranceStrand strand : strands) faults.addAll(strand.faults());
    }

    /** Counts the memory. The first count is the reference: in it everything has reached its size. */
    private void count() {
        last = MemoryCensus.of(fabric, session, catalog, table, coordinators);
        if (first == null) first = last;
        long rows = strands.stream().mapToLong(EnduranceStrand::rows).sum();
        faults.addAll(last.faults(first, table, rows, expectedOverflow()));
    }

    private long updates() {
        return strands.stream().mapToLong(EnduranceStrand::updates).sum();
    }

    /** Returns, summed over all chains, the buckets that all keys of a chain fill, less its first bucket. */
    private long expectedOverflow() {
        Map<Long, Integer> chains = new HashMap<>();
        for (long key = 0; key < options.keys(); key++) chains.merge(table.home(key), 1, Integer::sum);
        long overflow = 0;
        for (int keys : chains.values()) overflow += (keys - 1) / table.slots();
        return overflow;
    }
}
