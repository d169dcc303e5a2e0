package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Fabric;
import tidepool.fabric.Round;
import tidepool.fabric.Session;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.time.Timestamps;
import tidepool.schema.AttributeType;
import tidepool.schema.Fields;
import tidepool.schema.Schema;
import tidepool.store.Catalog;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/**
 * Shows why a coordinator may not join a request for timestamps that was sent before it asked. Otherwise a writer locks
 * after a snapshot was read, commits with an earlier timestamp, and the snapshot sees half of its writes.
 */
class LateTimestampTest {
    private static final long BOTH = 20;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private final Schema schema =
            Schema.builder("row").attribute("a", AttributeType.LONG).build();
    private final Fields.LongField a = schema.longField("a");
    private final Catalog catalog = Catalog.open(fabric, session, new PoolOptions("motor", 2, 0, 1 << 20, 8, 16 * 1024))
            .withRows(new Motor()::rows);
    private final TableLayout table = catalog.table(schema, 4);
    private final MotorCoordinator reader =
            new MotorCoordinator(session, catalog, new TxnCounter(), MotorOptions.DEFAULT);

    @AfterEach
    void close() {
        fabric.close();
    }

    /** Gives out, once, a timestamp that was asked for before it was wanted. */
    private static final class Early implements Timestamps {
        private final Timestamps honest;
        private final Round round;
        private long early;

        Early(Timestamps honest, Round round) {
            this.honest = honest;
            this.round = round;
        }

        /** Sends a request that the coordinator will join later. */
        void send() {
            assertTrue(honest.take(round));
            round.post().await();
            early = honest.taken();
        }

        @Override
        public boolean take(Round with) {
            return early == 0 && honest.take(with);
        }

        @Override
        public long taken() {
            long given = early == 0 ? honest.taken() : early;
            early = 0;
            return given;
        }

        @Override
        public long known() {
            return honest.known();
        }

        @Override
        public long snapshot() {
            return honest.snapshot();
        }
    }

    private final class Writer extends MotorCoordinator {
        private Early timestamps;

        Writer() {
            super(session, catalog, new TxnCounter(1), MotorOptions.DEFAULT);
        }

        @Override
        protected Early timestamps() {
            if (timestamps == null) timestamps = new Early(super.timestamps(), lane.round(1));
            return timestamps;
        }

        /** Moves {@code amount} from one row to the other. */
        void move(long amount) {
            Txn txn = begin();
            int from = txn.put(table, 0);
            int to = txn.put(table, 1);
            assertTrue(txn.execute());
            a.set(txn.memory(), txn.value(from), a.get(txn.memory(), txn.value(from)) - amount);
            a.set(txn.memory(), txn.value(to), a.get(txn.memory(), txn.value(to)) + amount);
            assertEquals(Outcome.COMMITTED, txn.commit());
        }
    }

    /** Returns the sum of both rows in a snapshot, with a writer between their reads. */
    private long seenWithAWriter(boolean joinsLate) {
        Writer writer = new Writer();
        Txn load = reader.begin();
        for (int key = 0; key < 3; key++) load.insert(table, key);
        assertTrue(load.execute());
        for (int key = 0; key < 2; key++) a.set(load.memory(), load.value(key), BOTH / 2);
        assertEquals(Outcome.COMMITTED, load.commit());

        if (joinsLate) writer.timestamps().send();
        Txn snapshot = reader.begin();
        snapshot.read(table, 2);
        snapshot.read(table, 0);
        assertTrue(snapshot.execute());
        long first = a.get(snapshot.memory(), snapshot.value(1));
        writer.move(5);
        snapshot.read(table, 1);
        assertTrue(snapshot.execute());
        long second = a.get(snapshot.memory(), snapshot.value(2));
        assertEquals(Outcome.COMMITTED, snapshot.commit());
        return first + second;
    }

    @Test
    void aSnapshotIsWhole() {
        assertEquals(BOTH, seenWithAWriter(false));
    }

    @Test
    void whoJoinsLateIsSeenByHalf() {
        assertEquals(BOTH + 5, seenWithAWriter(true));
    }
}
