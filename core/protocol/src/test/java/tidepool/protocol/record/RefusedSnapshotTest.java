package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.TxnRoom;
import tidepool.protocol.farmv2.FarmV2;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A transaction in a snapshot reads more rows than local memory has room for, and is refused in the middle. */
class RefusedSnapshotTest {
    private static final int VALUE_BYTES = 4096;
    private static final int ROWS = 400;
    private static final int ATTEMPTS = 100;

    /**
     * Otherwise the READs of the refused transaction stay in the round of the next transaction, which sends them too,
     * until the round is full.
     */
    @Test
    void theNextTransactionSendsItsOwnReadsAlone() {
        Protocol protocol = new FarmV2();
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            Session session = fabric.attach();
            PoolOptions options = new PoolOptions(protocol.name(), 1, 1, 64 << 20, 2, 1 << 20);
            Catalog catalog = Catalog.open(fabric, session, options).withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(value:bytes[" + VALUE_BYTES + "])"), ROWS);
            Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter());
            Txn first = coordinator.begin(); // so that there is a timestamp, and a snapshot
            first.insert(table, 0);
            assertEquals(Outcome.COMMITTED, first.commit());

            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Txn large = coordinator.begin();
                for (long key = 0; key < ROWS; key++) large.read(table, key);
                assertFalse(large.execute());
                assertEquals(AbortReason.NEEDS_ROOM, large.abortReason());
                large.rollback();
                coordinator.room(TxnRoom.SMALL);
            }

            Txn small = coordinator.begin();
            small.read(table, 0);
            small.read(table, 1);
            assertEquals(Outcome.COMMITTED, small.commit());
        }
    }
}
