package tidepool.endurance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.store.TableUsage;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A long run on one table in the simulator that holds half of the rows it was made for. Fresh keys are inserted and old
 * keys deleted without end, so chains grow and shrink one after the other. A bucket that no chain needs any more has to
 * be freed, otherwise the table would become full.
 */
public final class Churn {
    private static final int NODES = 2;
    private static final int PARTITIONS = 2;
    private static final int STRANDS = 2;
    private static final int MAX_LOOKS = 16;
    private static final long PAUSE_NANOS = 2_000;
    private static final Schema SCHEMA = Schema.parse("row(value:long)");

    private final Supplier<Protocol> protocol;
    private final Simulation simulation;
    private final SimFabric fabric;
    private final int capacity;
    private final List<String> faults = new ArrayList<>();
    private final List<Coordinator> coordinators = new ArrayList<>();
    private final List<Deque<Long>> living = new ArrayList<>();
    private Session session;
    private Catalog catalog;
    private TableLayout table;
    private TableUsage use;
    private long inserts;
    private long next;

    /**
     * Result of a run.
     *
     * @param inserts rows that were inserted
     * @param longest maximum number of overflow buckets that were in chains at once, of the moments that were checked
     * @param use of the table at the end
     * @param faults descriptions of what is wrong; empty if nothing is
     */
    public record Report(long inserts, long longest, TableUsage use, List<String> faults) {}

    private Churn(Supplier<Protocol> protocol, Simulation simulation, int capacity) {
        this.protocol = protocol;
        this.simulation = simulation;
        this.capacity = capacity;
        this.fabric = new SimFabric(simulation, NODES, CostProfile.named("cx5"), Adversary.NONE);
    }

    /**
     * Runs until this number of rows was inserted, or something is wrong.
     *
     * @param capacity rows that the table is made for; half as many are in it
     */
    public static Report run(Supplier<Protocol> protocol, long seed, int capacity, long inserts) {
        try (Simulation simulation = new Simulation(seed)) {
            return new Churn(protocol, simulation, capacity).run(inserts);
        }
    }

    private Report run(long most) {
        alone("setup", this::open);
        long longest = 0;
        for (int look = 1; look <= MAX_LOOKS && faults.isEmpty(); look++) {
            long until = most * look / MAX_LOOKS;
            for (int i = 0; i < STRANDS; i++) {
                int strand = i;
                simulation.start(
                        simulation.machine("machine " + i + " " + look, 1), "strand " + i, () -> work(strand, until));
            }
            simulation.run();
            alone("look " + look, this::look);
            longest = Math.max(longest, use.overflowBuckets());
        }
        return new Report(inserts, longest, use, List.copyOf(faults));
    }

    private void alone(String name, Runnable body) {
        simulation.start(simulation.machine(name, 1), name, body);
        simulation.run();
    }

    private void open() {
        Protocol made = protocol.get();
        session = fabric.attach();
        PoolOptions options =
                new PoolOptions(made.name(), NODES, PARTITIONS, 64 * 1024 + capacity * 2048L, STRANDS + 1, 16 * 1024);
        catalog = Catalog.open(fabric, session, options, made.flush()).withRows(made::rows);
        table = catalog.table(SCHEMA, capacity);
        TxnCounter counters = new TxnCounter();
        for (int i = 0; i < STRANDS; i++) {
            coordinators.add(made.coordinator(session, catalog, counters));
            living.add(new ArrayDeque<>());
        }
    }

    /** Inserts and deletes rows of this strand only; it shares heads and counts with the other strand. */
    private void work(int strand, long until) {
        Randomness random = simulation.randomness("strand " + strand + " to " + until);
        Deque<Long> mine = living.get(strand);
        try {
            while (inserts < until && faults.isEmpty()) {
                int coming = 1 + random.nextInt(4);
                List<Long> come = new ArrayList<>();
                for (int i = 0; i < coming; i++) come.add(next++);
                List<Long> go = new ArrayList<>();
                while (mine.size() + coming - go.size() > capacity / 2 / STRANDS) go.add(leaver(mine, random));
                if (random.nextInt(2) == 0) { // deletes and inserts in two transactions, or in one
                    write(strand, List.of(), go);
                    go = List.of();
                }
                write(strand, come, go);
                mine.addAll(come);
                inserts += coming;
                if (random.nextInt(8) == 0) read(strand, mine.peekLast(), next + 1_000_000);
            }
        } catch (StoreException e) {
            faults.add("after " + inserts + " inserts: " + e.getMessage());
        }
    }

    /** Removes and returns the oldest key, or any. */
    private static long leaver(Deque<Long> mine, Randomness random) {
        int turn = random.nextInt(4) == 0 ? random.nextInt(mine.size()) : 0;
        for (int i = 0; i < turn; i++) mine.addLast(mine.removeFirst());
        return mine.removeFirst();
    }

    private void write(int strand, List<Long> come, List<Long> go) {
        if (come.isEmpty() && go.isEmpty()) return;
        while (true) {
            Txn txn = coordinators.get(strand).begin();
            Map<Integer, Long> gone = new HashMap<>();
            for (long key : go) gone.put(txn.delete(table, key), key);
            for (long key : come) txn.insert(table, key);
            if (txn.execute()) {
                gone.forEach((access, key) -> {
                    if (!txn.found(access)) faults.add("key " + key + " is not there any more");
                });
                if (txn.commit() == Outcome.COMMITTED) return;
            }
            Waiting.pause(PAUSE_NANOS);
        }
    }

    private void read(int strand, long there, long notThere) {
        while (true) {
            Txn txn = coordinators.get(strand).begin();
            int one = txn.read(table, there);
            int other = txn.read(table, notThere);
            if (txn.execute()) {
                if (!txn.found(one)) faults.add("key " + there + " is not there");
                if (txn.found(other)) faults.add("key " + notThere + " is there");
                if (txn.commit() == Outcome.COMMITTED) return;
            }
            Waiting.pause(PAUSE_NANOS);
        }
    }

    private void look() {
        use = TableUsage.of(session, catalog, table, Long.MAX_VALUE);
        if (!faults.isEmpty()) return;
        long rows = living.stream().mapToLong(Deque::size).sum();
        if (use.rows() != rows) faults.add("rows: " + use.rows() + ", not " + rows);
        if (use.idleBuckets() != 0) faults.add("overflow buckets without a row: " + use.idleBuckets());
    }
}
