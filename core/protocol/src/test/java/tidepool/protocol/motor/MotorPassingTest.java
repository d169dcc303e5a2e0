package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
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
 * Tests that a snapshot waits only for holders of locks that may commit before it. Each process has a session of its
 * own here.
 */
class MotorPassingTest {
    private static final int KEYS = 4;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Schema schema =
            Schema.builder("row").attribute("a", AttributeType.LONG).build();
    private final Fields.LongField a = schema.longField("a");
    private TableLayout table;
    private MotorCoordinator reader;
    private MotorCoordinator writer;
    private MotorCoordinator other;

    @BeforeEach
    void load() {
        reader = process();
        writer = process();
        other = process();
        for (long key = 0; key < KEYS; key++) update(other, key, 10 + key);
        // So that both know where rows lie, and trips are those of the phase table.
        for (MotorCoordinator one : new MotorCoordinator[] {reader, writer}) {
            Txn txn = one.begin();
            for (long key = 0; key < KEYS; key++) txn.read(table, key);
            assertTrue(txn.execute());
            assertEquals(Outcome.COMMITTED, txn.commit());
        }
    }

    private MotorCoordinator process() {
        Session session = fabric.attach();
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions("motor", 2, 0, 1 << 20, 8, 16 * 1024))
                .withRows(new Motor()::rows);
        table = catalog.table(schema, KEYS);
        return new MotorCoordinator(session, catalog, new TxnCounter(), MotorOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    /**
     * The holder has begun after the snapshot, and its bound says so. The reader takes no more trips than if it were
     * alone.
     */
    @Test
    void whoBeganLaterIsPassed() {
        Txn snapshot = begunSnapshot();
        update(writer, 2, 22);
        Txn holder = holdsKey3(writer);
        long before = reader.traffic().roundTrips();
        int access = snapshot.read(table, 3);

        assertTrue(snapshot.execute());
        assertEquals(2, reader.traffic().roundTrips() - before);
        assertEquals(13, a.get(snapshot.memory(), snapshot.value(access)));
        assertEquals(1, reader.counts().passedLocks);
        assertEquals(0, reader.counts().lockedReads);
        assertEquals(Outcome.COMMITTED, holder.commit());
        assertEquals(Outcome.COMMITTED, snapshot.commit());
    }

    /** The reader does not know what the holder does from here on: it may have its timestamp already. */
    @Test
    void whoMayComeBeforeIsWaitedFor() {
        Txn holder = holdsKey3(writer);
        update(other, 2, 22);
        Txn snapshot = begunSnapshot();
        snapshot.read(table, 3);

        assertFalse(snapshot.execute());
        assertEquals(AbortReason.UNREADABLE, snapshot.abortReason());
        assertEquals(0, reader.counts().passedLocks);
        assertTrue(reader.counts().lockedReads > 0);
        holder.rollback();
    }

    /** The bound is old, but the row itself tells that its next version comes after the snapshot. */
    @Test
    void whoFollowsALaterVersionIsPassed() {
        Txn snapshot = begunSnapshot();
        update(other, 3, 33);
        Txn holder = holdsKey3(writer);
        int access = snapshot.read(table, 3);

        assertTrue(snapshot.execute());
        assertEquals(13, a.get(snapshot.memory(), snapshot.value(access)));
        assertEquals(1, reader.counts().passedLocks);
        holder.rollback();
    }

    /** Another transaction has asked for the lock since, so the bound in memory is not the holder's. */
    @Test
    void boundsOfOthersSayNothing() {
        Txn snapshot = begunSnapshot();
        Txn holder = holdsKey3(writer);
        update(other, 2, 22);
        Txn contender = other.begin();
        contender.update(table, 3);
        assertFalse(contender.execute());
        snapshot.read(table, 3);

        assertFalse(snapshot.execute());
        assertEquals(0, reader.counts().passedLocks);
        holder.rollback();
    }

    private Txn begunSnapshot() {
        Txn txn = reader.begin();
        txn.read(table, 0);
        txn.read(table, 1);
        assertTrue(txn.execute());
        return txn;
    }

    private Txn holdsKey3(MotorCoordinator coordinator) {
        Txn txn = coordinator.begin();
        int access = txn.update(table, 3);
        assertTrue(txn.execute());
        a.set(txn.memory(), txn.value(access), 99);
        return txn;
    }

    private void update(MotorCoordinator coordinator, long key, long value) {
        Txn txn = coordinator.begin();
        int access = txn.put(table, key);
        assertTrue(txn.execute());
        a.set(txn.memory(), txn.value(access), value);
        assertEquals(Outcome.COMMITTED, txn.commit());
    }
}
