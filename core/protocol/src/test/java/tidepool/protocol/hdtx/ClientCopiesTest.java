package tidepool.protocol.hdtx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** The client sends the data a second time and makes it visible, instead of the memory side. */
class ClientCopiesTest {
    private static final int ROWS = 4;

    /**
     * Each transaction writes one row less than the one before. Otherwise it would make the rows of the one before
     * visible too, as its own: their bodies name another writer, and no transaction could read them again.
     */
    @Test
    void onlyRowsOfTheTransactionAreMadeVisible() {
        Hdtx protocol = new Hdtx(HdtxOptions.DEFAULT.with(HdtxOptions.Release.CLIENT));
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, new PoolOptions("hdtx", 2, 1, 1 << 16, 8, 4096))
                    .withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), ROWS);
            Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter());
            Txn load = coordinator.begin();
            for (long key = 0; key < ROWS; key++) load.insert(table, key);
            assertEquals(Outcome.COMMITTED, load.commit());
            for (int rows = ROWS; rows > 0; rows--) {
                Txn txn = coordinator.begin();
                for (long key = 0; key < rows; key++) txn.update(table, key);
                txn.execute();
                for (int row = 0; row < rows; row++) Words.plain(txn.memory(), txn.value(row), rows);
                assertEquals(Outcome.COMMITTED, txn.commit());
            }

            for (long key = 0; key < ROWS; key++) {
                Txn reader = coordinator.begin();
                int access = reader.read(table, key);
                assertEquals(Outcome.COMMITTED, reader.commit(), "key " + key);
                assertEquals(key + 1, Words.plain(reader.memory(), reader.value(access)), "key " + key);
            }
        }
    }
}
