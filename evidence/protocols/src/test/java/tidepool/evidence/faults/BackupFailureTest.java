package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.BackupMember;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;

/**
 * A backup fails at each of its steps: each time that it reads the roster, changes it, or opens the nodes, before and
 * after that was done, and while copies are filled. Afterwards the pool must be steady, without the member that was
 * added for the backup, and usable.
 */
class BackupFailureTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 16, 4096);
    private static final int MEMBERS = 3;

    record Row(@Key long id, long count) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    @Test
    void whateverFailsThePoolIsSteadyWithoutTheBackup() {
        int points = 0;
        for (FailingMembership.When when : FailingMembership.When.values())
            for (int step = 1; play(step, when, false); step++) points++;
        assertTrue(play(Integer.MAX_VALUE, FailingMembership.When.BEFORE, true), "a failure while copies are filled");
        assertTrue(points > 20, "so many failures: " + points);
    }

    /** Returns whether the backup failed. */
    private static boolean play(int step, FailingMembership.When when, boolean whileFilling) {
        boolean[] failed = new boolean[1];
        try (Simulation simulation = new Simulation(step)) {
            SimFabric fabric = new SimFabric(
                    simulation,
                    MEMBERS + 1,
                    CostProfile.CX5.withLease(50_000).withDeadline(2_000_000),
                    Adversary.ORDER);
            SimRosters rosters = new SimRosters(fabric, 1, 2, 2, 50_000);
            simulation.start(simulation.machine("loader", 1), "loader", () -> use(rosters, 1));
            simulation.run();
            simulation.start(simulation.machine("keeper", 1), "keeper", () -> {
                Membership membership = new FailingMembership(rosters.client(), step, when);
                Steward steward = new Steward(membership, OPTIONS, new Ford());
                if (whileFilling) steward.setListener(new Failing());
                Roster.Member spare = membership.strangers().getFirst();
                try {
                    new BackupMember(membership, steward, spare).splitOff();
                } catch (FabricException e) {
                    failed[0] = true;
                }
            });
            simulation.run();
            String where = "step " + step + " " + when + ": " + rosters.now().text();
            assertTrue(rosters.now().steady(), where);
            assertEquals(MEMBERS, rosters.now().members().size(), where);
            simulation.start(simulation.machine("user", 1), "user", () -> use(rosters, 2));
            simulation.run();
        }
        return failed[0];
    }

    /** Fails once. */
    private static final class Failing implements StewardListener {
        private boolean done;

        @Override
        public void filling(Roster roster, int partition, long bytes, long ofBytes) {
            if (done) return;
            done = true;
            throw FabricException.unavailable("planted");
        }
    }

    private static void use(SimRosters rosters, long round) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
            Table<Row> rows = pool.table("row", Row.class, 8);
            for (long id = 0; id < 8; id++) {
                long key = id;
                pool.transact(tx -> {
                    Row row = rows.get(tx, key);
                    assertEquals(round - 1, row == null ? 0 : row.count());
                    rows.put(tx, new Row(key, round));
                });
            }
        }
    }
}
