package tidepool.protocol.ford;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.TxnRoom;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Tests of a transaction whose logs do not fit into local memory: some have memory when it is refused. */
class RefusedLogTest {
    private static final int NODES = 3;
    private static final int VALUE_BYTES = 4096;

    /** With all rows and two of three logs, local memory is nearly used up. */
    private static final int ROWS = 66;

    /**
     * Otherwise the logs of the refused transaction stay in the round in which the next transaction makes its own,
     * until the round is full.
     */
    @Test
    void theNextTransactionMakesItsOwnLogsAlone() {
        Protocol protocol = Protocols.named("ford?undo=parallel");
        try (Fabric fabric = Fabric.open("mem:?nodes=" + NODES)) {
            Session session = fabric.attach();
            PoolOptions options = new PoolOptions("ford", 2, NODES, 8 << 20, 2, 1 << 20);
            Catalog catalog = Catalog.open(fabric, session, options);
            TableLayout table = catalog.table(Schema.parse("rows(value:bytes[" + VALUE_BYTES + "])"), 4 * ROWS);
            Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter());
            for (long key = 0; key < ROWS; key++) assertEquals(Outcome.COMMITTED, put(coordinator, table, key));

            for (int attempt = 0; attempt < 2 * NODES; attempt++) {
                Txn large = coordinator.begin();
                for (long key = 0; key < ROWS; key++) large.update(table, key);
                assertTrue(large.execute());
                assertEquals(Outcome.ABORTED, large.commit());
                assertEquals(AbortReason.NEEDS_ROOM, large.abortReason());
                coordinator.room(TxnRoom.SMALL);
            }

            for (long key = 0; key < ROWS; key++) assertEquals(Outcome.COMMITTED, put(coordinator, table, key));
        }
    }

    private static Outcome put(Coordinator coordinator, TableLayout table, long key) {
        Txn txn = coordinator.begin();
        txn.put(table, key);
        return txn.commit();
    }
}
