package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Table;
import tidepool.Tidepool;
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
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.testkit.Effort;

/**
 * A node comes back with less than it has acknowledged. Whatever else fails, a read returns the newest value, or the
 * pool reports that no copy has it.
 */
class ShortCopyTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int ROWS = 10;

    /** Distance of the verbs at which a machine dies; at night it dies at all of them. */
    private static final int EVERY = Effort.of(7, 7, 1);

    /** A row with a number. */
    public record Row(@Key long key, long value) {}

    private Simulation simulation;
    private SimFabric fabric;
    private PoolOptions options;
    private Protocol ford;
    private long newest;
    private boolean refused;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    private void begin(Simulation played, int copies, FlushPolicy flush) {
        simulation = played;
        newest = 0;
        ford = new Ford(FordOptions.DEFAULT.with(flush));
        options = new PoolOptions("ford", copies, copies, 64 * 1024, 4, 4096);
        CostProfile costs = CostProfile.CX5_OPTANE.withLease(0).withDeadline(2_000_000);
        fabric = new SimFabric(
                simulation, copies, costs, Adversary.ORDER.withPersistence(0).withJournals(0));
    }

    private Machine run(String name, Runnable body) {
        Machine machine = simulation.machine(name, 1);
        simulation.start(machine, name, body);
        simulation.run();
        return machine;
    }

    private void write() {
        newest++;
        run("writer", () -> {
            try (Tidepool pool = PoolAccess.open(fabric, options, ford)) {
                Table<Row> rows = pool.table("rows", Row.class, ROWS);
                for (long i = 1; i <= ROWS; i++) {
                    Row row = new Row(i, newest);
                    pool.transact(tx -> rows.put(tx, row));
                }
            }
        });
    }

    private void read() {
        refused = false;
        run("reader", this::readAll);
    }

    private void readAll() {
        try (Tidepool pool = PoolAccess.open(fabric, options, ford)) {
            Table<Row> rows = pool.table("rows", Row.class);
            for (long i = 1; i <= ROWS; i++) {
                long key = i;
                assertEquals(newest, (long) pool.read(tx -> rows.get(tx, key).value()), "row " + key);
            }
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.UNAVAILABLE) throw e;
            refused = true;
        }
    }

    private void killAll() {
        for (int node = 0; node < fabric.nodes(); node++) {
            fabric.failPower(node, (region, line) -> false);
            fabric.restartNode(node);
        }
    }

    /** Two copies, and the other node lost nothing: also if the files of the short one do not tell. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "0, false", "1, false"})
    void aNodeThatLostNothingIsBelieved(int node, boolean noticed) {
        for (FlushPolicy flush : new FlushPolicy[] {FlushPolicy.SELECTIVE, FlushPolicy.FULL})
            try (Simulation played = new Simulation(1)) {
                begin(played, 2, flush);
                write();
                SimFabric.Saved older = fabric.saved(node);
                write();
                write();
                fabric.bringBack(node, older, noticed);
                fabric.restartNode(node);
                read();
                assertTrue(!refused, "the other copy is whole");
                killAll();
                read();
                assertTrue(!refused, "and so is this one, since it was filled");
                write();
                read();
            }
    }

    /** The power of all nodes fails, and one of three is short. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threeCopiesAreOpenedAgain(boolean noticed) {
        for (int node = 0; node < 3; node++)
            try (Simulation played = new Simulation(1)) {
                begin(played, 3, noticed ? FlushPolicy.SELECTIVE : FlushPolicy.FULL);
                write();
                SimFabric.Saved older = fabric.saved(node);
                write();
                killAll();
                fabric.bringBack(node, older, noticed);
                fabric.restartNode(node);
                read();
                assertTrue(!refused, "node " + node);
            }
    }

    /** No node has the newest value, or it cannot be decided which one has. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPoolWithoutTheNewestValueIsRefused(boolean noticed) {
        try (Simulation played = new Simulation(1)) {
            begin(played, 2, noticed ? FlushPolicy.SELECTIVE : FlushPolicy.FULL);
            write();
            SimFabric.Saved older = fabric.saved(1);
            write();
            killAll();
            fabric.bringBack(1, older, noticed);
            fabric.restartNode(1);
            read();
            assertTrue(refused);
            read();
            assertTrue(refused, "and stays so");
        }
    }

    /** The machine that fills a short copy dies at every verb, and the power of all nodes fails, or not. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "0, true", "1, true"})
    void theFillingMayBeCutOffAnywhere(int node, boolean power) {
        long verb = 0;
        boolean isCutOff = true;
        int lost = 0;
        while (isCutOff) {
            try (Simulation played = new Simulation(1)) {
                begin(played, 2, FlushPolicy.SELECTIVE);
                write();
                SimFabric.Saved older = fabric.saved(node);
                write();
                fabric.bringBack(node, older, true);
                fabric.restartNode(node);
                simulation.crashMachineOf("cut off", verb, When.AFTER);
                isCutOff = run("cut off", this::readAll).isDead();
                if (power) killAll();
                read(); // never an old value
                if (refused) lost++;
                assertTrue(power || !refused, "verb " + verb);
                verb += EVERY;
            }
        }
        assertTrue(verb > 50, verb + " verbs");
        assertTrue(lost < verb / EVERY, "some are filled before it is too late: " + lost + " of " + verb);
    }

    /** A crash after which all copies are complete leads to no doubt. */
    @Test
    void whatIsWholeIsNotDoubted() {
        for (int node = 0; node < 2; node++)
            for (long verb = 0; verb < 120; verb += EVERY)
                try (Simulation played = new Simulation(verb)) {
                    begin(played, 2, FlushPolicy.SELECTIVE);
                    write();
                    simulation.crashMachineOf("writer of one", verb, When.AFTER);
                    run("writer of one", () -> {
                        try (Tidepool pool = PoolAccess.open(fabric, options, ford)) {
                            Table<Row> rows = pool.table("rows", Row.class);
                            pool.transact(tx -> rows.put(tx, new Row(1, newest)));
                            pool.transact(tx -> rows.put(tx, new Row(ROWS + 1, 7)));
                        }
                    });
                    fabric.failPower(node, (region, line) -> false);
                    fabric.restartNode(node);
                    read();
                    assertTrue(!refused, "verb " + verb);
                    assertEquals(0, fabric.timesDoubted(0) + fabric.timesDoubted(1), "verb " + verb);
                }
    }
}
