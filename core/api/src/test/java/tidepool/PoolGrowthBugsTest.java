package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.protocol.Recovery;
import tidepool.schema.Key;
import tidepool.spi.GrowthListener;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolGrowth;
import tidepool.store.PoolOptions;
import tidepool.store.StoreException;

/** Each planted bug of growth is caught by a check that passes without it. */
class PoolGrowthBugsTest {
    private static final long SMALL = 64 << 10;
    private static final long LARGE = 256 << 10;

    /** The bugs. */
    enum Bug {
        NONE,
        /** Other sessions are not shut out. */
        COPY_WITHOUT_FENCE,
        /** The grower says how large the partitions are, and dies before the copies are. */
        PARTITION_BYTES_BEFORE_COPY,
        /** The words name the new regions before these have the bytes of the old ones. */
        SWITCHED_BEFORE_COPY
    }

    public record Row(@Key long id, long value) {}

    @ParameterizedTest
    @EnumSource(Bug.class)
    void plantedBugIsCaught(Bug bug) {
        if (bug == Bug.NONE) play(bug);
        else assertThrows(AssertionError.class, () -> play(bug));
    }

    /** Two openings of one pool. The one makes it grow, the other one writes when the bytes were just copied. */
    private static void play(Bug bug) {
        try (Fabric fabric = Fabric.open("mem:?nodes=2")) {
            PoolOptions options = new PoolOptions("ford", 2, 2, SMALL, 8, 16 * 1024);
            try (Tidepool other = PoolAccess.open(fabric, options);
                    Tidepool pool = PoolAccess.open(fabric, options)) {
                Table<Row> table = pool.table("table", Row.class, 100);
                Table<Row> known = other.table("table", Row.class, 100);
                for (long key = 0; key < 100; key++) {
                    Row row = new Row(key, 7);
                    pool.transact(tx -> table.put(tx, row));
                }
                assertEquals(7, other.read(tx -> known.get(tx, 1)).value());
                Planted grower = new Planted(bug, pool, () -> other.transact(tx -> known.put(tx, new Row(1, 8))));
                pool.grower(grower);

                try {
                    pool.grow(LARGE);
                } catch (Death e) {
                    assertEquals(Bug.PARTITION_BYTES_BEFORE_COPY, bug);
                }
                grower.written.join();
                try {
                    for (long key = 0; key < 100; key++) {
                        long id = key;
                        Row row = pool.read(tx -> table.get(tx, id));
                        assertTrue(row != null, "row " + id + " is lost");
                        assertEquals(id == 1 ? 8 : 7, row.value(), "row " + id);
                    }
                    fill(pool, table);
                } catch (FabricException | TidepoolException e) {
                    throw new AssertionError("a copy is not what the pool says", e);
                }
            }
        }
    }

    /** Uses all the memory that the pool says it has. */
    private static void fill(Tidepool pool, Table<Row> table) {
        long[] next = {1_000};
        StoreException full = assertThrows(StoreException.class, () -> {
            for (; ; next[0]++) pool.within(Duration.ofSeconds(2)).transact(tx -> table.put(tx, new Row(next[0], 7)));
        });
        assertEquals(StoreException.Reason.FULL, full.reason());
        for (long key = 1_000; key < next[0]; key++) {
            long id = key;
            assertEquals(7, pool.read(tx -> table.get(tx, id)).value());
        }
    }

    /** The process of the grower ends here. */
    private static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class Planted extends PoolGrower {
        final CompletableFuture<Void> written = new CompletableFuture<>();
        private final Bug bug;
        private final Runnable write;

        Planted(Bug bug, Tidepool pool, Runnable write) {
            super(pool.sessions());
            this.bug = bug;
            this.write = write;
        }

        @Override
        void shutOut(SessionManager.Visit visit, Recovery recovery, String what) {
            if (bug != Bug.COPY_WITHOUT_FENCE) super.shutOut(visit, recovery, what);
        }

        @Override
        void change(PoolGrowth growth, GrowthListener listener) {
            if (bug == Bug.PARTITION_BYTES_BEFORE_COPY) {
                growth.raise();
                writeMeanwhile();
                throw new Death();
            }
            if (bug == Bug.SWITCHED_BEFORE_COPY) {
                growth.switchOver();
                growth.raise();
                writeMeanwhile();
                return;
            }
            growth.copy(listener::copied);
            writeMeanwhile();
            growth.switchOver();
            growth.raise();
        }

        /** Starts a transaction of the other opening. Only where nothing keeps it out is it waited for. */
        private void writeMeanwhile() {
            Thread.ofPlatform().start(() -> {
                write.run();
                written.complete(null);
            });
            if (bug != Bug.COPY_WITHOUT_FENCE) return;
            try {
                written.get(30, TimeUnit.SECONDS);
            } catch (TimeoutException | InterruptedException | ExecutionException e) {
                throw new IllegalStateException("the other session was kept out", e);
            }
        }
    }
}
