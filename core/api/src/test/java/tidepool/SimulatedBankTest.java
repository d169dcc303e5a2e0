package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.base.Waiting;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.testkit.Effort;

/**
 * Money moves between accounts on two simulated machines; nothing is lost, whatever the adversary reorders or tears.
 */
class SimulatedBankTest {
    private static final int ACCOUNTS = 8;

    @Test
    void moneyIsConservedUnderTheAdversary() {
        Effort.seeds(5, 20, 2_000).forEach(seed -> run(seed, Adversary.ORDER));
    }

    /** All strands of a machine share a thread, so the thread does not tell which strand owns an object. */
    @Test
    void whatBelongsToAStrandIsRefusedToOthers() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), Adversary.ORDER);
            PoolOptions options = new PoolOptions("ford", 2, 0, 256 * 1024, 16, 16 * 1024);
            var machine = simulation.machine("one", 1);
            List<String> refused = new ArrayList<>();
            simulation.start(machine, "owner", () -> {
                Tidepool pool = PoolAccess.open(fabric, options);
                Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, 64);
                Worker worker = pool.worker();
                Transaction begun = pool.begin();
                simulation.start(machine, "other", () -> {
                    for (Runnable act : List.<Runnable>of(() -> worker.transact(txn -> true), begun::rollback))
                        try {
                            act.run();
                        } catch (IllegalStateException e) {
                            refused.add(e.getMessage());
                        }
                });
                assertEquals(true, worker.transact(txn -> txn.put(accounts.handle(), 1) >= 0));
                Waiting.pause(1_000_000);
                accounts.insert(begun, new TidepoolTest.Account(2, 1));
                assertEquals(true, begun.commit());
                worker.close();
                pool.close();
            });
            simulation.run();
            assertEquals(
                    List.of(
                            "a worker belongs to the thread that made it: owner",
                            "a transaction belongs to the thread that began it: owner"),
                    refused);
        }
    }

    private static void run(long seed, Adversary adversary) {
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), adversary);
            PoolOptions options = new PoolOptions("ford", 2, 0, 256 * 1024, 16, 16 * 1024);
            long[] sums = new long[2];
            simulation.start(simulation.machine("load", 1), "load", () -> {
                Tidepool pool = PoolAccess.open(fabric, options);
                Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, 64);
                pool.transact(tx -> {
                    for (int i = 0; i < ACCOUNTS; i++) accounts.insert(tx, new TidepoolTest.Account(i, 100));
                });
                pool.close();
            });
            simulation.run();
            for (int m = 0; m < 2; m++) {
                var machine = simulation.machine("c" + m, 2);
                int number = m;
                simulation.start(machine, "c" + m, () -> {
                    Tidepool pool = PoolAccess.open(fabric, options);
                    Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, 64);
                    for (int s = 0; s < 2; s++) {
                        Randomness random = new Randomness(seed * 31 + number * 7 + s);
                        simulation.start(machine, "c" + number + "." + s, () -> {
                            for (int i = 0; i < 30; i++) {
                                long a = random.nextInt(ACCOUNTS);
                                long b = (a + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                                pool.transact(tx -> {
                                    Cell<TidepoolTest.Account> from = accounts.update(tx, a);
                                    Cell<TidepoolTest.Account> to = accounts.update(tx, b);
                                    from.set(from.get().plus(-1));
                                    to.set(to.get().plus(1));
                                });
                                long sum = pool.compute(tx -> {
                                    List<Cell<TidepoolTest.Account>> cells = new ArrayList<>();
                                    for (int k = 0; k < ACCOUNTS; k++) cells.add(accounts.read(tx, k));
                                    return cells.stream()
                                            .mapToLong(c -> c.get().balance())
                                            .sum();
                                });
                                assertEquals(100 * ACCOUNTS, sum);
                                sums[0]++;
                            }
                        });
                    }
                });
            }
            simulation.run();
            assertEquals(120, sums[0], "seed " + seed);
        }
    }
}
