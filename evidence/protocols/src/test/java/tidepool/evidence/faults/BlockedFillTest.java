package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.StoreException;

/**
 * A steward fills a new copy and meets a lock that stays held. It must not only wait for the lock: another member may
 * die meanwhile, without which the lock is never released; and the holder may be dead, with no other client to recover
 * it.
 */
class BlockedFillTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 3, 1, 256 * 1024, 16, 4096);
    private static final int SPARE = 3;
    private static final long KEY = 7;
    private static final long LEASE_NANOS = 300_000;
    private static final long LOOK_NANOS = 50_000;

    /** Much longer than it takes to remove a node and to fill a copy. */
    private static final long HELD_NANOS = 200_000_000;

    record Row(@Key long id, long count) {}

    private final Simulation simulation = new Simulation(1);
    private final SimFabric fabric = new SimFabric(
            simulation, 4, CostProfile.CX5.withLease(LEASE_NANOS).withDeadline(2_000_000), Adversary.ORDER);
    private final SimRosters rosters = new SimRosters(fabric, 1, 1, 3, LEASE_NANOS);
    private boolean locked;
    private boolean over;

    /**
     * Loads a row, lets a copy be filled in place of node 2, and lets a client lock the row before the filler reads it.
     */
    private Machine lockBeforeFilling() {
        simulation.start(simulation.machine("loader", 1), "loader", () -> {
            try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
                Table<Row> rows = pool.table("row", Row.class);
                pool.transact(tx -> rows.insert(tx, new Row(KEY, 0)));
            }
        });
        simulation.run();
        rosters.crash(2);
        Machine holder = simulation.machine("holder", 1);
        simulation.start(simulation.machine("steward", 1), "steward", () -> {
            Steward steward = new Steward(rosters.client(), OPTIONS, new Ford());
            while (!isFilling()) tend(steward);
            simulation.start(holder, "holder", this::hold);
            while (!locked) Waiting.pause(1_000);
            while (!over) tend(steward);
        });
        return holder;
    }

    private void tend(Steward steward) {
        try {
            if (steward.tend()) return;
        } catch (FabricException | StoreException e) {
            // A verb to a node that has just died: the loop tries again.
        }
        Waiting.pause(LOOK_NANOS);
    }

    /** Holds a lock: FORD locks the rows that it will write when it reads them. */
    private void hold() {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
            Table<Row> rows = pool.table("row", Row.class);
            pool.transact(tx -> {
                rows.update(tx, KEY).set(new Row(KEY, 1));
                tx.execute();
                locked = true;
                for (long i = 0; i < HELD_NANOS / LOOK_NANOS && !over; i++) Waiting.pause(LOOK_NANOS);
            });
        }
    }

    private boolean isFilling() {
        return rosters.now().steady() && rosters.now().isFilling();
    }

    /** Returns whether the condition became true before the holder's time was up. */
    private boolean waitFor(BooleanSupplier what) {
        boolean[] came = new boolean[1];
        simulation.start(simulation.machine("watcher", 1), "watcher", () -> {
            while (!locked) Waiting.pause(LOOK_NANOS);
            long end = simulation.nowNanos() + HELD_NANOS / 2;
            while (!what.getAsBoolean() && simulation.nowNanos() < end) Waiting.pause(LOOK_NANOS);
            came[0] = what.getAsBoolean();
            over = true;
        });
        simulation.run();
        return came[0];
    }

    @Test
    void aMemberThatDiesMeanwhileIsTakenOut() {
        try (simulation) {
            lockBeforeFilling();
            simulation.start(simulation.machine("fate", 1), "fate", () -> {
                while (!locked) Waiting.pause(1_000);
                Waiting.pause(20 * LOOK_NANOS); // the filler has met the lock
                assertTrue(isFilling(), "it waits for the lock");
                assertEquals(0, primary(), "the dead one is not whom the filler asks");
                rosters.crash(1);
            });
            assertTrue(waitFor(() -> fabric.isDown(1) && rosters.positionOf(1) < 0), () -> rosters.now()
                    .text());
        }
    }

    @Test
    void theLockOfADeadMachineIsFreedByTheFillerAlone() {
        try (simulation) {
            Machine holder = lockBeforeFilling();
            simulation.start(simulation.machine("fate", 1), "fate", () -> {
                while (!locked) Waiting.pause(1_000);
                holder.crash();
            });
            assertTrue(waitFor(() -> !rosters.now().isFilling()), () -> rosters.now()
                    .text());
            Roster now = rosters.now();
            int spare = rosters.positionOf(SPARE);
            assertTrue(now.partitions().getFirst().whole().contains(spare), now.text());
            assertFalse(fabric.isDown(SPARE));
        }
    }

    private int primary() {
        Roster now = rosters.now();
        return SimRosters.node(
                now.members().get(now.partitions().getFirst().whole().getFirst()));
    }
}
