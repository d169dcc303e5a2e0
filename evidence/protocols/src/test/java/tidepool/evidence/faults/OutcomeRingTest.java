package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.TxnId;

/**
 * The outcomes that a pool keeps: an id and its outcome are read as one, on every node, and an overwritten outcome is
 * reported as unknown.
 */
class OutcomeRingTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford", 2, 2, 64 * 1024, 8, 4 * 1024);
    private static final long ASKED = TxnId.of(5, 1);

    private final Fabric memory = Fabric.open("mem:?nodes=3");
    private final CuttingFabric fabric = new CuttingFabric(memory);
    private final Session session = fabric.attach();
    private final Catalog catalog = Catalog.open(fabric, session, OPTIONS);

    @AfterEach
    void close() {
        memory.close();
    }

    /**
     * A recoverer dies at each verb with which it overwrites the outcome of another transaction, which was the
     * opposite.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void halfOverwrittenIsNeverTheOpposite(boolean happened) {
        for (long verb = 0; ; verb++) {
            catalog.recordOutcome(ASKED, happened);
            fill(CatalogLayout.OUTCOMES - 1);
            Session writer = fabric.attach();
            Catalog its = Catalog.open(fabric, writer, OPTIONS);
            fabric.cutAt(writer.number(), verb, false);
            boolean died = false;
            try {
                its.recordOutcome(TxnId.of(6, 1), !happened);
            } catch (FabricException e) {
                died = true;
            }
            fabric.disarm();
            int told = catalog.outcome(ASKED);
            assertTrue(told == 0 || told == (happened ? 1 : 2), "told " + told + " after verb " + verb);
            if (!died) {
                assertEquals(0, told);
                return;
            }
        }
    }

    /** The outcome is overwritten between any two verbs of the client that asks for it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void overwrittenWhileItIsReadIsNeverTheOpposite(boolean happened) {
        Catalog others = Catalog.open(fabric, fabric.attach(), OPTIONS);
        for (long verb = 0; ; verb++) {
            catalog.recordOutcome(ASKED, happened);
            fill(CatalogLayout.OUTCOMES - 1);
            fabric.beforeVerb(session.number(), verb, () -> others.recordOutcome(TxnId.of(6, 1), !happened));
            int told = catalog.outcome(ASKED);
            boolean came = fabric.disarm();
            assertTrue(told == 0 || told == (happened ? 1 : 2), "told " + told + " at verb " + verb);
            if (!came) return;
        }
    }

    /** The count that was read before tells exactly from when on an outcome may be overwritten. */
    @Test
    void whatMayBeGoneIsKnown() {
        fill(CatalogLayout.OUTCOMES); // the count goes on for ever
        long before = catalog.outcomesRecorded();
        catalog.recordOutcome(ASKED, true);
        assertTrue(catalog.keepsOutcomesAfter(before));
        for (int i = 0; i < 2 * CatalogLayout.OUTCOMES; i++) {
            fill(1);
            boolean there = catalog.outcome(ASKED) == 1;
            if (!there) assertFalse(catalog.keepsOutcomesAfter(before), "gone after " + i + " others");
        }
        assertEquals(0, catalog.outcome(ASKED));
    }

    /** The first node may be lost: every other one answers in its place. */
    @Test
    void everyNodeHasEveryOutcome() {
        catalog.recordOutcome(ASKED, true);
        catalog.recordOutcome(TxnId.of(5, 2), false);
        Lane lane = fabric.attach().lane();
        var landed = lane.landing(4 * Words.BYTES);
        for (int node = 0; node < fabric.nodes(); node++) {
            Region region = lane.connect(node).open(fabric.control(node).regions()[0]);
            lane.round(2)
                    .read(region, CatalogLayout.outcome(0), 4 * Words.BYTES, landed, 0)
                    .post()
                    .await();
            assertEquals(ASKED, Words.plain(landed, 0), "id on node " + node);
            assertEquals(1, Words.plain(landed, Words.BYTES), "outcome on node " + node);
            assertEquals(TxnId.of(5, 2), Words.plain(landed, 2 * Words.BYTES), "id on node " + node);
            assertEquals(2, Words.plain(landed, 3 * Words.BYTES), "outcome on node " + node);
            lane.round(1)
                    .read(region, CatalogLayout.NEXT_OUTCOME, Words.BYTES, landed, 0)
                    .post()
                    .await();
            assertEquals(2, Words.plain(landed, 0), "count on node " + node);
        }
    }

    /**
     * A recoverer that is revoked at one node may still write at the others. A session that takes its lock over revokes
     * it everywhere first.
     */
    @Test
    void recoveryLockIsTakenOnlyFromASessionThatCannotWrite() {
        Session slow = fabric.attach();
        Catalog its = Catalog.open(fabric, slow, OPTIONS);
        assertTrue(its.tryRecoveryLock());
        assertFalse(catalog.tryRecoveryLock(), "its holder lives");
        fabric.control(0).revoke(slow.number());

        assertTrue(catalog.tryRecoveryLock());
        for (int node = 0; node < fabric.nodes(); node++) {
            assertTrue(fabric.control(node).isRevoked(slow.number()), "at node " + node);
            Lane lane = slow.lane();
            int at = node;
            assertThrows(FabricException.class, () -> {
                Region region = lane.connect(at).open(fabric.control(at).regions()[0]);
                lane.round(1)
                        .write(region, CatalogLayout.HISTORY_CLOCK, 1)
                        .post()
                        .await();
            });
        }
    }

    private void fill(int count) {
        for (int i = 0; i < count; i++) catalog.recordOutcome(TxnId.of(7, 1 + i), i % 2 == 0);
    }
}
