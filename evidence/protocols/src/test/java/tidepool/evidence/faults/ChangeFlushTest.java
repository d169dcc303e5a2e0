package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Words;
import tidepool.clusters.PoolView;
import tidepool.clusters.SimRosters;
import tidepool.fabric.VerbKind;
import tidepool.protocol.Protocol;
import tidepool.protocol.Reconfiguration;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordOptions;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.CatalogLayout;
import tidepool.store.FlushPolicy;
import tidepool.store.LogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;
import tidepool.store.RosterPlan;

/**
 * A change of nodes flushes what it has decided before it destroys what it decided from: objects before their logs are
 * over, marks that logs are over before any log is cleared, and cleared logs before a session may use the pool. A loss
 * of power may keep any line that was written later, and lose any earlier one that was not flushed.
 */
class ChangeFlushTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final Protocol FORD = new Ford(FordOptions.DEFAULT.with(FlushPolicy.FULL));
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 4, 4096);
    private static final long LEASE_NANOS = 50_000;

    /** A row with a number. */
    public record Row(@Key long key, long value) {}

    private int finished;
    private int undone;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @Test
    void linesPersistInAnyOrder() {
        play(Adversary.ORDER.withPersistence(0), false);
    }

    @Test
    void nodesKeepJournals() {
        play(Adversary.ORDER.withJournals(0), true);
    }

    /** A writer dies at each of its verbs, and the nodes change. */
    private void play(Adversary adversary, boolean marksLogs) {
        long verb = 0;
        int marks = 0;
        boolean died = true;
        while (died) {
            try (Simulation simulation = new Simulation(1)) {
                CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(2_000_000);
                SimFabric fabric = new SimFabric(simulation, 2, costs, adversary);
                SimRosters rosters = new SimRosters(fabric, 0, 2, 2, LEASE_NANOS);
                run(simulation, "loader", () -> write(rosters, 1));
                simulation.crashMachineOf("writer", verb++, When.AFTER);
                died = run(simulation, "writer", () -> write(rosters, 2)).isDead();
                Order order = new Order(fabric);
                fabric.listen(order);
                run(simulation, "steward", () -> change(rosters));
                assertTrue(order.clears > 0, "no log was cleared");
                marks += order.marks;
            }
        }
        assertTrue(finished > 0 && undone > 0, finished + " finished, " + undone + " undone");
        assertEquals(marksLogs, marks > 0);
    }

    private static Machine run(Simulation simulation, String name, Runnable body) {
        Machine machine = simulation.machine(name, 1);
        simulation.start(machine, name, body);
        simulation.run();
        return machine;
    }

    /** Two rows, so that there is a moment at which one is complete and the other one is not. */
    private static void write(SimRosters rosters, long value) {
        try (Tidepool pool = PoolAccess.open(rosters.client(), OPTIONS, FORD)) {
            Table<Row> rows = pool.table("rows", Row.class, 10);
            pool.transact(tx -> {
                rows.put(tx, new Row(1, value));
                rows.put(tx, new Row(2, value));
            });
        }
    }

    private void change(SimRosters rosters) {
        Steward steward = new Steward(rosters.client(), OPTIONS, FORD);
        steward.setListener(new StewardListener() {
            @Override
            public void changed(Roster roster, Reconfiguration.Report report) {
                finished += report.finished();
                undone += report.undone();
            }
        });
        Roster now = rosters.now();
        steward.change(now, RosterPlan.next(now));
        assertTrue(rosters.now().steady(), rosters.now().text());
    }

    /** The words that the steward has written, by the time at which they have to be flushed. */
    private static final class Order implements VerbListener {
        private final SimFabric fabric;
        private final List<Written> objects = new ArrayList<>();
        private final List<Written> over = new ArrayList<>();
        private final List<Written> cleared = new ArrayList<>();
        int marks;
        int clears;

        private record Written(int node, int region, long offset) {}

        Order(SimFabric fabric) {
            this.fabric = fabric;
        }

        @Override
        public void onApplied(VerbInFlight verb) {
            if (verb.kind() != VerbKind.WRITE || !verb.strandName().equals("steward")) return;
            if (verb.regionNumber() == 0) {
                if (isOutcome(verb)) requireFlushed(objects, "an outcome was recorded");
                requireFlushed(cleared, "the catalog says that logs were cleared");
            } else if (verb.regionNumber() == logRegion(verb.node())) {
                requireFlushed(objects, "a log was over");
                boolean isOver = verb.length() == Words.BYTES && verb.word(0) == LogLayout.OVER;
                if (isOver) {
                    marks++;
                } else {
                    clears++;
                    requireFlushed(over, "a log was cleared");
                    over.clear();
                }
                add(verb, isOver ? over : cleared);
            } else if (verb.length() > Words.BYTES || verb.word(0) != 0) { // otherwise it frees a lock
                add(verb, objects);
            }
        }

        private static boolean isOutcome(VerbInFlight verb) {
            return verb.offset() >= CatalogLayout.outcome(0)
                    && verb.offset() < CatalogLayout.outcome(0) + CatalogLayout.OUTCOMES * 2L * Words.BYTES;
        }

        private long logRegion(int node) {
            return new PoolView(fabric).catalogWord(node, CatalogLayout.LOG_REGION);
        }

        private static void add(VerbInFlight verb, List<Written> to) {
            for (long at = 0; at < verb.length(); at += Words.BYTES)
                to.add(new Written(verb.node(), verb.regionNumber(), verb.offset() + at));
        }

        private void requireFlushed(List<Written> words, String before) {
            for (Written each : words)
                assertEquals(
                        Words.plain(fabric.memory(each.node).region(each.region).data(), each.offset),
                        fabric.persistentWord(each.node, each.region, each.offset),
                        () -> each + " was not flushed before " + before);
        }
    }
}
