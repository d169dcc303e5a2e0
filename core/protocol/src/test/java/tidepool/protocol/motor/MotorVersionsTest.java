package tidepool.protocol.motor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
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
import tidepool.txn.AbortReason;
import tidepool.txn.Outcome;
import tidepool.txn.Txn;

/** Tests that versions are selected, rebuilt and dropped as in a model that keeps every value whole. */
class MotorVersionsTest {
    private static final int KEYS = 4;
    private static final int STEPS = 1_000;

    private final Fabric fabric = Fabric.open("mem:?nodes=2");
    private final Session session = fabric.attach();
    private final Schema schema = Schema.builder("row")
            .attribute("a", AttributeType.LONG)
            .attribute("b", AttributeType.INT)
            .attribute("c", AttributeType.LONG)
            .attribute("d", AttributeType.BYTE)
            .build();
    private final Fields.LongField a = schema.longField("a");
    private final Fields.LongField c = schema.longField("c");

    /** By key and commit timestamp: the value {a, c} from then on; null if the row was deleted. */
    private final Map<Long, TreeMap<Long, long[]>> model = new TreeMap<>();

    /** Timestamps whose snapshots the test chooses. */
    private static final class Chosen implements Timestamps {
        private final Timestamps honest;
        long chosen;

        Chosen(Timestamps honest) {
            this.honest = honest;
        }

        @Override
        public boolean take(Round round) {
            return honest.take(round);
        }

        @Override
        public long taken() {
            return honest.taken();
        }

        @Override
        public long known() {
            return honest.known();
        }

        @Override
        public long snapshot() {
            return chosen == 0 ? honest.snapshot() : chosen;
        }
    }

    private static final class ChoosingCoordinator extends MotorCoordinator {
        private Chosen timestamps;

        ChoosingCoordinator(Session session, Catalog catalog, MotorOptions options) {
            super(session, catalog, new TxnCounter(), options);
        }

        @Override
        protected Chosen timestamps() {
            if (timestamps == null) timestamps = new Chosen(super.timestamps());
            return timestamps;
        }
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void enoughRoomForAllVersions() {
        MotorOptions options = new MotorOptions(MotorOptions.Isolation.SERIALIZABLE, 4, 4096);
        int[] counts = play(options, 1, false);

        assertTrue(counts[0] > 0 && counts[1] > 0 && counts[2] > 0, "found, absent and too old all happen");
    }

    /** A bar holds one whole delta: versions are dropped early, and never returned wrong. */
    @Test
    void hardlyAnyRoom() {
        int[] counts = play(new MotorOptions(MotorOptions.Isolation.SERIALIZABLE, 15, 8), 2, true);

        assertTrue(counts[0] > 0 && counts[2] > 0);
    }

    @Test
    void twoVersions() {
        play(new MotorOptions(MotorOptions.Isolation.SERIALIZABLE, 2, 0), 3, true);
    }

    private int[] play(MotorOptions options, long seed, boolean tight) {
        Catalog catalog = Catalog.open(fabric, session, new PoolOptions("motor", 2, 0, 1 << 20, 8, 16 * 1024))
                .withRows(new Motor(options)::rows);
        TableLayout table = catalog.table(schema, KEYS);
        ChoosingCoordinator coordinator = new ChoosingCoordinator(session, catalog, options);
        Randomness random = new Randomness(seed);
        for (long key = 0; key < KEYS; key++) model.put(key, new TreeMap<>());
        int[] counts = new int[3];
        for (int step = 0; step < STEPS; step++) {
            write(coordinator, table, random);
            for (int i = 0; i < 2; i++) read(coordinator, table, random, options.versions(), tight, counts);
        }
        coordinator.close();
        return counts;
    }

    private void write(ChoosingCoordinator coordinator, TableLayout table, Randomness random) {
        coordinator.timestamps().chosen = 0;
        long key = random.nextInt(KEYS);
        boolean deletes = random.nextInt(12) == 0;
        Txn txn = coordinator.begin();
        int access = deletes ? txn.delete(table, key) : txn.put(table, key);
        if (!txn.execute()) { // an address of a row that was deleted since
            assertEquals(AbortReason.STALE_ADDRESS, txn.abortReason());
            txn = coordinator.begin();
            access = deletes ? txn.delete(table, key) : txn.put(table, key);
            assertTrue(txn.execute());
        }
        if (deletes && !txn.found(access)) {
            txn.rollback();
            return;
        }
        if (!deletes) {
            if (random.nextInt(2) == 0) a.set(txn.memory(), txn.value(access), random.nextInt(1 << 30));
            if (random.nextInt(2) == 0) c.set(txn.memory(), txn.value(access), random.nextInt(1 << 30));
        }
        long[] value = deletes
                ? null
                : new long[] {
                    a.get(txn.memory(), txn.value(access)), c.get(txn.memory(), txn.value(access)),
                };
        assertEquals(Outcome.COMMITTED, txn.commit());
        model.get(key).put(coordinator.timestamps().snapshot(), value);
    }

    private void read(
            ChoosingCoordinator coordinator,
            TableLayout table,
            Randomness random,
            int versions,
            boolean tight,
            int[] counts) {
        long newest = newest();
        long snapshot = Math.max(1, newest - random.nextInt(KEYS * versions * 2));
        coordinator.timestamps().chosen = snapshot;
        long key = random.nextInt(KEYS);
        Txn txn = coordinator.begin();
        int access = txn.read(table, key);
        txn.read(table, (key + 1) % KEYS);
        if (!txn.execute()) {
            assertEquals(AbortReason.SNAPSHOT_TOO_OLD, txn.abortReason());
            assertTrue(snapshot < newest, "the newest snapshot is never too old");
            if (!tight)
                assertFalse(
                        mustBeThere(key, snapshot, versions) && mustBeThere((key + 1) % KEYS, snapshot, versions),
                        "a version that must be kept is gone");
            counts[2]++;
            return;
        }
        Map.Entry<Long, long[]> expected = model.get(key).floorEntry(snapshot);
        boolean there = expected != null && expected.getValue() != null;
        assertEquals(there, txn.found(access));
        if (there) {
            assertEquals(expected.getValue()[0], a.get(txn.memory(), txn.value(access)));
            assertEquals(expected.getValue()[1], c.get(txn.memory(), txn.value(access)));
        }
        counts[there ? 0 : 1]++;
        assertEquals(Outcome.COMMITTED, txn.commit());
    }

    private long newest() {
        long newest = 1;
        for (TreeMap<Long, long[]> versions : model.values())
            if (!versions.isEmpty()) newest = Math.max(newest, versions.lastKey());
        return newest;
    }

    /**
     * Returns whether the row is present in one of the last versions and not deleted since. Then the read must succeed.
     */
    private boolean mustBeThere(long key, long snapshot, int versions) {
        TreeMap<Long, long[]> all = model.get(key);
        Map.Entry<Long, long[]> at = all.floorEntry(snapshot);
        return at != null
                && at.getValue() != null
                && all.tailMap(at.getKey()).size() <= versions
                && !all.tailMap(at.getKey()).containsValue(null);
    }
}
