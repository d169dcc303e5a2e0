package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.base.Words;
import tidepool.fabric.Fabric;
import tidepool.fabric.Round;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.ford.Ford;
import tidepool.protocol.ford.FordCoordinator;
import tidepool.protocol.ford.FordOptions;
import tidepool.protocol.ford.FordVerbs;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.motor.MotorVerbs;
import tidepool.protocol.record.RecordVerbs;
import tidepool.protocol.record.WriteTarget;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.spi.PoolAccess;
import tidepool.store.HeadWord;
import tidepool.store.ObjectLayout;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;

/** Mistakes in the growth of tables lose rows or show states that never existed, and these tests notice it. */
class GrowthBugTest {
    /** A row so long that a bucket has two slots. */
    public record Row(@Key long id, @Length(400) byte[] text) {
        Row(long id) {
            this(id, new byte[400]);
        }
    }

    enum Bug {
        /** A part of the rows of a new bucket stays in the bucket that was split. */
        MOVED_ROW_STAYS,

        /** A lookup that knows too large a size takes a bucket that no split has made for an empty one. */
        UNBORN_TAKEN_FOR_EMPTY,

        /** A lookup that knows too small a size does not look at the depth. */
        DEPTH_NOT_READ,

        /** An insert compares the chain under its lock, and not the depth. */
        DEPTH_NOT_IN_BRACKET
    }

    private static final int MANY = 400;

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    // ---- FORD

    private static final class GrowingVerbs extends FordVerbs {
        private final Bug bug;
        private final Runnable beforeLock;

        GrowingVerbs(FordCoordinator coordinator, MemorySegment memory, Bug bug, Runnable beforeLock) {
            super(coordinator.pool(), memory);
            this.bug = bug;
            this.beforeLock = beforeLock;
        }

        @Override
        public boolean isMoved(TableLayout table, long key, int depth) {
            return super.isMoved(table, key, depth) && (bug != Bug.MOVED_ROW_STAYS || key % 5 != 0);
        }

        @Override
        public boolean isHome(TableLayout table, long key, long bucket, long headWord) {
            if (bug == Bug.UNBORN_TAKEN_FOR_EMPTY && HeadWord.depth(headWord) == 0) return true;
            return bug == Bug.DEPTH_NOT_READ || super.isHome(table, key, bucket, headWord);
        }

        @Override
        public boolean isSameHead(long seen, long now) {
            return bug == Bug.DEPTH_NOT_IN_BRACKET
                    ? HeadWord.next(seen) == HeadWord.next(now)
                    : super.isSameHead(seen, now);
        }

        @Override
        public void lock(Round round, WriteTarget t, long txn, long intentAt) {
            beforeLock.run();
            super.lock(round, t, txn, intentAt);
        }
    }

    /** Makes FORD with a bug; {@code null} for none. */
    static Protocol ford(Bug bug, Runnable beforeLock) {
        return new Ford() {
            @Override
            public Coordinator coordinator(
                    tidepool.fabric.Session session, tidepool.store.Catalog catalog, TxnCounter counters) {
                return new FordCoordinator(session, catalog, counters, FordOptions.DEFAULT) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new GrowingVerbs(this, memory, bug, beforeLock);
                    }
                };
            }
        };
    }

    @Test
    void growthIsRight() {
        assertDoesNotThrow(() -> judge(null));
        assertDoesNotThrow(() -> insertDuringSplits(null));
    }

    @ParameterizedTest
    @EnumSource(Bug.class)
    void theBugIsNoticed(Bug bug) {
        assertThrows(AssertionError.class, () -> {
            if (bug == Bug.DEPTH_NOT_IN_BRACKET) insertDuringSplits(bug);
            else judge(bug);
        });
    }

    private static PoolOptions options(String protocol) {
        return new PoolOptions(protocol, 1, 1, 16 << 20, 8, 64 * 1024);
    }

    /** Sessions that know the table small, large, and larger than it is. */
    private static void judge(Bug bug) {
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool early = PoolAccess.open(fabric, options("ford"), ford(bug, () -> {}));
                Tidepool pool = PoolAccess.open(fabric, options("ford"), ford(bug, () -> {}))) {
            Table<Row> known = early.table("rows", Row.class, 1);
            Table<Row> rows = pool.table("rows", Row.class, 1);
            for (long id = 0; id < MANY; id++) {
                Row row = new Row(id);
                pool.transact(tx -> rows.insert(tx, row));
            }
            TableLayout layout = PoolAccess.layout(rows.handle());
            assertTrue(layout.size(0) > 50, "it has grown: size=" + layout.size(0));
            for (long id = 0; id < MANY; id += 2) assertThere(early, known, id);
            TableLayout other = PoolAccess.layout(known.handle());
            other.assumeSize(0, layout.bucketRoom());
            for (long id = 1; id < MANY; id += 2) {
                assertThere(early, known, id);
                other.assumeSize(0, layout.bucketRoom());
            }
            for (long id = MANY; id < 2 * MANY; id++) {
                long key = id;
                assertNull(early.read(tx -> known.get(tx, key)), key + " was never inserted");
            }
            Set<Long> seen = new HashSet<>();
            known.forEach(row -> assertTrue(seen.add(row.id()), row.id() + " came twice"));
            assertEquals(MANY, seen.size());
        }
    }

    private static void assertThere(Tidepool pool, Table<Row> rows, long id) {
        assertNotNull(pool.read(tx -> rows.get(tx, id)), id + " is not found");
    }

    /** Between the lookup of an insert and its locks, another session splits buckets, now and then that of the key. */
    private static void insertDuringSplits(Bug bug) {
        long[] next = {1_000_000};
        boolean[] armed = new boolean[1];
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool other = PoolAccess.open(fabric, options("ford"), ford(bug, () -> {}))) {
            Table<Row> others = other.table("rows", Row.class, 1);
            Runnable splits = () -> {
                if (!armed[0]) return;
                armed[0] = false;
                for (int i = 0; i < 15; i++) {
                    Row row = new Row(next[0]++);
                    other.transact(tx -> others.insert(tx, row));
                }
            };
            try (Tidepool pool = PoolAccess.open(fabric, options("ford"), ford(bug, splits))) {
                Table<Row> rows = pool.table("rows", Row.class, 1);
                for (long id = 0; id < 100; id++) {
                    Row row = new Row(id);
                    pool.transact(tx -> {
                        armed[0] = true;
                        rows.insert(tx, row);
                    });
                }
            }
            for (long id = 0; id < 100; id++) assertThere(other, others, id);
        }
    }

    // ---- Motor

    /** A split that leaves the stamps of its buckets as they were. */
    private static Protocol motor(boolean raisesStamps) {
        return new Motor() {
            @Override
            public Coordinator coordinator(
                    tidepool.fabric.Session session, tidepool.store.Catalog catalog, TxnCounter counters) {
                return new MotorCoordinator(session, catalog, counters, MotorOptions.DEFAULT) {
                    @Override
                    protected RecordVerbs newVerbs(MemorySegment memory) {
                        return new MotorVerbs(pool(), memory) {
                            @Override
                            protected void stamp(Round round, int node, WriteTarget t, long stamp) {
                                int before = HeadWord.depth(Words.plain(memory, t.landed + ObjectLayout.CONTENT));
                                int after = HeadWord.depth(Words.plain(memory, t.staged + ObjectLayout.BODY_CONTENT));
                                if (raisesStamps || before == after) super.stamp(round, node, t, stamp);
                            }
                        };
                    }
                };
            }
        };
    }

    @Test
    void aSnapshotDoesNotTakeAMovedAbsenceForAnOldOne() {
        assertDoesNotThrow(() -> deleteAndSplitDuringSnapshots(true));
        assertThrows(AssertionError.class, () -> deleteAndSplitDuringSnapshots(false));
    }

    /** Two rows are deleted together while a snapshot has read one of them; then the bucket of the other is split. */
    private static void deleteAndSplitDuringSnapshots(boolean raisesStamps) {
        long[] next = {1_000_000};
        try (Fabric fabric = Fabric.open("mem:");
                Tidepool other = PoolAccess.open(fabric, options("motor"), motor(raisesStamps));
                Tidepool pool = PoolAccess.open(fabric, options("motor"), motor(raisesStamps))) {
            Table<Row> others = other.table("rows", Row.class, 1);
            Table<Row> rows = pool.table("rows", Row.class, 1);
            for (long pair = 0; pair < 60; pair++) {
                long one = 2 * pair;
                other.transact(tx -> {
                    others.insert(tx, new Row(one));
                    others.insert(tx, new Row(one + 1));
                });
                boolean[] deleted = new boolean[1];
                boolean together = pool.read(tx -> {
                    boolean first = rows.get(tx, one) != null;
                    assertNull(rows.get(tx, -1)); // a second read, so that there is a snapshot
                    if (!deleted[0]) {
                        deleted[0] = true;
                        other.transact(txn -> {
                            others.delete(txn, one);
                            others.delete(txn, one + 1);
                        });
                        for (int i = 0; i < 25; i++) {
                            Row row = new Row(++next[0]);
                            other.transact(txn -> others.insert(txn, row));
                        }
                    }
                    return first == (rows.get(tx, one + 1) != null);
                });
                assertTrue(together, "one of two rows that came and went together");
            }
        }
    }
}
