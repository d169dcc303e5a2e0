package tidepool.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.base.Words;
import tidepool.fabric.VerbKind;
import tidepool.schema.AttributeType;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.sim.VerbInFlight;
import tidepool.sim.VerbListener;

/** The words of a catalog that a session has built upon outlast a loss of power. */
class CatalogPowerTest {
    private static final PoolOptions SMALL = new PoolOptions("ford", 2, 0, 1 << 20, 8, 4096);
    private static final Schema ACCOUNT =
            Schema.builder("account").attribute("balance", AttributeType.LONG).build();
    private static final Roster ROSTER =
            RosterPlan.first(List.of(new Roster.Member("sim:0", "0"), new Roster.Member("sim:1", "1")), 2, 2);
    private static final List<Long> READY_AND_OPEN = List.of(CatalogLayout.READY, ROSTER.epoch() + 1);

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

    /**
     * Each step of a change of nodes ends when its words are flushed. The next step frees regions, lets sessions in or
     * forgets them, and a loss of power does not undo that.
     */
    @Test
    void everyStepOfAChangeIsFlushed() {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = changingFabric(simulation);
            Catalog change = changeOf(fabric);
            fabric.listen(new VerbListener() {
                /** The catalog of a node that is ready may be restored to other nodes, so it is whole. */
                @Override
                public void onApplied(VerbInFlight verb) {
                    requireNamedRegions(fabric);
                    if (isOfCatalog(verb, CatalogLayout.STATE)) requireFlushed(fabric, CatalogLayout.STATE, "ready");
                }
            });

            change.announceChange();
            requireFlushed(fabric, -1, "announced");
            change.layOut();
            requireFlushed(fabric, -1, "laid out");
            change.disown();
            requireFlushed(fabric, -1, "disowned");
            change.disownAll();
            requireFlushed(fabric, -1, "versions forgotten");
            change.openEpoch();
            requireFlushed(fabric, -1, "open");
            change.repaired(new long[] {7, 8, 9});
            requireFlushed(fabric, -1, "repaired");

            assertEquals(0, change.ownerOf(0));
            assertEquals(0, fabric.persistentWord(0, 0, CatalogLayout.partitionRegion(1)), "the copy that was dropped");
            assertEquals(READY_AND_OPEN, stateAndEpoch(fabric, fabric.nodes() - 1), "the node that joined");
        }
    }

    /** Returns a flushed pool of two nodes, with a coordinator and a shared table of versions. A third node is new. */
    private static SimFabric changingFabric(Simulation simulation) {
        SimFabric fabric = new SimFabric(simulation, 3, CostProfile.CX5_OPTANE, Adversary.ORDER.withPersistence(0));
        SimFabric two = fabric.showing(0, 1);
        Catalog catalog = Catalog.open(two, two.attach(), SMALL, FlushPolicy.FULL, ROSTER);
        catalog.table(ACCOUNT, 100);
        assertEquals(0, catalog.claimCoordinator());
        catalog.versionTable(true, 1 << 16);
        for (int node = 0; node < 2; node++) {
            fabric.failPower(node, (region, line) -> true);
            fabric.restartNode(node);
        }
        return fabric;
    }

    private static Catalog changeOf(SimFabric fabric) {
        Roster joined = RosterPlan.with(ROSTER, new Roster.Member("sim:2", "2"));
        List<Roster.Copies> copies =
                List.of(new Roster.Copies(List.of(0, 1), List.of()), new Roster.Copies(List.of(1), List.of(2)));
        Roster changing = new Roster(joined.epoch(), false, joined.members(), copies);
        return Catalog.openForChange(fabric, fabric.attach(), SMALL, changing);
    }

    /** After a loss of power no word names a region that was freed: another one may have its number by then. */
    private static void requireNamedRegions(SimFabric fabric) {
        for (int node = 0; node < fabric.nodes(); node++)
            for (int p = 0; p < ROSTER.partitions().size(); p++) {
                long word = fabric.persistentWord(node, 0, CatalogLayout.partitionRegion(p));
                int region = (int) (word & CatalogLayout.UNFLUSHED - 1);
                if (region != 0)
                    assertNotNull(fabric.memory(node).region(region), "partition " + p + " of node " + node);
            }
    }

    private static boolean isOfCatalog(VerbInFlight verb, long offset) {
        return verb.kind() == VerbKind.WRITE && verb.regionNumber() == 0 && verb.offset() == offset;
    }

    /** @param except the offset of a word that may differ */
    private static void requireFlushed(SimFabric fabric, long except, String step) {
        for (int node = 0; node < fabric.nodes(); node++)
            for (long at = 0; at < CatalogLayout.BYTES; at += Words.BYTES) {
                long flushed = fabric.persistentWord(node, 0, at);
                long word = Words.plain(fabric.memory(node).region(0).data(), at);
                if (word != flushed && at != except)
                    fail(step + ": word at " + at + " of node " + node + " is " + word + ", flushed is " + flushed);
            }
    }

    private static List<Long> stateAndEpoch(SimFabric fabric, int node) {
        return List.of(
                fabric.persistentWord(node, 0, CatalogLayout.STATE),
                fabric.persistentWord(node, 0, CatalogLayout.EPOCH));
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
