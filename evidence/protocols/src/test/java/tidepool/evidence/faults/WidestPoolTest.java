package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Recovery;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A pool of 64 nodes, the maximum for one word of bits: node 64 would share the bit of node 0. */
class WidestPoolTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final int NODES = 64;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Otherwise a transaction that was reported would be lost with its client. */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void whatWasReportedOutlastsItsClient(String name) {
        Protocol protocol = Protocols.named(name);
        try (Fabric memory = Fabric.open("mem:?nodes=" + NODES)) {
            CuttingFabric fabric = new CuttingFabric(memory);
            Session dead = fabric.attach();
            Catalog its = open(fabric, dead, protocol);
            TableLayout table = its.table(Schema.parse("rows(n:long)"), NODES);
            Coordinator client = protocol.coordinator(dead, its, new TxnCounter());
            long[] keys = {key(table, 0), key(table, NODES - 1)};
            Txn load = client.begin();
            for (long key : keys) load.insert(table, key);
            assertEquals(Outcome.COMMITTED, load.commit());
            fabric.holdBack(true);
            Txn txn = client.begin();
            for (long key : keys) txn.update(table, key);
            assertTrue(txn.execute());
            for (int i = 0; i < keys.length; i++) Words.plain(txn.memory(), txn.value(i), 1);
            assertEquals(Outcome.COMMITTED, txn.commit());
            fabric.holdBack(false);

            Session session = fabric.attach();
            Catalog catalog = open(fabric, session, protocol);
            Recovery.Report report = protocol.recovery(session, catalog).recover(dead.number());

            assertEquals(1, report.finished(), report.toString());
            Coordinator later = protocol.coordinator(session, catalog, new TxnCounter());
            for (long key : keys) {
                Txn reader = later.begin();
                int access = reader.read(table, key);
                assertEquals(Outcome.COMMITTED, reader.commit(), "key " + key);
                assertEquals(1, Words.plain(reader.memory(), reader.value(access)), "key " + key);
            }
        }
    }

    private static Catalog open(Fabric fabric, Session session, Protocol protocol) {
        PoolOptions options = new PoolOptions(protocol.name(), 2, NODES, 64 * 1024, 2, 4096);
        return Catalog.open(fabric, session, options).withRows(protocol::rows);
    }

    private static long key(TableLayout table, int partition) {
        long key = 0;
        while (table.partition(key) != partition) key++;
        return key;
    }
}
