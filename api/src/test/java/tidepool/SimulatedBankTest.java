package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.fabric.sim.Adversary;
import tidepool.fabric.sim.CostProfile;
import tidepool.fabric.sim.SimFabric;
import tidepool.fabric.sim.Simulation;
import tidepool.store.PoolOptions;

/** Money moves between accounts on two simulated machines; nothing is lost, whatever the adversary reorders or tears. */
class SimulatedBankTest {
    private static final int ACCOUNTS = 8;

    @Test
    void moneyIsConservedUnderTheAdversary() {
        for (long seed = 1; seed <= Integer.getInteger("seeds", 20); seed++) run(seed, Adversary.ORDER);
    }

    private static void run(long seed, Adversary adversary) {
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.named("cx5"), adversary);
            PoolOptions options = new PoolOptions("ford", 2, 0, 256 * 1024, 16, 16 * 1024);
            long[] sums = new long[2];
            simulation.start(simulation.machine("load", 1), "load", () -> {
                Tidepool pool = Tidepool.open(fabric, options);
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
                    Tidepool pool = Tidepool.open(fabric, options);
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
                                long sum = pool.<Long>compute(tx -> {
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
