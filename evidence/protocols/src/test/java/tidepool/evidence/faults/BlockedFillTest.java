package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.fabric.VerbKind;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.LogLayout;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/**
 * A steward fills a new copy and meets a lock that stays held. It must not only wait for the lock: another member may
 * die meanwhile, without which the lock is never released; the holder may be dead or revoked, with no other client to
 * recover it; and the steward of another change may be dead.
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
    private final Set<Integer> holders = new TreeSet<>();
    private boolean locked;
    private boolean over;

    /**
     * Loads a row, lets a copy be filled in place of node 2, and lets a client lock the row before the filler reads it.
     */
    private Machine lockBeforeFilling() {
        return lockBeforeFilling(rosters.client());
    }

    private Machine lockBeforeFilling(Membership stewards) {
        load();
        rosters.crash(2);
        Machine holder = simulation.machine("holder", 1);
        simulation.start(simulation.machine("steward", 1), "steward", () -> {
            Steward steward = new Steward(stewards, OPTIONS, new Ford(), LOOK_NANOS);
            while (!isFilling()) tend(steward);
            simulation.start(holder, "holder", this::hold);
            while (!locked) Waiting.pause(1_000);
            while (!over) tend(steward);
        });
        return holder;
    }

    private void load() {
        simulation.start(simulation.machine("loader", 1), "loader", () -> {
            try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
                Table<Row> rows = pool.table("row", Row.class);
                pool.transact(tx -> rows.insert(tx, new Row(KEY, 0)));
            }
        });
        simulation.run();
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
        Set<Integer> others = sessions();
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
            Table<Row> rows = pool.table("row", Row.class);
            pool.transact(tx -> {
                rows.update(tx, KEY).set(new Row(KEY, 1));
                tx.execute();
                holders.addAll(sessions());
                holders.removeAll(others);
                locked = true;
                for (long i = 0; i < HELD_NANOS / LOOK_NANOS && !over; i++) Waiting.pause(LOOK_NANOS);
            });
        }
    }

    /** Returns the sessions of the first member. The steward has none while the holder begins. */
    private Set<Integer> sessions() {
        Set<Integer> numbers = new TreeSet<>();
        for (int number : rosters.showing(rosters.now()).control(0).sessions()) numbers.add(number);
        return numbers;
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

    /** Its revoker is dead, so no other session recovers it, and its machine lives. */
    @Test
    void theLockOfARevokedSessionIsFreed() {
        try (simulation) {
            lockBeforeFilling();
            simulation.start(simulation.machine("fate", 1), "fate", () -> {
                while (!locked) Waiting.pause(1_000);
                SimFabric members = rosters.showing(rosters.now());
                for (int node = 0; node < members.nodes(); node++)
                    for (int number : holders) members.control(node).revoke(number);
            });
            assertTrue(waitFor(() -> !rosters.now().isFilling()), () -> rosters.now()
                    .text());
            assertFalse(holders.isEmpty());
        }
    }

    /**
     * A steward announces a change and dies. It has revoked no session, so the lock stays held, and only the filler is
     * left to take the change over.
     */
    @Test
    void theChangeOfADeadStewardIsTakenOver() {
        Membership told = new FilterMembership(rosters.client()) {
            /** As with ZooKeeper, whose watches tell of a change. */
            @Override
            public Roster latest() {
                return rosters.now();
            }
        };
        try (simulation) {
            lockBeforeFilling(told);
            long[] announced = new long[1];
            simulation.start(simulation.machine("rival", 1), "rival", () -> {
                while (!locked) Waiting.pause(1_000);
                Waiting.pause(20 * LOOK_NANOS); // the filler has met the lock
                assertTrue(isFilling(), "it waits for the lock");
                Roster change = RosterPlan.next(rosters.now());
                assertTrue(rosters.client().replace(rosters.now(), change));
                announced[0] = change.epoch();
            });
            assertTrue(waitFor(() -> announced[0] > 0 && isOver(announced[0])), () -> rosters.now()
                    .text());
        }
    }

    private boolean isOver(long epoch) {
        Roster now = rosters.now();
        return now.epoch() > epoch && now.steady() && !now.isFilling();
    }

    /**
     * A filler cannot clear its logs, because its network fails when the copies are whole. It is revoked, so that a
     * client recovers it. A session that merely left would keep a coordinator for ever.
     */
    @Test
    void aFillerThatCannotCleanUpIsRecovered() {
        try (simulation) {
            load();
            rosters.crash(2);
            Machine machine = simulation.machine("steward", 1);
            boolean[] cut = new boolean[1];
            fabric.listen(new VerbListener() {
                @Override
                public void onPosted(VerbInFlight verb) {
                    if (cut[0] || !"steward".equals(verb.strandName()) || !isFilled()) return;
                    if (verb.kind() != VerbKind.WRITE || verb.length() != LogLayout.INTENT_BYTES) return;
                    cut[0] = true;
                    for (int node = 0; node < fabric.nodes(); node++) fabric.cut(machine, node);
                }
            });
            simulation.start(machine, "steward", () -> {
                Steward steward = new Steward(rosters.client(), OPTIONS, new Ford());
                while (!cut[0]) tend(steward);
                for (int node = 0; node < fabric.nodes(); node++) fabric.heal(machine, node);
                tend(steward);
            });
            simulation.run();
            assertTrue(isFilled(), () -> rosters.now().text());
            simulation.start(simulation.machine("client", 1), "client", () -> {
                try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, new Ford())) {
                    pool.recoverAll();
                }
            });
            simulation.run();
            SimFabric members = rosters.showing(rosters.now());
            try (Session session = members.attach()) {
                Catalog catalog = Catalog.open(members, session, OPTIONS, FlushPolicy.NONE, rosters.now());
                assertEquals(OPTIONS.coordinators(), catalog.coordinatorsOf(0).size());
            }
        }
    }

    private boolean isFilled() {
        return rosters.now().steady()
                && rosters.now().members().size() == 3
                && !rosters.now().isFilling()
                && rosters.positionOf(2) < 0;
    }

    private int primary() {
        Roster now = rosters.now();
        return SimRosters.node(
                now.members().get(now.partitions().getFirst().whole().getFirst()));
    }
}
