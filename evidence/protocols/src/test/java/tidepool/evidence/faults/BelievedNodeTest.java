package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.evidence.ford.NodeBug;
import tidepool.fabric.FabricException;
import tidepool.fabric.Refusal;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.Membership;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/**
 * A memory node is removed from the roster, and lives. A reader that does not know of it reads one row repeatedly from
 * this node alone, while a writer goes on with the promoted backup. The reader must never see less than what was
 * committed before its read. A node is trusted for much longer than a reconfiguration takes, as with real leases. So
 * the test detects a reconfiguration that neither waits nor makes the node refuse the reader.
 */
class BelievedNodeTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 3, 64 * 1024, 16, 4096);
    private static final int REMOVED = 0;
    private static final long LEASE_NANOS = 50_000;
    private static final long SETTLE_NANOS = 20_000_000;
    private static final long CUT_NANOS = 500_000;
    private static final long END_NANOS = 60_000_000;

    record Row(@Key long id, long count) {}

    /** Why the node is removed. */
    private enum Removal {
        /** It has lost contact with the store of the roster, and the steward does not reach it either. */
        CUT_OFF,
        /** It has lost contact with the store of the roster, and the steward reaches it. */
        DEAF,
        /** An operator removes it. */
        PLANNED,
        /** A steward has removed it from the roster, and has died before it told any node. */
        TAKEN_OVER,
        /** It does not live: no process serves at its address. */
        DEAD
    }

    /** Counts of one run, and how long the change took. */
    private record Seen(long reads, long stale, long commitsAfterTheCut, long changeNanos) {}

    private static Seen play(long seed, Removal removal, Supplier<Protocol> protocol) {
        return play(seed, removal, protocol, (_, membership) -> membership);
    }

    /**
     * @param seenBy the membership as the steward's process sees it: it has just begun, and is the first to see the
     *     fault
     */
    private static Seen play(
            long seed,
            Removal removal,
            Supplier<Protocol> protocol,
            BiFunction<SimFabric, Membership, Membership> seenBy) {
        long[] changeNanos = new long[1];
        long[] committed = new long[1];
        long[] committedAtTheCut = {-1};
        long[] seen = new long[2];
        boolean[] cut = new boolean[1];
        boolean[] changed = new boolean[1];
        try (Simulation simulation = new Simulation(seed)) {
            SimFabric fabric = new SimFabric(
                    simulation, 3, CostProfile.CX5.withLease(LEASE_NANOS).withDeadline(2_000_000), Adversary.ORDER);
            SimRosters rosters = new SimRosters(fabric, 0, 3, 2, LEASE_NANOS, SETTLE_NANOS);
            long[] key = new long[1];
            simulation.start(simulation.machine("loader", 1), "loader", () -> key[0] = load(rosters, protocol.get()));
            simulation.run();
            long begun = simulation.nowNanos();
            simulation.start(simulation.machine("writer", 1), "writer", () -> {
                write(rosters, protocol.get(), key[0], committed, () -> cut[0]);
                // A client that opens with the new roster does not know the removed node, and leaves no lock there.
                while (!changed[0]) Waiting.pause(20_000);
                write(rosters, protocol.get(), key[0], committed, () -> simulation.nowNanos() > begun + END_NANOS);
            });
            simulation.start(simulation.machine("reader", 1), "reader", () -> {
                try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, protocol.get())) {
                    Table<Row> rows = pool.table("row", Row.class);
                    while (simulation.nowNanos() < begun + END_NANOS) {
                        long before = committed[0];
                        long found = pool.read(tx -> rows.get(tx, key[0]).count());
                        seen[0]++;
                        if (found < before) seen[1]++;
                        Waiting.pause(10_000);
                    }
                }
            });
            simulation.start(simulation.machine("steward", 1), "steward", () -> {
                Membership membership = seenBy.apply(fabric, rosters.client());
                Steward steward = new Steward(membership, OPTIONS, protocol.get(), LEASE_NANOS);
                steward.setListener(new StewardListener() {
                    @Override
                    public void changing(Roster to) {
                        if (removal == Removal.DEAD) return; // no session has a lease there
                        simulation.at(simulation.nowNanos() + SETTLE_NANOS, () -> {
                            for (int session : fabric.memory(REMOVED).sessions().all())
                                fabric.control(REMOVED).revoke(session);
                        });
                    }

                    @Override
                    public void changed(Roster to, Reconfiguration.Report report) {
                        if (!changed[0]) changeNanos[0] = simulation.nowNanos() - begun - CUT_NANOS;
                        changed[0] = true;
                    }
                });
                Waiting.pause(CUT_NANOS);
                if (removal == Removal.CUT_OFF || removal == Removal.DEAF) rosters.deafen(REMOVED);
                if (removal == Removal.DEAD) rosters.crash(REMOVED);
                if (removal == Removal.CUT_OFF) fabric.cut(simulation.machine("steward", 1), REMOVED);
                cut[0] = true;
                committedAtTheCut[0] = committed[0];
                Roster from = membership.read();
                Roster to = RosterPlan.without(from, Set.of(REMOVED));
                if (removal == Removal.PLANNED) steward.change(from, to);
                if (removal == Removal.TAKEN_OVER) assertTrue(rosters.client().replace(from, to));
                while (simulation.nowNanos() < begun + END_NANOS) {
                    try {
                        if (steward.tend()) continue;
                    } catch (FabricException | StoreException e) {
                        // The loop tries again.
                    }
                    Waiting.pause(LEASE_NANOS);
                }
            });
            simulation.run();
            assertEquals(2, rosters.now().members().size(), "the node was taken out");
        }
        return new Seen(seen[0], seen[1], committed[0] - committedAtTheCut[0], changeNanos[0]);
    }

    private static void write(
            SimRosters rosters, Protocol protocol, long key, long[] committed, BooleanSupplier isOver) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, protocol)) {
            Table<Row> rows = pool.table("row", Row.class);
            while (!isOver.getAsBoolean()) {
                long next = committed[0] + 1; // this is the only writer
                pool.transact(tx -> rows.update(tx, key).set(new Row(key, next)));
                committed[0] = next;
                Waiting.pause(20_000);
            }
        }
    }

    /** Returns a key whose primary is the node that will be removed. */
    private static long load(SimRosters rosters, Protocol protocol) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, protocol)) {
            Table<Row> rows = pool.table("row", Row.class);
            int partition = 0;
            while (rosters.now().partitions().get(partition).whole().getFirst() != REMOVED) partition++;
            long key = 0;
            while (PoolAccess.layout(rows.handle()).partition(key) != partition) key++;
            long found = key;
            pool.transact(tx -> rows.insert(tx, new Row(found, 0)));
            return key;
        }
    }

    @ParameterizedTest
    @EnumSource
    void noReaderSeesLessThanWasCommittedBefore(Removal removal) {
        for (long seed = 1; seed <= 10; seed++) {
            Seen seen = play(seed, removal, Ford::new);
            assertEquals(0, seen.stale, "seed " + seed);
            assertTrue(seen.commitsAfterTheCut > 100 && seen.reads > 100, "both go on: " + seen);
            boolean waited = seen.changeNanos >= SETTLE_NANOS;
            boolean unclear = removal == Removal.CUT_OFF || removal == Removal.TAKEN_OVER;
            assertEquals(unclear, waited, "only a node that may still answer sessions is waited for: " + seen);
        }
    }

    /** A process that learns from its first fabric how long nodes are trusted, and does not wait before that. */
    @Test
    void aFreshProcessThatDoesNotWaitIsFound() {
        Seen seen = play(1, Removal.CUT_OFF, Ford::new, UntoldMembership::new);
        assertTrue(seen.stale > 0, seen.toString());
    }

    @Test
    void aChangeThatDoesNotWaitIsFound() {
        Seen seen = play(1, Removal.CUT_OFF, NodeBug.NO_WAIT_UNTIL_IT_IS_NOT_BELIEVED);
        assertTrue(seen.stale > 0, seen.toString());
    }

    /** A node that was told nothing answers the reader, and the change does not wait. */
    @ParameterizedTest
    @EnumSource(names = {"DEAF", "PLANNED"})
    void aFenceThatDoesNothingIsFound(Removal removal) {
        Seen seen = play(1, removal, Ford::new, FencedInNameOnly::new);
        assertTrue(seen.stale > 0, seen.toString());
    }

    /** Otherwise a session that opens with an old roster would read what is no longer written. */
    @Test
    void aFencedNodeRefusesSessionsOfOlderRosters() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3, CostProfile.CX5, Adversary.ORDER);
            SimRosters rosters = new SimRosters(fabric, 0, 3, 2, LEASE_NANOS, SETTLE_NANOS);
            simulation.start(simulation.machine("client", 1), "client", () -> {
                Roster old = rosters.now();
                SimFabric members = rosters.showing(old);
                Session before = members.attach();
                assertTrue(rosters.client().fence(old.members().get(REMOVED), old.epoch() + 1));

                assertEquals(Refusal.EPOCH, refusal(members::attach));
                assertEquals(Refusal.EPOCH, refusal(() -> before.lane().connect(REMOVED)));
                before.lane().connect(1);
            });
            simulation.run();
        }
    }

    private static Refusal refusal(Executable call) {
        return assertThrows(FabricException.class, call).refusal();
    }

    /** A planted bug: the node is said to refuse older sessions, and was not told. */
    private static final class FencedInNameOnly extends FilterMembership {
        FencedInNameOnly(SimFabric fabric, Membership inner) {
            super(inner);
        }

        @Override
        public boolean fence(Roster.Member member, long epoch) {
            return true;
        }
    }
}
