package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Session;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** What a closed coordinator gives back: its place in the pool and its lane. */
class ClosedCoordinatorTest {
    private static final int COORDINATORS = 8;

    /**
     * Otherwise the links of each closed coordinator, which are connections of a network, would stay open until the
     * session ends, and the places of the pool would run out.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford-lv", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void itsLaneIsClosedAndItsPlaceIsFree(String name) {
        Protocol protocol = Protocols.named(name);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(
                            fabric, session, new PoolOptions(protocol.name(), 2, 1, 1 << 18, COORDINATORS, 8 * 1024))
                    .withRows(protocol::rows);
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), 4 * COORDINATORS);
            TxnCounter counters = new TxnCounter();
            for (long key = 0; key < 2 * COORDINATORS; key++) {
                RecordCoordinator coordinator = (RecordCoordinator) protocol.coordinator(session, catalog, counters);
                Txn txn = coordinator.begin();
                txn.insert(table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());

                coordinator.close();

                FabricException closed = assertThrows(
                        FabricException.class, () -> coordinator.lane().connect(0));
                assertEquals(FabricException.Reason.CLOSED, closed.reason());
            }
        }
    }
}
