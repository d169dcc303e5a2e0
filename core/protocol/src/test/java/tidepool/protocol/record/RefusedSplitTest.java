package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A split is a write, so FORD-LV leaves it to the owner of the partition: a split by another session would change
 * versions that the Vcache of the owner holds.
 */
class RefusedSplitTest {
    private static final PoolOptions OPTIONS = new PoolOptions("ford-lv", 1, 1, 1 << 20, 8, 16 * 1024);

    /** A session with its view of the table. */
    private static final class Client implements AutoCloseable {
        final Session session;
        final RecordCoordinator coordinator;
        final TableLayout table;

        Client(Fabric fabric, Protocol protocol) {
            session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, OPTIONS).withRows(protocol::rows);
            coordinator = (RecordCoordinator) protocol.coordinator(session, catalog, new TxnCounter());
            table = catalog.table(Schema.parse("rows(n:long)"), 1);
        }

        void insert(long key) {
            Txn txn = coordinator.begin();
            txn.insert(table, key);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }

        @Override
        public void close() {
            coordinator.close();
        }
    }

    @Test
    void onlyTheOwnerSplits() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1");
                Client owner = new Client(fabric, Protocols.named("ford-lv"));
                Client other = new Client(fabric, Protocols.named("ford-lv"))) {
            TableGrowth growth = other.coordinator.growth();
            long rows = 0;
            // The last insert of these notes a wish, which the owner carries out before its next transaction.
            while (!owner.coordinator.growth().isWished()) owner.insert(rows++);
            long before = size(owner);

            growth.wish(other.table, 0);
            while (growth.isWished()) other.coordinator.begin().rollback(); // an area, then the split
            StoreException refusal = growth.takeRefusal(other.table);
            assertNotNull(refusal, "the split was not refused");
            assertEquals(StoreException.Reason.OWNED, refusal.reason());
            assertEquals(
                    "table rows is owned by session " + owner.session.number()
                            + ", whose Vcache holds its versions: write it there",
                    refusal.getMessage());
            assertNull(growth.takeRefusal(other.table), "it is told once");
            StoreException insert = assertThrows(StoreException.class, () -> other.insert(1_000_000));
            assertEquals(refusal.getMessage(), insert.getMessage(), "an insert is refused by the same sentence");
            assertEquals(before, size(owner), "a bucket was split by a session that does not own it");

            while (owner.coordinator.growth().isWished())
                owner.coordinator.begin().rollback();
            assertTrue(size(owner) > before, "the owner carries its wish out");
            for (long key = 0; key < rows; key++) {
                Txn txn = other.coordinator.begin();
                int access = txn.read(other.table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());
                assertTrue(txn.found(access), "row " + key);
            }
        }
    }

    private static long size(Client client) {
        return client.table.size(0);
    }
}
