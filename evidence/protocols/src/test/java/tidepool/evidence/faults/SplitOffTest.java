package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Randomness;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Fabric;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.BackupImage;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/** A copy of a whole pool, filled while transfers run, and split off: in the copy, too, the total is unchanged. */
class SplitOffTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 16, 4096);
    private static final int ACCOUNTS = 12;
    private static final long EACH = 1000;

    record Account(@Key long id, long balance) {}

    @TempDir
    private Path directory;

    @Test
    void noMoneyIsMissingInASnapshot() throws IOException {
        long moved = 0;
        for (long seed = 1; seed <= 30; seed++) {
            Path file = directory.resolve("snapshot" + seed);
            moved += take(seed, file);
            assertEquals(ACCOUNTS * EACH, sum(file), "seed " + seed);
        }
        assertTrue(moved > 300, "money was moved while the snapshots were taken: " + moved);
    }

    /** Returns the number of transfers between the first copy and the last. */
    private static long take(long seed, Path file) {
        long[] moved = new long[2];
        boolean[] taken = new boolean[1];
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(
                    simulation, 4, CostProfile.CX5.withLease(50_000).withDeadline(2_000_000), Adversary.ORDER);
            SimRosters rosters = new SimRosters(fabric, 1, 2, 2, 50_000);
            simulation.start(simulation.machine("loader", 1), "loader", () -> load(rosters));
            simulation.run();
            for (int m = 0; m < 2; m++) {
                Randomness random = simulation.randomness("m" + m);
                simulation.start(simulation.machine("m" + m, 1), "m" + m, () -> {
                    try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
                        Table<Account> accounts = pool.table("account", Account.class);
                        while (!taken[0]) {
                            transfer(pool, accounts, random);
                            moved[0]++;
                        }
                    }
                });
            }
            simulation.start(simulation.machine("keeper", 1), "keeper", () -> {
                try {
                    long before = moved[0];
                    snapshot(rosters, file);
                    moved[1] = moved[0] - before;
                } finally {
                    taken[0] = true;
                }
            });
            simulation.run();
        }
        return moved[1];
    }

    private static void load(SimRosters rosters) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
            Table<Account> accounts = pool.table("account", Account.class, ACCOUNTS);
            for (long id = 0; id < ACCOUNTS; id++) {
                long key = id;
                pool.transact(tx -> accounts.insert(tx, new Account(key, EACH)));
            }
        }
    }

    private static void transfer(Tidepool pool, Table<Account> accounts, Randomness random) {
        long from = random.nextInt(ACCOUNTS);
        long to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        pool.transact(tx -> {
            var a = accounts.update(tx, from);
            var b = accounts.update(tx, to);
            a.set(new Account(from, a.get().balance() - 1));
            b.set(new Account(to, b.get().balance() + 1));
        });
    }

    private static void snapshot(SimRosters rosters, Path file) {
        Membership membership = rosters.client();
        Steward steward = new Steward(membership, OPTIONS, new Ford());
        Roster roster = membership.read();
        Roster.Member spare = membership.strangers().getFirst();
        Roster joined = RosterPlan.with(roster, spare);
        steward.change(roster, RosterPlan.copiedTo(joined, joined.position(spare.identity())));
        int sessions = steward.splitOff(spare);
        Roster alone = RosterPlan.first(java.util.List.of(spare), OPTIONS.partitions(), 1);
        try (Fabric fabric = membership.open(alone)) {
            BackupImage.write(fabric, sessions, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertEquals(3, rosters.now().members().size());
    }

    private static long sum(Path file) throws IOException {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            BackupImage.restore(file, fabric, 0, null);
            try (Tidepool pool = PoolAccess.open(fabric, OPTIONS)) {
                Table<Account> accounts = pool.table("account", Account.class);
                long sum = 0;
                for (long id = 0; id < ACCOUNTS; id++) {
                    long key = id;
                    sum += (long) pool.read(tx -> accounts.get(tx, key).balance());
                }
                return sum;
            }
        }
    }
}
