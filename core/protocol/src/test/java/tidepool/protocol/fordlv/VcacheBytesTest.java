package tidepool.protocol.fordlv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.memory.VersionTable;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.fordlv.FordLvOptions.Sharing;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** {@code vcachebytes} is the memory of a Vcache: with enough of it, no version is asked from memory twice. */
class VcacheBytesTest {
    private static final int ROWS = 64;
    private static final long SMALL = 2 * VersionTable.SET_BYTES;
    private static final long LARGE = 1024 * VersionTable.SET_BYTES;

    @ParameterizedTest
    @EnumSource
    void aLargeVcacheKeepsAllVersions(Sharing sharing) {
        assertEquals(ROWS, hits(new FordLvOptions(sharing, LARGE)));
    }

    @Test
    void aSmallVcacheDoesNot() {
        long hits = hits(new FordLvOptions(Sharing.LOCAL, SMALL));

        assertTrue(hits < ROWS / 2, hits + " hits of " + ROWS + " reads");
    }

    /** Reads all rows twice. Returns how many versions of the second pass were cached. */
    private static long hits(FordLvOptions options) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, new PoolOptions("ford-lv", 2, 1, 1 << 20, 8, 16 * 1024));
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), ROWS);
            FordLvCoordinator coordinator =
                    (FordLvCoordinator) new FordLv(options).coordinator(session, catalog, new TxnCounter());
            for (long key = 0; key < ROWS; key++) {
                Txn txn = coordinator.begin();
                txn.insert(table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());
            }
            readAll(coordinator, table);
            long before = coordinator.versionCounts().hits;
            readAll(coordinator, table);
            return coordinator.versionCounts().hits - before;
        }
    }

    /** Reads rows in pairs: a single read needs no validation. */
    private static void readAll(FordLvCoordinator coordinator, TableLayout table) {
        for (long key = 0; key < ROWS; key += 2) {
            Txn txn = coordinator.begin();
            txn.read(table, key);
            txn.read(table, key + 1);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }
    }
}
