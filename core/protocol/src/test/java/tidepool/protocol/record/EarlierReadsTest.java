package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
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
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * A transaction reads one row, and a second one later. Only the second read takes a snapshot, to which the first row
 * belongs if it is unchanged.
 */
class EarlierReadsTest {
    private static final long FIRST = 1;
    private static final long SECOND = 2;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private TableLayout table;
    private Coordinator reader;
    private Coordinator writer;

    @AfterEach
    void close() {
        fabric.close();
    }

    /** Otherwise every transaction that reads row after row would fail. */
    @ParameterizedTest
    @ValueSource(strings = {"farmv2", "motor"})
    void anUnchangedRowBelongsToTheSnapshot(String protocol) {
        open(protocol);
        Txn txn = reader.begin();
        int first = txn.read(table, FIRST);
        assertTrue(txn.execute());
        int second = txn.read(table, SECOND);

        assertTrue(txn.execute(), () -> "refused: " + txn.abortReason());

        assertEquals(0, value(txn, first));
        assertEquals(0, value(txn, second));
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    /** Otherwise the transaction would see the first row before, and the second row after, one writer of both. */
    @ParameterizedTest
    @ValueSource(strings = {"farmv2", "motor"})
    void aChangedRowIsRefused(String protocol) {
        open(protocol);
        Txn txn = reader.begin();
        txn.read(table, FIRST);
        assertTrue(txn.execute());
        Txn changes = writer.begin();
        int[] accesses = {changes.update(table, FIRST), changes.update(table, SECOND)};
        assertTrue(changes.execute());
        for (int access : accesses) Words.plain(changes.memory(), changes.value(access), 1);
        assertEquals(Outcome.COMMITTED, changes.commit());
        txn.read(table, SECOND);

        assertFalse(txn.execute());

        assertEquals(AbortReason.READ_CHANGED, txn.abortReason());
    }

    private static long value(Txn txn, int access) {
        return Words.plain(txn.memory(), txn.value(access));
    }

    private void open(String name) {
        Protocol protocol = Protocols.named(name);
        reader = coordinator(protocol);
        writer = coordinator(protocol);
        Txn load = writer.begin();
        load.insert(table, FIRST);
        load.insert(table, SECOND);
        assertEquals(Outcome.COMMITTED, load.commit());
    }

    private Coordinator coordinator(Protocol protocol) {
        Session session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions(protocol.name(), 2, 0, 1 << 20, 8, 16 * 1024))
                .withRows(protocol::rows);
        table = catalog.table(Schema.parse("rows(n:long)"), 8);
        return protocol.coordinator(session, catalog, new TxnCounter());
    }
}
