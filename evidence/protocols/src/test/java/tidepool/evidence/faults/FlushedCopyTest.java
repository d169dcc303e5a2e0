package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;
import tidepool.store.StoreException;

/**
 * With {@code flush=selective} the copy of a partition that survives a loss of power changes from one node to another.
 * The machine that makes the change dies at every verb. Then the power fails and every line that was not flushed is
 * lost, or another node dies. There is always a copy that is trusted.
 */
class FlushedCopyTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final Protocol FORD = new Ford(FordOptions.DEFAULT.with(FlushPolicy.SELECTIVE));
    private static final int ROWS = 10;
    private static final long LEASE_NANOS = 50_000;

    /** Minimum number of verbs at which the change must have been cut off. */
    private static final long FEW = 50;

    private static final int REFUSED = 200;

    /** A row with a number. */
    public record Row(@Key long key, long value) {}

    private Simulation simulation;
    private SimFabric fabric;
    private SimRosters rosters;
    private PoolOptions options;
    private long sign; // of the values in the rows

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** The only whole copy is trusted until another one is whole, and not merely filled. */
    @Test
    void powerFailsWhileACopyIsFilled() {
        long verb = 0;
        while (isOutlasted(verb, 2, 1, () -> loseNode(1), this::tend, () -> failPower(2))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /**
     * No client opens the pool after the loss, so the filler is the first to see it. It repairs the pool before it
     * copies: the primary has lost what only its backup has flushed.
     */
    @Test
    void powerFailsBeforeACopyIsFilled() {
        try (Simulation played = new Simulation(1)) {
            begin(played, 3, 1);
            run("loader", this::load);
            run("before", () -> loseNode(2));
            run("writer", this::negateAll);
            failPower(2);
            run("steward", this::tendUntilSteady);
            run("reader", this::read);
            assertFalse(rosters.now().isFilling(), rosters.now().text());
            requireNothingLeftOver();
        }
    }

    /** The old backup is trusted until the new one is flushed. */
    @Test
    void powerFailsWhilePrimaryAndBackupChangePlaces() {
        long verb = 0;
        while (isOutlasted(verb, 2, 0, () -> {}, this::swap, () -> failPower(-1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /** A loss of power before a node joined the pool is no loss of the pool. */
    @Test
    void nodeDiesWhileOneJoinsThatOnceLostItsPower() {
        Runnable loses = () -> {
            fabric.failPower(3, (region, line) -> false);
            fabric.restartNode(3);
            rosters.crash(2);
            Waiting.pause(2 * LEASE_NANOS);
        };
        long verb = 0;
        while (isOutlasted(verb, 3, 1, loses, this::tend, () -> rosters.crash(0))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /**
     * A dropped copy is recorded as dropped before it is freed: no word names a freed region, and no region is left
     * over.
     */
    @Test
    void powerFailsWhileACopyIsDropped() {
        long verb = 0;
        while (isOutlasted(verb, 2, 1, this::addCopy, this::dropPrimary, () -> failPower(-1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /**
     * A pool of one copy, of which a snapshot is split off: the remaining copy is flushed before the snapshot's node
     * leaves.
     */
    @Test
    void powerFailsWhileASnapshotIsSplitOff() {
        long verb = 0;
        while (isOutlasted(verb, 1, 1, this::copyAll, this::splitOff, () -> failPower(-1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /**
     * A pool of two copies, one of which becomes the snapshot. The backups alone are flushed, so each remaining copy
     * has to be a backup before it is alone.
     */
    @Test
    void powerFailsWhileOneOfTwoCopiesIsSplitOff() {
        long verb = 0;
        while (isOutlasted(verb, 2, 0, () -> {}, this::splitOff, () -> failPower(-1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /** A pool of one copy relies on no second one, also while there is one: here that of a snapshot. */
    @Test
    void powerFailsAndTheSnapshotsNodeDiesWhileItIsSplitOff() {
        long verb = 0;
        while (isOutlasted(verb, 1, 1, this::copyAll, this::splitOff, () -> failPower(1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /** A pool of one copy, whose rebalance is undone: the remaining copy is flushed before the new one is dropped. */
    @Test
    void powerFailsWhileTheNewCopyOfOneIsDropped() {
        long verb = 0;
        while (isOutlasted(verb, 1, 1, this::copyAll, this::dropBackups, () -> failPower(-1))) verb++;

        assertTrue(verb > FEW, verb + " verbs");
    }

    /** A steward whose change is refused tries repeatedly, and there are only 2^23 session numbers. */
    @Test
    void aRefusedChangeTakesFewNumbers() {
        try (Simulation played = new Simulation(1)) {
            begin(played, 2, 0);
            run("loader", this::load);
            failPower(1);
            run("steward", () -> {
                Waiting.pause(2 * LEASE_NANOS);
                Steward steward = new Steward(rosters.client(), options, FORD, 0);
                for (int i = 0; i < REFUSED; i++)
                    try (Session other = rosters.showing(rosters.now()).attach()) {
                        other.lane().connect(0); // a client that connects and leaves, with the highest number
                        StoreException refused = assertThrows(StoreException.class, steward::tend);
                        assertEquals(StoreException.Reason.UNAVAILABLE, refused.reason());
                    }
            });
            rosters.comeBack(1);
            run("reader", this::read);
            run("last", () -> {
                try (Session session = rosters.showing(rosters.now()).attach()) {
                    assertTrue(session.number() < 3 * REFUSED + 1024, "number " + session.number());
                }
            });
        }
    }

    /**
     * Checks the pool after an action was cut off at a verb, or after all of it. Returns false if the action ended
     * before that verb.
     */
    private boolean isOutlasted(
            long verb, int members, int spares, Runnable before, Runnable cutOff, Runnable afterwards) {
        try (Simulation played = new Simulation(1)) {
            begin(played, members, spares);
            run("loader", this::load);
            run("before", before);
            simulation.crashMachineOf("cut off", verb, When.AFTER);
            boolean isCutOff = run("cut off", cutOff).isDead();
            afterwards.run(); // also after the whole action: its last words may not be flushed
            run("steward", this::tendUntilSteady);
            run("reader", this::read);
            requireNothingLeftOver();
            return isCutOff;
        }
    }

    private void begin(Simulation played, int members, int spares) {
        simulation = played;
        sign = 1;
        options = new PoolOptions("ford", members, 2, 64 * 1024, 4, 4096);
        CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(2_000_000);
        fabric = new SimFabric(simulation, members + spares, costs, Adversary.ORDER.withPersistence(0));
        rosters = new SimRosters(fabric, spares, 2, members, LEASE_NANOS);
    }

    /** @param dead the node that does not come back; -1 if all do */
    private void failPower(int dead) {
        for (int node = 0; node < fabric.nodes(); node++) fabric.failPower(node, (region, line) -> false);
        for (int node = 0; node < fabric.nodes(); node++)
            if (node != dead && !rosters.isLost(node)) fabric.restartNode(node);
        if (dead >= 0) rosters.crash(dead);
    }

    private Machine run(String name, Runnable body) {
        Machine machine = simulation.machine(name, 1);
        simulation.start(machine, name, body);
        simulation.run();
        return machine;
    }

    private void load() {
        try (Tidepool pool = PoolAccess.open(rosters.client(), options, FORD)) {
            Table<Row> rows = pool.table("rows", Row.class, ROWS);
            for (long i = 1; i <= ROWS; i++) {
                long key = i;
                pool.transact(tx -> rows.insert(tx, new Row(key, key)));
            }
        }
    }

    /** Loses a node: the others are left, and the spare one is to be filled. */
    private void loseNode(int lost) {
        rosters.crash(lost);
        Waiting.pause(2 * LEASE_NANOS);
        tend();
        assertTrue(
                rosters.now().steady() && rosters.now().isFilling(),
                rosters.now().text());
    }

    private void tend() {
        new Steward(rosters.client(), options, FORD).tend();
    }

    private void swap() {
        Roster from = rosters.now();
        List<Roster.Copies> swapped = from.partitions().stream()
                .map(copies -> new Roster.Copies(copies.whole().reversed(), List.of()))
                .toList();
        Roster to = new Roster(from.epoch() + 1, false, from.members(), swapped);
        new Steward(rosters.client(), options, FORD).change(from, to);
    }

    /** Makes the spare node a member with a copy of the first partition. */
    private void addCopy() {
        Roster from = rosters.now();
        Roster with = RosterPlan.with(from, rosters.client().strangers().getFirst());
        Roster.Copies first = with.partitions().getFirst();
        List<Roster.Copies> more = List.of(
                new Roster.Copies(first.whole(), List.of(2)), with.partitions().getLast());
        Steward steward = new Steward(rosters.client(), options, FORD);
        steward.change(from, new Roster(with.epoch(), false, with.members(), more));
        steward.tend();
        assertEquals(3, rosters.now().partitions().getFirst().whole().size());
    }

    private void dropPrimary() {
        Roster from = rosters.now();
        List<Integer> whole = from.partitions().getFirst().whole();
        Roster.Copies rest = new Roster.Copies(whole.subList(1, whole.size()), List.of());
        List<Roster.Copies> fewer = List.of(rest, from.partitions().getLast());
        new Steward(rosters.client(), options, FORD)
                .change(from, new Roster(from.epoch() + 1, false, from.members(), fewer));
    }

    private void dropBackups() {
        Roster from = rosters.now();
        List<Roster.Copies> primaries = from.partitions().stream()
                .map(copies -> new Roster.Copies(copies.whole().subList(0, 1), List.of()))
                .toList();
        new Steward(rosters.client(), options, FORD)
                .change(from, new Roster(from.epoch() + 1, false, from.members(), primaries));
    }

    /** Gives the spare node a copy of everything, and writes everything afterwards. */
    private void copyAll() {
        Roster from = rosters.now();
        Roster with = RosterPlan.with(from, rosters.client().strangers().getFirst());
        Steward steward = new Steward(rosters.client(), options, FORD);
        steward.change(from, RosterPlan.copiedTo(with, 1));
        steward.tend();
        negateAll();
    }

    private void negateAll() {
        try (Tidepool pool = PoolAccess.open(rosters.client(), options, FORD)) {
            Table<Row> rows = pool.table("rows", Row.class);
            for (long i = 1; i <= ROWS; i++) {
                long key = i;
                pool.transact(tx -> rows.update(tx, key).set(new Row(key, -key)));
            }
        }
        sign = -1;
    }

    private void splitOff() {
        new Steward(rosters.client(), options, FORD)
                .splitOff(rosters.now().members().getLast());
    }

    /** Checks that each member has a catalog, a log, and the copies that the roster names. */
    private void requireNothingLeftOver() {
        Roster now = rosters.now();
        for (int i = 0; i < now.members().size(); i++) {
            int position = i;
            long held = now.partitions().stream()
                    .filter(copies -> copies.all().contains(position))
                    .count();
            long there = Arrays.stream(
                            fabric.memory(SimRosters.node(now.members().get(i))).capabilities())
                    .filter(Objects::nonNull)
                    .count();
            assertEquals(2 + held, there, "regions of member " + i + " of " + now.text());
        }
    }

    private void tendUntilSteady() {
        Waiting.pause(2 * LEASE_NANOS);
        Steward steward = new Steward(rosters.client(), options, FORD, 0);
        while (steward.tend() || !rosters.now().steady()) Waiting.pause(LEASE_NANOS);
    }

    private void read() {
        try (Tidepool pool = PoolAccess.open(rosters.client(), options, FORD)) {
            Table<Row> rows = pool.table("rows", Row.class);
            for (long i = 1; i <= ROWS; i++) {
                long key = i;
                assertEquals(
                        sign * key, (long) pool.read(tx -> rows.get(tx, key).value()));
            }
        }
    }
}
