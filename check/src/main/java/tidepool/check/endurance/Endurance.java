package tidepool.check.endurance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tidepool.fabric.Session;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.RecordCoordinator;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableInfo;
import tidepool.store.schema.Schema;

/**
 * One pool in the simulator that is used for very long on a bounded set of keys. Rows are changed, deleted and
 * inserted again; all that may grow is the number of updates. Between stretches everybody rests and everything is
 * counted: the bytes of all regions, overflow buckets, slots with rows and with tombstones, versions and deltas,
 * landing memory and address caches of the coordinators. Overflow buckets are never more than each chain needs when
 * all its keys are there at once, and each of them holds a row: one that becomes empty is given back.
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
    private final List<Tenant> tenants = new ArrayList<>();
    private Session session;
    private Catalog catalog;
    private TableInfo table;
    private Stock first;
    private Stock last;

    /**
     * What came of a run.
     *
     * @param updates of committed transactions
     * @param aborts attempts that were in somebody's way
     * @param expectedOverflow buckets that the keys need besides the table's own
     * @param stock the last one
     * @param faults what grew, or was not as it should be; empty if all is well
     */
    public record Report(
            long updates, long deletes, long aborts, long expectedOverflow, Stock stock, List<String> faults) {}

    private Endurance(EnduranceOptions options, Simulation simulation) {
        this.options = options;
        this.simulation = simulation;
        this.fabric = new SimFabric(simulation, NODES, CostProfile.named("cx5"), Adversary.NONE);
    }

    /** Runs to the end, or until something is wrong; {@code progress} is told after each stretch. */
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
                tenants.stream().mapToLong(Tenant::deletes).sum(),
                tenants.stream().mapToLong(Tenant::aborts).sum(),
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
            tenants.add(new Tenant(
                    coordinators.get(i),
                    table,
                    i,
                    options.strands(),
                    options.keys(),
                    simulation.randomness("tenant " + i)));
        }
        for (Tenant tenant : tenants) tenant.moveIn();
    }

    /** Everybody works until all together have done so many updates. */
    private void work(long until) {
        for (int i = 0; i < tenants.size(); i++) {
            Tenant tenant = tenants.get(i);
            simulation.start(simulation.machine("machine " + i + " to " + until, 1), "tenant " + i, () -> {
                try {
                    tenant.work(until / tenants.size());
                } catch (StoreException e) {
                    faults.add(e.getMessage());
                }
            });
        }
        simulation.run();
        for (Tenant tenant : tenants) faults.addAll(tenant.faults());
    }

    /** The first count is that of a pool in which everything has its size. */
    private void count() {
        last = Stock.of(fabric, session, catalog, table, coordinators);
        if (first == null) first = last;
        long rows = tenants.stream().mapToLong(Tenant::rows).sum();
        faults.addAll(last.faults(first, table, rows, expectedOverflow()));
    }

    private long updates() {
        return tenants.stream().mapToLong(Tenant::updates).sum();
    }

    /** Of each chain: as many buckets as all its keys fill, less its first. */
    private long expectedOverflow() {
        Map<Long, Integer> chains = new HashMap<>();
        for (long key = 0; key < options.keys(); key++) chains.merge(table.home(key), 1, Integer::sum);
        long overflow = 0;
        for (int keys : chains.values()) overflow += (keys - 1) / table.slots();
        return overflow;
    }
}
