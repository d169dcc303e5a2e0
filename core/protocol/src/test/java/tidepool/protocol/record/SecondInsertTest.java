package tidepool.protocol.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Inserts into a chain of full buckets, one execute after the other in one transaction. */
class SecondInsertTest {
    /**
     * The second insert takes a slot of the bucket that the first one adds. It already holds all its locks, and its
     * READs of the chain are sent alone. An insert that does not wait for them examines other memory and aborts in
     * every attempt.
     */
    @Test
    void anInsertThatLocksNothingNewReadsItsChain() {
        try (Fabric fabric = Fabric.open("mem:?nodes=1")) {
            Session session = fabric.attach();
            Catalog catalog = Catalog.open(fabric, session, new PoolOptions("ford", 1, 1, 1 << 18, 8, 16 * 1024));
            TableLayout table = catalog.table(Schema.parse("rows(n:long)"), 64);
            Coordinator coordinator = new Ford().coordinator(session, catalog, new TxnCounter());
            long key = 0;
            for (int filled = 0; filled < 2 * table.slots(); key++) {
                if (table.home(key) != table.home(0)) continue;
                Txn txn = coordinator.begin();
                txn.insert(table, key);
                assertEquals(Outcome.COMMITTED, txn.commit());
                filled++;
            }

            Txn txn = coordinator.begin();
            long[] inserted = new long[2];
            for (int i = 0; i < inserted.length; key++) {
                if (table.home(key) != table.home(0)) continue;
                inserted[i++] = key;
                txn.insert(table, key);
                assertTrue(txn.execute(), "insert " + i + " was refused: " + txn.abortReason());
                assertNull(txn.abortReason());
            }
            assertEquals(Outcome.COMMITTED, txn.commit());

            for (long each : inserted) {
                Txn reader = coordinator.begin();
                int access = reader.read(table, each);
                assertEquals(Outcome.COMMITTED, reader.commit());
                assertTrue(reader.found(access), "key " + each);
            }
        }
    }
}
