package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A transaction writes as many objects as one may, on as many replicas as a pool may have. */
class LargestTxnTest {
    private static final int NODES = 4;
    private static final int ROWS_OF_A_LOAD = 16;

    /** Otherwise a round, a log or the descriptors of copies would be too small for a transaction that is allowed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford?undo=parallel",
                "ford-lv",
                "farm",
                "farmv2",
                "drtmh",
                "motor",
                "hdtx",
                "hdtx?release=client"
            })
    void everyRowIsWrittenOnEveryReplica(String name) {
        Protocol protocol = Protocols.named(name);
        try (Fabric fabric = Fabric.open("mem:?nodes=" + NODES)) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(
                            fabric, session, new PoolOptions(protocol.name(), NODES, 1, 4 << 20, 2, 1 << 18))
                    .withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), 2 * WriteSet.MAX_OBJECTS);
            Coordinator coordinator = protocol.coordinator(session, catalog, new TxnCounter());
            for (long key = 0; key < WriteSet.MAX_OBJECTS; key += ROWS_OF_A_LOAD) {
                Txn load = coordinator.begin();
                for (long one = key; one < Math.min(key + ROWS_OF_A_LOAD, WriteSet.MAX_OBJECTS); one++)
                    load.insert(table, one);
                assertEquals(Outcome.COMMITTED, load.commit());
            }

            for (int turn = 1; turn <= 2; turn++) {
                Txn txn = coordinator.begin();
                for (long key = 0; key < WriteSet.MAX_OBJECTS; key++) txn.update(table, key);
                assertTrue(txn.execute(), () -> "refused: " + txn.abortReason());
                for (int row = 0; row < WriteSet.MAX_OBJECTS; row++) Words.plain(txn.memory(), txn.value(row), turn);
                assertEquals(Outcome.COMMITTED, txn.commit());
            }

            for (long key = 0; key < WriteSet.MAX_OBJECTS; key++) {
                Txn reader = coordinator.begin();
                int access = reader.read(table, key);
                assertEquals(Outcome.COMMITTED, reader.commit(), "key " + key);
                assertEquals(2, Words.plain(reader.memory(), reader.value(access)), "key " + key);
            }
        }
    }
}
