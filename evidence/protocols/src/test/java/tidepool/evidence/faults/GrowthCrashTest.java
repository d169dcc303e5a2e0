package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.PoolCheck;
import tidepool.protocol.Protocols;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.testkit.Effort;

/**
 * A process dies at each verb while it adds an area to a table and splits its first buckets. Every row is found once,
 * whether the split is finished or undone, and the table goes on growing.
 */
class GrowthCrashTest {
    private static final int PARTITIONS = 1;
    private static final int REPLICAS = 2;
    private static final Logger LOG = Logger.getLogger("tidepool"); // one that is not kept would talk again
    private static final int MORE = 4;

    /** A row so long that a bucket has two slots. */
    public record Visit(@Key long id, long who, @Length(400) byte[] text) {
        Visit(long id) {
            this(id, id * 3, new byte[400]);
        }
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void everyRowIsFoundOnce(String protocol) {
        Load load = new Crash(protocol, 1, Load.NOTHING).firstGrowth();
        int finished = 0;
        int undone = 0;
        for (long verb = 0; ; verb++) {
            Crash crash = new Crash(protocol, 1 + verb, load);
            if (!crash.run(verb, When.AFTER)) break;
            if (crash.isSplit()) finished++;
            else undone++;
        }
        assertTrue(finished > 0 && undone > 0, finished + " finished, " + undone + " undone");
    }

    /**
     * The process dies before and after each verb of a split of a table that has grown before: with several areas, rows
     * in overflow buckets, and a size that is not that of the start. A full run takes each verb of FORD, in turn before
     * and after it; a night takes both of each verb and protocol.
     */
    @ParameterizedTest
    @MethodSource("protocols")
    void everyRowIsFoundOnceInATableThatHasGrown(String protocol) {
        Load load = new Crash(protocol, 1, Load.NOTHING).laterGrowth();
        boolean all = Effort.current() == Effort.NIGHT;
        int step = protocol.equals("ford") ? Effort.of(5, 1, 1) : Effort.of(11, 7, 1);
        int finished = 0;
        int undone = 0;
        boolean ends = false;
        for (long verb = 0; !ends; verb += step)
            for (When when : When.values()) {
                if (!all && (verb % 2 == 0) != (when == When.AFTER)) continue;
                Crash crash = new Crash(protocol, 1 + verb, load);
                if (!crash.run(verb, when)) {
                    ends = true;
                    break;
                }
                if (crash.isSplit()) finished++;
                else undone++;
            }
        assertTrue(finished > 0 && undone > 0, finished + " finished, " + undone + " undone");
    }

    /** The process that recovers the split dies too, at each few of its verbs; the next one comes to the same end. */
    @ParameterizedTest
    @MethodSource("protocols")
    void theRecovererOfASplitMayDie(String protocol) {
        Load load = new Crash(protocol, 1, Load.NOTHING).laterGrowth();
        long decided = 0; // the first verb after which the split is finished
        while (true) {
            Crash crash = new Crash(protocol, 1 + decided, load);
            assertTrue(crash.run(decided, When.AFTER), "no split was finished");
            if (crash.isSplit()) break;
            decided += 2;
        }
        int step = Effort.of(13, 7, 1);
        for (long verb : new long[] {decided - 2, decided}) {
            int deaths = 0;
            TreeSet<Boolean> ends = new TreeSet<>();
            for (long recoverer = 0; ; recoverer += step) {
                Crash crash = new Crash(protocol, 1 + verb, load);
                boolean died = crash.run(verb, When.AFTER, recoverer);
                ends.add(crash.isSplit());
                if (!died) break;
                deaths++;
            }
            assertTrue(deaths > 0, "the recoverer did not die, verb " + verb);
            assertEquals(1, ends.size(), "the recoverers of one split decide differently, verb " + verb);
        }
    }

    /**
     * What is in the table before the process that dies begins.
     *
     * @param rows number of rows
     * @param more keys that the process inserts; one of its transactions splits a bucket
     * @param chains number of first buckets
     */
    private record Load(int rows, int more, long chains) {
        static final Load NOTHING = new Load(0, 0, 0);
    }

    private static final class Crash {
        private final String protocol;
        private final Simulation simulation;
        private final Load load;
        private final TreeSet<Long> sure = new TreeSet<>();
        private boolean open;
        private boolean over;
        private long left;
        private TableLayout layout;

        Crash(String protocol, long seed, Load load) {
            this.protocol = protocol;
            this.simulation = new Simulation(seed);
            this.load = load;
        }

        boolean isSplit() {
            return left > load.chains;
        }

        /** Returns with how many rows the next transactions split a bucket for the first time. */
        Load firstGrowth() {
            return grow((pool, visits, table) -> {
                while (!table.hasGrown()) insert(pool, visits, sure.size());
                return new Load(sure.size() - 2, MORE, 1);
            });
        }

        /** Returns a load after which another session splits a bucket of a table that has grown. */
        Load laterGrowth() {
            return grow((pool, visits, table) -> {
                while (table.size(0) < table.buckets() + 3) insert(pool, visits, sure.size());
                int rows = sure.size();
                pool.close();
                Tidepool other = open(simulated);
                Table<Visit> its = other.table("visits", Visit.class, 1);
                PoolAccess.usage(other, its.handle(), Long.MAX_VALUE); // learns the size
                TableLayout grown = PoolAccess.layout(its.handle());
                other.read(tx -> its.get(tx, 0));
                long chains =
                        PoolAccess.usage(other, its.handle(), Long.MAX_VALUE).chains();
                int more = 0;
                for (long after = chains; after == chains; more++) {
                    insert(other, its, rows + more);
                    after = PoolAccess.usage(other, its.handle(), Long.MAX_VALUE)
                            .chains();
                }
                assertTrue(grown.hasGrown() && more > 1, "a wish, and its split");
                other.close();
                return new Load(rows, more, chains);
            });
        }

        private interface Growing {
            Load of(Tidepool pool, Table<Visit> visits, TableLayout table);
        }

        private SimFabric simulated;

        private Load grow(Growing growing) {
            try (simulation) {
                simulated = fabric();
                Load[] found = new Load[1];
                start("loader", () -> {
                    Tidepool pool = open(simulated);
                    Table<Visit> visits = pool.table("visits", Visit.class, 1);
                    found[0] = growing.of(pool, visits, PoolAccess.layout(visits.handle()));
                    pool.close();
                });
                simulation.run();
                return found[0];
            }
        }

        private SimFabric fabric() {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            return new SimFabric(simulation, REPLICAS, costs, ClusterOptions.DEATHS);
        }

        /** Dies at a verb. Returns false if the victim ended before that verb. */
        boolean run(long verb, When when) {
            try (simulation) {
                SimFabric fabric = fabric();
                load(fabric);
                simulation.crashMachineOf("victim", verb, when);
                Machine dying = start("opener", () -> die(fabric));
                start("watcher", () -> {
                    Tidepool pool = open(fabric);
                    open = true;
                    while (!dying.isDead() && !over) Waiting.pause(1_000);
                    finish(fabric, pool);
                });
                simulation.run();
                simulation.settle();
                new PoolCheck(fabric, layout, false).check();
                return dying.isDead();
            }
        }

        /** Dies at a verb, and so does its recoverer. Returns false if the recoverer ended before its verb. */
        boolean run(long verb, When when, long recoverer) {
            try (simulation) {
                SimFabric fabric = fabric();
                load(fabric);
                open = true;
                simulation.crashMachineOf("victim", verb, when);
                Machine dying = start("opener", () -> die(fabric));
                simulation.run();
                assertTrue(dying.isDead(), "the victim ended before verb " + verb);
                simulation.crashMachineOf("recoverer", recoverer, When.AFTER);
                Machine second = start("second", () -> {
                    Tidepool pool = open(fabric);
                    simulation.start(simulation.machine("second", 1), "recoverer", pool::recoverAll);
                    while (simulation.strand("recoverer") == null
                            || !simulation.strand("recoverer").isDone()) Waiting.pause(5_000);
                    pool.close();
                });
                simulation.run();
                start("last", () -> finish(fabric, open(fabric)));
                simulation.run();
                simulation.settle();
                new PoolCheck(fabric, layout, false).check();
                return second.isDead();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        protocol + " verb=" + verb + " recoverer=" + recoverer
                                + CrashPlaces.of(simulation, "victim", "recoverer") + ": " + e.getMessage(),
                        e);
            }
        }

        private void load(SimFabric fabric) {
            start("loader", () -> {
                Tidepool pool = open(fabric);
                Table<Visit> visits = pool.table("visits", Visit.class, 1);
                for (int i = 0; i < load.rows; i++) insert(pool, visits, i);
                pool.close();
            });
            simulation.run();
        }

        private Machine start(String name, Runnable body) {
            Machine machine = simulation.machine(name, 1);
            simulation.start(machine, name, body);
            return machine;
        }

        private Tidepool open(SimFabric fabric) {
            var made = Protocols.named(protocol);
            return PoolAccess.open(
                    fabric, new PoolOptions(made.name(), REPLICAS, PARTITIONS, 2 << 20, 4, 64 * 1024), made);
        }

        private void insert(Tidepool pool, Table<Visit> visits, long id) {
            pool.transact(tx -> visits.insert(tx, new Visit(id)));
            sure.add(id);
        }

        private void die(SimFabric fabric) {
            Tidepool pool = open(fabric);
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            pool.read(tx -> visits.get(tx, 0));
            while (!open) Waiting.pause(1_000);
            simulation.start(simulation.machine("opener", 1), "victim", () -> {
                for (int i = 0; i < load.more; i++) insert(pool, visits, load.rows + i);
            });
            while (simulation.strand("victim") == null
                    || !simulation.strand("victim").isDone()) Waiting.pause(5_000);
            pool.close();
            over = true;
        }

        private void finish(SimFabric fabric, Tidepool pool) {
            for (int tries = 0; fabric.control(0).sessions().length > 1; tries++) {
                pool.recoverAll();
                Waiting.pause(5_000);
                if (tries > 1_000) throw new ClusterFailure("sessions are left that nobody recovers");
            }
            Table<Visit> visits = pool.table("visits", Visit.class, 1);
            layout = PoolAccess.layout(visits.handle());
            left = PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE).chains();
            assertRows(pool, visits);
            for (int i = 0; i < 20; i++) insert(pool, visits, 1000 + i);
            assertRows(pool, visits);
            PoolAccess.usage(pool, visits.handle(), Long.MAX_VALUE); // learns all areas
            pool.close();
        }

        /** What was reported is there; what was not may be there; nothing is there twice. */
        private void assertRows(Tidepool pool, Table<Visit> visits) {
            TreeSet<Long> seen = new TreeSet<>();
            visits.forEach(row -> {
                assertEquals(row.id() * 3, row.who());
                assertTrue(seen.add(row.id()), row.id() + " is there twice");
            });
            for (long id : sure) {
                assertTrue(seen.contains(id), id + " is lost");
                assertNotNull(pool.read(tx -> visits.get(tx, id)), id + " is not found");
            }
            for (long id : seen)
                assertTrue(
                        sure.contains(id) || id >= load.rows && id < load.rows + load.more, id + " was never inserted");
        }
    }
}
