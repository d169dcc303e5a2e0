package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.clusters.ClusterOptions;
import tidepool.protocol.Protocols;
import tidepool.schema.Index;
import tidepool.schema.Key;
import tidepool.schema.Length;
import tidepool.schema.Ordered;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.txn.AbortReason;

/**
 * A thread that is alone in a pool does not conflict with itself: locks that its last transaction frees in the
 * background are not in the way of the next one, nor of the splits of a table.
 */
class AloneTest {
    /** The reasons for which an attempt may end although there is no other transaction. */
    private static final Set<AbortReason> OWN = EnumSet.of(AbortReason.TABLE_GROWS, AbortReason.NEEDS_ROOM);

    /** A row so long that a bucket has two slots. */
    public record Visit(@Key long id, long who, @Length(400) byte[] text) {
        Visit(long id, long who) {
            this(id, who, new byte[400]);
        }
    }

    /** A row with two indexes. */
    @Ordered
    @Index(
            name = "by_group",
            on = {"group"})
    public record Item(@Key long id, int group) {}

    static List<String> protocols() {
        return AnyKeyTest.protocols();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void rowIsChangedAgainAndAgain(String protocol) {
        play(protocol, 1, pool -> {
            Table<Visit> visits = pool.table("visits", Visit.class, 4);
            for (int i = 0; i < 100; i++) {
                long who = i;
                pool.transact(tx -> visits.put(tx, new Visit(1, who)));
            }
            assertEquals(0, conflicts(pool), pool.statistics().toString());
        });
    }

    /** A split that gives up because of its own session's lock makes the size depend on how fast messages are. */
    @ParameterizedTest
    @MethodSource("protocols")
    void growthDoesNotDependOnTiming(String protocol) {
        TreeSet<Long> sizes = new TreeSet<>();
        for (long seed = 1; seed <= 4; seed++)
            play(protocol, seed, pool -> {
                Table<Visit> visits = pool.table("visits", Visit.class, 1);
                for (int i = 0; i < 60; i++) {
                    long id = i;
                    pool.transact(tx -> visits.insert(tx, new Visit(id, id)));
                }
                assertEquals(0, conflicts(pool), pool.statistics().toString());
                long size = 0;
                for (int partition = 0; partition < 2; partition++)
                    size += PoolAccess.layout(visits.handle()).size(partition);
                sizes.add(size);
            });
        assertEquals(1, sizes.size(), "sizes of one table after the same inserts: " + sizes);
        assertTrue(sizes.first() > 4, "it has grown: " + sizes);
    }

    /** Under HDTX a transaction may meet the lock of the separator or merge that its coordinator ran just before. */
    @ParameterizedTest
    @MethodSource("protocols")
    void indexSplitsAndMerges(String protocol) {
        play(protocol, 1, pool -> {
            Table<Item> items = pool.table("items", Item.class, 400);
            for (int i = 0; i < 300; i++) {
                long id = i;
                pool.transact(tx -> items.insert(tx, new Item(id, (int) id % 7)));
            }
            for (int i = 0; i < 280; i++) {
                long id = i;
                pool.transact(tx -> items.delete(tx, id));
            }
            String indexes = pool.statistics().indexes();
            int tasks = count(indexes, "separators") + count(indexes, "merges");
            assertTrue(count(indexes, "splits") > 0 && count(indexes, "merges") > 0, indexes);
            assertTrue(
                    conflicts(pool) <= (protocol.startsWith("hdtx") ? tasks : 0),
                    pool.statistics().toString());
        });
    }

    private static int count(String counts, String name) {
        return Integer.parseInt(counts.replaceAll(".*\\b" + name + "=(\\d+).*", "$1"));
    }

    private static long conflicts(Tidepool pool) {
        long sum = 0;
        for (AbortReason reason : AbortReason.values())
            if (!OWN.contains(reason)) sum += pool.statistics().aborts(reason);
        return sum;
    }

    private static void play(String protocol, long seed, Consumer<Tidepool> scene) {
        try (Simulation simulation = new Simulation(seed)) {
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            SimFabric fabric = new SimFabric(simulation, 2, costs, ClusterOptions.DEATHS);
            simulation.start(simulation.machine("one", 1), "one", () -> {
                var made = Protocols.named(protocol);
                Tidepool pool =
                        PoolAccess.open(fabric, new PoolOptions(made.name(), 2, 2, 4 << 20, 4, 64 * 1024), made);
                scene.accept(pool);
                pool.close();
            });
            simulation.run();
        }
    }
}
