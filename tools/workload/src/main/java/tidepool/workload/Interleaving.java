package tidepool.workload;

import java.util.ArrayList;
import java.util.List;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/**
 * Interleaved processing (§5.3 of the FORD paper): many coordinators on one core. While one coordinator waits for its
 * round trip the others work, so the core stays busy and network latency does not limit throughput. Measured in the
 * simulator in virtual time, so the figures are equal on every machine.
 */
public final class Interleaving {
    private static final int ACCOUNTS = 2_000;
    private static final int NODES = 3;

    private Interleaving() {}

    /**
     * The result for one number of coordinators on one core.
     *
     * @param coordinators strands that share the core
     * @param commitsPerSecond of virtual time, by all strands
     * @param micros mean time of a transaction, with its retries
     * @param aborts attempts that met conflicts
     */
    public record Row(int coordinators, double commitsPerSecond, double micros, long aborts) {}

    /** Runs this total of transactions for each number of coordinators. */
    public static List<Row> measure(String protocol, List<Integer> coordinators, int transactions, String profile) {
        List<Row> rows = new ArrayList<>();
        for (int count : coordinators) rows.add(measure(protocol, count, transactions, profile));
        return rows;
    }

    private static Row measure(String protocol, int coordinators, int transactions, String profile) {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, NODES, CostProfile.named(profile), Adversary.named("none"));
            Protocol made = Protocols.named(protocol);
            PoolOptions options = new PoolOptions(made.name(), 2, 0, 4 << 20, coordinators + 1, 16 * 1024);
            Tidepool[] pool = new Tidepool[1];
            Machine machine = simulation.machine("client", 1);
            simulation.start(machine, "loader", () -> pool[0] = load(fabric, options, made));
            simulation.run();
            long start = simulation.nowNanos();
            int each = Math.max(1, transactions / coordinators);
            for (int c = 0; c < coordinators; c++) {
                Randomness random = simulation.randomness("client " + c);
                simulation.start(machine, "c" + c, () -> work(pool[0], random, each));
            }
            simulation.run();
            double nanos = simulation.nowNanos() - start;
            int committed = each * coordinators;
            return new Row(
                    coordinators,
                    committed * 1e9 / nanos,
                    nanos * coordinators / committed / 1e3,
                    pool[0].statistics().aborts());
        }
    }

    private static Tidepool load(SimFabric fabric, PoolOptions options, Protocol protocol) {
        Tidepool pool = PoolAccess.open(fabric, options, protocol);
        Table<Account> accounts = pool.table("accounts", Account.class, ACCOUNTS);
        for (int first = 0; first < ACCOUNTS; first += 20) {
            int from = first;
            pool.transact(tx -> {
                for (int id = from; id < from + 20; id++) accounts.insert(tx, new Account(id, 100));
            });
        }
        return pool;
    }

    /** Moves money between two accounts and reads a third. */
    private static void work(Tidepool pool, Randomness random, int transactions) {
        Table<Account> accounts = pool.table("accounts", Account.class, ACCOUNTS);
        for (int i = 0; i < transactions; i++) {
            long from = random.nextInt(ACCOUNTS);
            long to = (from + 1 + random.nextInt(ACCOUNTS - 2)) % ACCOUNTS;
            long seen = (to + 1 + random.nextInt(ACCOUNTS - 3)) % ACCOUNTS;
            if (seen == from) seen = (seen + 1) % ACCOUNTS == to ? seen + 2 : seen + 1;
            long third = seen % ACCOUNTS;
            pool.transact(tx -> {
                var source = accounts.update(tx, from);
                var target = accounts.update(tx, to);
                accounts.read(tx, third);
                source.set(source.get().plus(-1));
                target.set(target.get().plus(1));
            });
        }
    }
}
