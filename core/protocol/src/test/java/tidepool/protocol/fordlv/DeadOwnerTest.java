package tidepool.protocol.fordlv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.fordlv.FordLvOptions.Sharing;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Tests of a session that owns partitions and dies: another session writes there after the recovery, and not before.
 */
class DeadOwnerTest {
    private static final int PARTITIONS = 3;
    private static final int KEYS = 12;

    private static Coordinator coordinator(FordLv protocol, Session session, Catalog catalog) {
        return protocol.coordinator(session, catalog, new TxnCounter());
    }

    private static Catalog open(Fabric fabric, Session session) {
        return Catalog.open(fabric, session, new PoolOptions("ford-lv", 2, PARTITIONS, 1 << 16, 8, 4096));
    }

    /**
     * Otherwise no session could ever write there again, or a session would write without updating the versions that
     * the owner caches.
     */
    @ParameterizedTest
    @EnumSource(
            value = Sharing.class,
            names = {"LOCAL", "PARTITION"})
    void onlyARecoveryGivesBackWhatADeadSessionOwned(Sharing sharing) {
        FordLvOptions options = new FordLvOptions(sharing, 4096);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session dead = fabric.attach();
            Catalog its = open(fabric, dead);
            TableLayout table = its.table(Schema.parse("rows(n:long)"), KEYS);
            Coordinator owner = coordinator(new FordLv(options), dead, its);
            for (long key = 0; key < KEYS; key++) assertEquals(Outcome.COMMITTED, put(owner, table, key));
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(dead.number());
            Session session = fabric.attach();
            Catalog catalog = open(fabric, session);
            FordLv protocol = new FordLv(options);
            Coordinator heir = coordinator(protocol, session, catalog);

            for (long key = 0; key < KEYS; key++) {
                Txn txn = heir.begin();
                txn.read(table, (key + 1) % KEYS);
                txn.put(table, key);
                assertFalse(txn.execute(), "key " + key + " is still owned");
                assertEquals(AbortReason.OWNED_ELSEWHERE, txn.abortReason());
                assertEquals(dead.number(), txn.blockingSession());
                txn.rollback();
            }
            protocol.recovery(session, catalog).recover(dead.number());

            for (long key = 0; key < KEYS; key++) assertEquals(Outcome.COMMITTED, put(heir, table, key), "key " + key);
        }
    }

    /**
     * A row whose address the session remembers is written without a read of its bucket. Otherwise the session would
     * ask for the partition of the row before, and write without updating the versions that the owner caches.
     */
    @Test
    void aRememberedRowIsAskedForInItsOwnPartition() {
        FordLvOptions options = new FordLvOptions(Sharing.PARTITION, 4096);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session dead = fabric.attach();
            Catalog its = open(fabric, dead);
            TableLayout table = its.table(Schema.parse("rows(n:long)"), KEYS);
            long owned = key(table, 0);
            long free = key(table, 1);
            Session session = fabric.attach();
            Coordinator heir = coordinator(new FordLv(options), session, open(fabric, session));
            assertEquals(Outcome.COMMITTED, put(heir, table, free));
            Coordinator owner = coordinator(new FordLv(options), dead, its);
            assertEquals(Outcome.COMMITTED, put(owner, table, owned));
            for (long key : new long[] {owned, free}) {
                Txn reader = heir.begin();
                int access = reader.read(table, key);
                assertEquals(Outcome.COMMITTED, reader.commit());
                assertTrue(reader.found(access));
            }
            for (int node = 0; node < fabric.nodes(); node++)
                fabric.control(node).revoke(dead.number());

            assertEquals(Outcome.COMMITTED, put(heir, table, free));
            Txn txn = heir.begin();
            txn.put(table, owned);
            assertFalse(txn.execute());
            assertEquals(dead.number(), txn.blockingSession());
        }
    }

    /** So is a row that is not there, for which a bucket was read. */
    @Test
    void anInsertIsAskedForInItsOwnPartition() {
        FordLvOptions options = new FordLvOptions(Sharing.PARTITION, 4096);
        for (int owned = 0; owned < 2; owned++)
            try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
                Session dead = fabric.attach();
                Catalog its = open(fabric, dead);
                TableLayout table = its.table(Schema.parse("rows(n:long)"), KEYS);
                Session session = fabric.attach();
                Coordinator heir = coordinator(new FordLv(options), session, open(fabric, session));
                Coordinator owner = coordinator(new FordLv(options), dead, its);
                assertEquals(Outcome.COMMITTED, put(owner, table, key(table, owned)));
                for (int node = 0; node < fabric.nodes(); node++)
                    fabric.control(node).revoke(dead.number());

                assertEquals(Outcome.COMMITTED, put(heir, table, key(table, 1 - owned)), "partition " + (1 - owned));
                Txn txn = heir.begin();
                long other = key(table, owned) + 1;
                while (table.partition(other) != owned) other++;
                txn.insert(table, other);
                assertFalse(txn.execute(), "partition " + owned);
                assertEquals(dead.number(), txn.blockingSession());
            }
    }

    private static long key(TableLayout table, int partition) {
        long key = 0;
        while (table.partition(key) != partition) key++;
        return key;
    }

    private static Outcome put(Coordinator coordinator, TableLayout table, long key) {
        Txn txn = coordinator.begin();
        txn.put(table, key);
        return txn.commit();
    }
}
