package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Tests that a commit timestamp is newer than every lock of its transaction, also the locks that the last batch takes.
 * Otherwise a snapshot that was read between two batches lies after the timestamp, and misses what the last batch
 * wrote.
 */
class RestampTest {
    private static final long CHANGED = 1;
    private static final long CALM = 2;
    private static final long LAST = 3;
    private static final long OLD = 10;
    private static final long NEW = 20;

    /** The last batch of the writer. */
    enum Batch {
        INSERT,
        PUT,
        UPDATE,
        DELETE
    }

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Schema schema =
            Schema.builder("row").attribute("a", AttributeType.LONG).build();
    private final Fields.LongField a = schema.longField("a");
    private TableLayout table;
    private MotorCoordinator reader;
    private MotorCoordinator writer;

    @BeforeEach
    void open() {
        reader = process();
        writer = process();
        put(CHANGED);
        put(CALM);
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    @ParameterizedTest
    @EnumSource
    void lastBatchIsAfterEverySnapshotThatDidNotSeeIt(Batch batch) {
        boolean wasThere = batch == Batch.UPDATE || batch == Batch.DELETE;
        if (wasThere) put(LAST);
        Txn writes = writer.begin();
        int changed = writes.update(table, CHANGED);
        assertTrue(writes.execute());
        a.set(writes.memory(), writes.value(changed), NEW);

        Txn snapshot = reader.begin();
        int calm = snapshot.read(table, CALM);
        int last = snapshot.read(table, LAST);
        assertTrue(snapshot.execute());
        assertEquals(OLD, a.get(snapshot.memory(), snapshot.value(calm)));
        assertEquals(wasThere, snapshot.found(last));

        int access = lastBatch(writes, batch);
        assertTrue(writes.execute());
        if (batch != Batch.DELETE) a.set(writes.memory(), writes.value(access), NEW);
        assertEquals(Outcome.COMMITTED, writes.commit());

        int again = snapshot.read(table, CHANGED);
        assertTrue(snapshot.execute());
        assertEquals(OLD, a.get(snapshot.memory(), snapshot.value(again)), "half of the writer is in the snapshot");
        assertEquals(Outcome.COMMITTED, snapshot.commit());

        Txn later = reader.begin();
        int then = later.read(table, CHANGED);
        int gone = later.read(table, LAST);
        assertTrue(later.execute());
        assertEquals(NEW, a.get(later.memory(), later.value(then)));
        if (batch == Batch.DELETE) assertFalse(later.found(gone));
        else assertEquals(NEW, a.get(later.memory(), later.value(gone)));
    }

    private int lastBatch(Txn txn, Batch batch) {
        return switch (batch) {
            case INSERT -> txn.insert(table, LAST);
            case PUT -> txn.put(table, LAST);
            case UPDATE -> txn.update(table, LAST);
            case DELETE -> txn.delete(table, LAST);
        };
    }

    private void put(long key) {
        Txn txn = writer.begin();
        int access = txn.put(table, key);
        assertTrue(txn.execute());
        a.set(txn.memory(), txn.value(access), OLD);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private MotorCoordinator process() {
        Session session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions("motor", 2, 0, 1 << 20, 8, 16 * 1024))
                .withRows(new Motor()::rows);
        table = catalog.table(schema, 8);
        return new MotorCoordinator(session, catalog, new TxnCounter(), MotorOptions.DEFAULT);
    }
}
