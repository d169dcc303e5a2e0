package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;

/** The words of a catalog that a session has built upon outlast a loss of power. */
class CatalogPowerTest {
    private static final PoolOptions SMALL = new PoolOptions("ford", 2, 0, 1 << 20, 8, 4096);
    private static final Schema ACCOUNT =
            Schema.builder("account").attribute("balance", AttributeType.LONG).build();

    @Test
    void formatAndTablesOutlastTheLoss() {
        for (long seed = 0; seed < 50; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                SimFabric fabric = fabric(simulation);
                long base = open(fabric, FlushPolicy.FULL).table(ACCOUNT, 100).base();
                cutPower(fabric);

                Catalog catalog = open(fabric, FlushPolicy.FULL);
                assertEquals(base, catalog.table("account").base());
                assertTrue(catalog.hasLostPower());
                catalog.repaired(catalog.powerLosses());
                assertFalse(open(fabric, FlushPolicy.FULL).hasLostPower());
            }
        }
    }

    /**
     * A session finds a pool or a table that another session has just made and not yet flushed. A loss of power must
     * not take it.
     */
    @Test
    void aTableThatWasFoundSurvivesAPowerFailure() {
        int found = 0;
        int cutBefore = 0;
        for (long seed = 0; seed < 400; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                SimFabric fabric = fabric(simulation);
                Randomness random = simulation.randomness("test");
                TableLayout[] tables = new TableLayout[3];
                for (int i = 0; i < tables.length; i++) {
                    int who = i;
                    simulation.start(
                            simulation.machine("m" + i, 1),
                            "m" + i,
                            () -> tables[who] =
                                    open(fabric, FlushPolicy.SELECTIVE).table(ACCOUNT, 100));
                }
                simulation.runUntil(100_000 + random.nextLong(900_000));
                for (int i = 0; i < tables.length; i++)
                    simulation.machine("m" + i, 1).crash();
                cutPower(fabric);
                simulation.runUntil(simulation.nowNanos() + 20_000_000); // their leases end

                TableLayout left = open(fabric, FlushPolicy.SELECTIVE).table("account");
                for (TableLayout table : tables) {
                    if (table == null) continue;
                    found++;
                    assertEquals(table.base(), left.base(), "seed " + seed);
                }
                if (left == null) cutBefore++;
            }
        }
        assertTrue(found > 100 && cutBefore > 20, "found " + found + " cut before " + cutBefore);
    }

    /**
     * A client learns the outcome of a commit that was cut off, and the power is lost. Without the outcome, and with
     * the old count of outcomes, the transaction would count as one that never happened. It would be carried out again.
     */
    @Test
    void outcomesOutlastALoss() {
        for (long seed = 0; seed < 50; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                SimFabric fabric = fabric(simulation);
                Catalog before = open(fabric, FlushPolicy.SELECTIVE);
                before.recordOutcome(TxnId.of(5, 1), true);
                before.recordOutcome(TxnId.of(5, 2), false);
                cutPower(fabric);

                Catalog after = open(fabric, FlushPolicy.SELECTIVE);
                assertEquals(1, after.outcome(TxnId.of(5, 1)), "seed " + seed);
                assertEquals(2, after.outcome(TxnId.of(5, 2)), "seed " + seed);
                assertEquals(2, after.outcomesRecorded(), "seed " + seed);
            }
        }
    }

    /** Recorded events of before and after a loss of power have different times. */
    @Test
    void theClockOfHistoriesNeverGoesBack() {
        for (long seed = 0; seed < 50; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                SimFabric fabric = fabric(simulation);
                long before = open(fabric, FlushPolicy.SELECTIVE).historyTick();
                cutPower(fabric);

                long after = open(fabric, FlushPolicy.SELECTIVE).historyTick();
                assertTrue(after > before, "seed " + seed + ": " + after + " after " + before);
            }
        }
    }

    @Test
    void poolWithoutFlushIsRefusedAfterALoss() {
        for (long seed = 0; seed < 20; seed++) {
            try (Simulation simulation = new Simulation(seed)) {
                SimFabric fabric = fabric(simulation);
                open(fabric, FlushPolicy.NONE).table(ACCOUNT, 100);
                cutPower(fabric);

                StoreException e = assertThrows(StoreException.class, () -> open(fabric, FlushPolicy.NONE));
                assertEquals(StoreException.Reason.CORRUPT, e.reason());
                assertTrue(e.getMessage().contains("flush=none"), e.getMessage());
            }
        }
    }

    private static SimFabric fabric(Simulation simulation) {
        Adversary adversary = Adversary.ORDER.withPersistence(20_000);
        return new SimFabric(simulation, 2, CostProfile.CX5_OPTANE, adversary);
    }

    private static Catalog open(SimFabric fabric, FlushPolicy flush) {
        return Catalog.open(fabric, fabric.attach(), SMALL, flush);
    }

    private static void cutPower(SimFabric fabric) {
        for (int node = 0; node < fabric.nodes(); node++) fabric.failPower(node);
        for (int node = 0; node < fabric.nodes(); node++) fabric.restartNode(node);
    }
}
