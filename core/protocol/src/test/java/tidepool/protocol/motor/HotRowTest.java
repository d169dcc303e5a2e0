package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.record.PoolRegions;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Tests of a row that a writer commits between any two rounds of a reader. The version that the reader wants is there
 * all the time, and the value in the package is always newer than the tuple said.
 */
class HotRowTest {
    private static final int VERSIONS = 8;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private final Schema schema =
            Schema.builder("row").attribute("a", AttributeType.LONG).build();
    private final Fields.LongField a = schema.longField("a");
    private final MotorOptions options = MotorOptions.DEFAULT.withVersions(VERSIONS);
    private final Catalog catalog = Catalog.open(fabric, session, new PoolOptions("motor", 2, 0, 1 << 20, 8, 16 * 1024))
            .withRows(new Motor(options)::rows);
    private final TableLayout table = catalog.table(schema, 4);
    private final MotorCoordinator writer = new MotorCoordinator(session, catalog, new TxnCounter(), options);
    private boolean hot;

    @AfterEach
    void close() {
        fabric.close();
    }

    /** Versions of a row that a writer commits whenever its value is about to be read. */
    private class WithWriter extends TupleVersions {
        WithWriter(PoolRegions pool, TxnMemory memory) {
            super(pool, memory, options);
        }

        @Override
        public void addReads(Round round, VersionedRow row) {
            super.addReads(round, row);
            if (hot && row.key == 2) write(2);
        }
    }

    /** Versions of such a row, where tuple and value are never read in one round. */
    private final class WithoutEscalation extends WithWriter {
        WithoutEscalation(PoolRegions pool, TxnMemory memory) {
            super(pool, memory);
        }

        @Override
        public void addReadsOfAll(Round round, VersionedRow row) {
            row.together = false;
        }
    }

    private MotorCoordinator reader(boolean escalates) {
        return new MotorCoordinator(session, catalog, new TxnCounter(1), options) {
            @Override
            protected VersionStructure structure(TxnMemory memory) {
                return escalates ? new WithWriter(pool(), memory) : new WithoutEscalation(pool(), memory);
            }
        };
    }

    private void write(long key) {
        Txn txn = writer.begin();
        int access = txn.put(table, key);
        assertTrue(txn.execute());
        a.set(txn.memory(), txn.value(access), a.get(txn.memory(), txn.value(access)) + 1);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private Txn readNextToHeavyWriter(MotorCoordinator reader) {
        for (long key = 0; key < 3; key++) write(key);
        Txn txn = reader.begin();
        txn.read(table, 0);
        txn.read(table, 1);
        assertTrue(txn.execute());
        hot = true;
        txn.read(table, 2);
        return txn;
    }

    /** After two tries tuple and value are read in one round, and no writer gets in between. */
    @Test
    void aHotRowDoesNotStarveASnapshot() {
        MotorCoordinator reader = reader(true);
        Txn txn = readNextToHeavyWriter(reader);

        assertTrue(txn.execute());
        assertEquals(1, a.get(txn.memory(), txn.value(2)), "the value of the snapshot");
        assertEquals(3, reader.counts().tornReads);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    /** The purpose of the escalation: without it the reader tries until its version is gone. */
    @Test
    void withoutEscalationItIs() {
        MotorCoordinator reader = reader(false);
        Txn txn = readNextToHeavyWriter(reader);

        assertFalse(txn.execute());
        assertEquals(AbortReason.SNAPSHOT_TOO_OLD, txn.abortReason());
        assertEquals(VERSIONS, reader.counts().tornReads);
    }
}
