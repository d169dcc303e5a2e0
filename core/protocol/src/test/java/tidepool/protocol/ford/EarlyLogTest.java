package tidepool.protocol.ford;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.FlushPolicy;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * If the lookup has seen all objects that a transaction writes, its log travels with the locks. Otherwise every insert
 * and delete of a durable pool would take one trip more, which no wrong result shows.
 */
class EarlyLogTest {
    private static final int NODES = 2;

    /** A lookup; locks and log; the data. */
    private static final int TRIPS = 3;

    private final Fabric fabric = Fabric.open("mem:?nodes=" + NODES);
    private Session session;
    private Catalog catalog;
    private TableLayout table;

    @BeforeEach
    void open() {
        session = fabric.attach();
        PoolOptions options = new PoolOptions("ford", NODES, 1, 1 << 18, 16, 16 * 1024);
        catalog = Catalog.open(fabric, session, options, FlushPolicy.SELECTIVE);
        table = catalog.table(Schema.parse("rows(n:long)"), 64);
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void insertsAndDeletesLogWithTheirLocks() {
        long first = 1;
        long second = first + 1;
        while (table.home(second) != table.home(first)) second++;

        assertEquals(TRIPS, trips(first, false), "an insert");
        assertEquals(TRIPS, trips(second, false), "an insert next to a row");
        assertEquals(TRIPS, trips(first, true), "a delete");
        assertEquals(TRIPS, trips(first, false), "an insert into the slot of a deleted row");
    }

    /** Returns the trips of a transaction of a coordinator that remembers no address. */
    private long trips(long key, boolean deletes) {
        Coordinator coordinator = new Ford(
                        FordOptions.DEFAULT.with(FordOptions.Undo.PARALLEL).with(FlushPolicy.SELECTIVE))
                .coordinator(session, catalog, new TxnCounter());
        long before = coordinator.traffic().roundTrips();
        Txn txn = coordinator.begin();
        if (deletes) txn.delete(table, key);
        else txn.insert(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        return coordinator.traffic().roundTrips() - before;
    }
}
