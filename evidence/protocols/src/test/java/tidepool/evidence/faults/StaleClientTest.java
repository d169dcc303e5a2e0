package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.TxnCounter;
import tidepool.schema.Key;
import tidepool.schema.RowKey;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.CatalogLayout;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** A client with an outdated view of the pool: an older roster, or a slot that holds another row by now. */
class StaleClientTest {
    record Row(@Key long key, long value) {}

    record Pair(@Key long left, @Key long right, long value) {}

    private static Catalog open(Fabric fabric, Session session, Protocol protocol) {
        PoolOptions options = new PoolOptions(protocol.name(), 2, 2, 64 * 1024, 8, 4 * 1024);
        return Catalog.open(fabric, session, options).withRows(protocol::rows);
    }

    /**
     * The roster changes after a client has read the catalog and before its coordinator has links. Otherwise it would
     * lock on a node that is no longer the primary.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "farm", "farmv2", "drtmh", "motor", "hdtx"})
    void noCoordinatorIsMadeOfAnOlderRoster(String name) {
        Protocol protocol = Protocols.named(name);
        for (int node = 0; node < 2; node++)
            for (long epoch : new long[] {2, 2 | CatalogLayout.CHANGING, 1 | CatalogLayout.CHANGING})
                try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
                    Session session = fabric.attach();
                    Catalog catalog = open(fabric, session, protocol);
                    Lane lane = fabric.attach().lane();
                    Region region = lane.connect(node).open(fabric.control(node).regions()[0]);
                    lane.round(1)
                            .write(region, CatalogLayout.EPOCH, epoch)
                            .post()
                            .await();

                    FabricException e = assertThrows(
                            FabricException.class, () -> protocol.coordinator(session, catalog, new TxnCounter()));
                    assertEquals(Refusal.EPOCH, e.refusal(), "node " + node + ", epoch " + epoch);
                    assertThrows(FabricException.class, () -> protocol.recovery(session, catalog));
                }
    }

    /**
     * Protocols that lock to commit: a transaction has begun to change the row of a slot. Another one deletes that row
     * and inserts a row with another key there. The first one must not change the new row as if it were the deleted
     * one.
     */
    @ParameterizedTest
    @ValueSource(strings = {"farm", "farmv2", "drtmh"})
    void slotThatHoldsAnotherRowIsNotChanged(String name) {
        Protocol protocol = Protocols.named(name);
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            Catalog catalog = open(fabric, session, protocol);
            TxnCounter counters = new TxnCounter();
            Coordinator slow = protocol.coordinator(session, catalog, counters);
            Coordinator quick = protocol.coordinator(session, catalog, counters);
            TableLayout table = catalog.table(Schema.of("rows", Row.class), 1);
            long[] keys = keysOfOneBucket(table);
            for (int i = 0; i < table.slots(); i++) put(quick, table, keys[i], 10 + i); // no other slot is free
            long old = keys[0];
            long fresh = keys[table.slots()];

            Txn txn = slow.begin();
            int first = txn.update(table, old);
            assertTrue(txn.execute());
            Words.plain(txn.memory(), txn.value(first), 99);
            Txn other = quick.begin();
            other.delete(table, old);
            assertEquals(Outcome.COMMITTED, other.commit());
            put(quick, table, fresh, 50);
            int second = txn.update(table, fresh);
            if (txn.execute() && txn.found(second)) Words.plain(txn.memory(), txn.value(second), 60);
            assertEquals(Outcome.ABORTED, txn.commit(), "it has read a row that is gone");
            assertFalse(isThere(quick, table, old), "the deleted row came back");
            assertEquals(50, value(quick, table, fresh));
        }
    }

    /**
     * The row that has taken the slot has a key of the same hash. Only the bytes of the keys tell the two rows apart,
     * so a client that compares hashes alone would write the first row's change under the second row's key.
     */
    @ParameterizedTest
    @ValueSource(strings = {"farm", "farmv2", "drtmh"})
    void slotThatHoldsAnotherRowOfOneHashIsNotChanged(String name) {
        assertDoesNotThrow(() -> replaceByAnotherOfOneHash(Protocols.named(name)));
        Protocol planted = WideKeyBug.STAGED_ROW_OF_ANOTHER_KEY.in(name);
        AssertionError noticed = assertThrows(AssertionError.class, () -> replaceByAnotherOfOneHash(planted));
        assertTrue(noticed.getMessage().startsWith("it has read a row that is gone"), noticed.getMessage());
    }

    private static void replaceByAnotherOfOneHash(Protocol protocol) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            Catalog catalog = open(fabric, session, protocol);
            TxnCounter counters = new TxnCounter();
            Coordinator slow = protocol.coordinator(session, catalog, counters);
            Coordinator quick = protocol.coordinator(session, catalog, counters);
            TableLayout table = catalog.table(Schema.of("pairs", Pair.class), 1);
            RowKey[] keys = keysOfOneHash(table);
            for (int i = 0; i < table.slots(); i++) put(quick, table, keys[i], 10 + i); // no other slot is free
            RowKey old = keys[0];
            RowKey fresh = keys[table.slots()];
            assertEquals(old.word(), fresh.word());

            Txn txn = slow.begin();
            int first = txn.update(table, old);
            assertTrue(txn.execute());
            Words.plain(txn.memory(), txn.value(first), 99);
            Txn other = afterStaleAddress(quick, each -> each.delete(table, old));
            assertEquals(Outcome.COMMITTED, other.commit());
            put(quick, table, fresh, 50);
            int second = txn.update(table, fresh);
            if (txn.execute() && txn.found(second)) Words.plain(txn.memory(), txn.value(second), 60);
            assertEquals(Outcome.ABORTED, txn.commit(), "it has read a row that is gone");
            assertFalse(isThere(quick, table, old), "the deleted row came back");
            Txn reader = quick.begin();
            int access = reader.read(table, fresh);
            assertEquals(Outcome.COMMITTED, reader.commit());
            assertTrue(reader.found(access));
            assertEquals(50, Words.plain(reader.memory(), reader.value(access)));
        }
    }

    private static RowKey[] keysOfOneHash(TableLayout table) {
        RowKey[] keys = new RowKey[table.slots() + 1];
        for (int i = 0; i < keys.length; i++) {
            long right = i == 0 ? 2 : CollidingKeys.right(1, 2, 1 + i);
            keys[i] = table.schema().key().newKey().setLong(0, 1 + i).setLong(1, right);
        }
        return keys;
    }

    private static void put(Coordinator by, TableLayout table, RowKey key, long value) {
        Txn txn = afterStaleAddress(by, each -> each.put(table, key));
        Words.plain(txn.memory(), txn.value(0), value);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    /** Carries a declaration out. The first attempt may end, because the address of another key is cached. */
    private static Txn afterStaleAddress(Coordinator by, Consumer<Txn> declaration) {
        Txn txn = by.begin();
        declaration.accept(txn);
        if (txn.execute()) return txn;
        assertEquals(AbortReason.STALE_ADDRESS, txn.abortReason());
        txn = by.begin();
        declaration.accept(txn);
        assertTrue(txn.execute());
        return txn;
    }

    private static boolean isThere(Coordinator by, TableLayout table, RowKey key) {
        Txn txn = by.begin();
        int access = txn.read(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        return txn.found(access);
    }

    private static long[] keysOfOneBucket(TableLayout table) {
        long[] keys = new long[table.slots() + 1];
        int count = 0;
        for (long key = 0; count < keys.length; key++) if (table.home(key) == table.home(0)) keys[count++] = key;
        return keys;
    }

    private static void put(Coordinator by, TableLayout table, long key, long value) {
        Txn txn = by.begin();
        int access = txn.put(table, key);
        assertTrue(txn.execute());
        Words.plain(txn.memory(), txn.value(access), value);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private static boolean isThere(Coordinator by, TableLayout table, long key) {
        Txn txn = by.begin();
        int access = txn.read(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        return txn.found(access);
    }

    private static long value(Coordinator by, TableLayout table, long key) {
        Txn txn = by.begin();
        int access = txn.read(table, key);
        assertEquals(Outcome.COMMITTED, txn.commit());
        assertTrue(txn.found(access));
        return Words.plain(txn.memory(), txn.value(access));
    }
}
