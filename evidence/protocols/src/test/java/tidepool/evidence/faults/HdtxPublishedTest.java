package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.PoolCheck;
import tidepool.evidence.hdtx.HdtxBug;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.hdtx.HdtxOptions;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;
import tidepool.store.TableLayout;
import tidepool.txn.Txn;

/**
 * T reads k and writes x, in two ways that leave the same memory when it dies: its validation failed (B), or it passed,
 * T was reported, and another transaction wrote k afterwards (A). As published, no rule of recovery is right in both;
 * with a status there is one.
 */
@Tag("full")
class HdtxPublishedTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final Schema SCHEMA = Schema.parse("pair(n:long)");
    private static final long K = 1;
    private static final long X = 2;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * Wherever T dies after k has changed, it has not happened. Otherwise T and the writer of k have both read the old
     * values.
     */
    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?release=client", "hdtx?reads=locked", "ford", "drtmh"})
    void whatWasNotValidNeverHappens(String protocol) {
        for (Ending ending : all(() -> Protocols.named(protocol), true))
            assertEquals(0, ending.x(), protocol + " " + ending);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx?release=client", "hdtx?reads=locked", "ford", "drtmh"})
    void whatWasReportedIsThere(String protocol) {
        for (Ending ending : all(() -> Protocols.named(protocol), false))
            assertTrue(!ending.reported() || ending.x() == 1, protocol + " " + ending);
    }

    /** The defect: log and marks are everywhere, and nothing records that validation failed. */
    @Test
    void asPublishedWhatWasNotValidMayHappen() {
        List<Ending> wrong = new ArrayList<>();
        for (Ending ending : all(() -> Protocols.named("hdtx-published"), true)) if (ending.x() != 0) wrong.add(ending);
        System.out.println("hdtx-published, write skew when it dies at: " + wrong);

        assertTrue(!wrong.isEmpty(), "the hole of the published form is shown");
    }

    /** The other rule is no better: a transaction that was reported is lost. */
    @Test
    void asPublishedTheOtherRuleLosesWhatWasReported() {
        Supplier<Protocol> drops =
                () -> HdtxBug.RECOVERY_DROPS_ALWAYS.in(HdtxOptions.DEFAULT.with(HdtxOptions.Reads.PUBLISHED));
        int lost = 0;
        for (long verb = 0; ; verb++)
            try {
                Ending ending = play(drops, false, verb, When.AFTER);
                if (ending == null) break;
                if (ending.reported() && ending.x() == 0) lost++;
            } catch (ClusterFailure halfCopied) {
                lost++;
            }
        System.out.println("hdtx-published that drops, points at which what was reported is lost: " + lost);

        assertTrue(lost > 0, "a reported transaction is lost");
        for (Ending ending : all(drops, true)) assertEquals(0, ending.x(), ending.toString());
    }

    /** H5, planted: logs have a status, but are taken for decided when they are whole. */
    @Test
    void wholeLogsTakenForValidAreNoticed() {
        assertTrue(all(HdtxBug.WHOLE_LOGS_MEAN_VALID, true).stream().anyMatch(ending -> ending.x() != 0));
    }

    /** H2, planted: an abort that removes its marks on primaries only leaves backups that cannot be read. */
    @Test
    void marksLeftOnBackupsAreNoticed() {
        HdtxOptions published = HdtxOptions.DEFAULT.with(HdtxOptions.Reads.PUBLISHED);
        play(() -> HdtxBug.NONE.in(published), true, Long.MAX_VALUE, When.AFTER);
        String found = null;
        try {
            play(() -> HdtxBug.MARKS_STAY_ON_BACKUPS.in(published), true, Long.MAX_VALUE, When.AFTER);
        } catch (ClusterFailure e) {
            found = e.getMessage();
        }

        assertTrue(found != null && found.contains("marked"), "found: " + found);
    }

    private record Ending(long verb, When when, boolean reported, long x) {}

    /** T dies before and after each of its verbs, without the last ones, which it does not reach. */
    private static List<Ending> all(Supplier<Protocol> protocol, boolean changes) {
        List<Ending> endings = new ArrayList<>();
        for (When when : When.values())
            for (long verb = 0; ; verb++) {
                Ending ending = play(protocol, changes, verb, when);
                if (ending == null) break;
                endings.add(ending);
            }
        assertTrue(endings.size() > 10, "T has verbs");
        return endings;
    }

    /** Returns null if T ended before the verb. */
    private static Ending play(Supplier<Protocol> protocol, boolean changes, long verb, When when) {
        try (Simulation simulation = new Simulation(1)) {
            return new Scene(simulation, protocol).play(changes, verb, when);
        }
    }

    private static final class Scene {
        private final Simulation simulation;
        private final SimFabric fabric;
        private final PoolOptions options;
        private final Supplier<Protocol> protocol;
        private TableLayout table;
        private boolean hasRead;
        private boolean changed;
        private boolean over;
        private boolean reported;
        private long x;

        Scene(Simulation simulation, Supplier<Protocol> protocol) {
            this.simulation = simulation;
            this.protocol = protocol;
            CostProfile costs = CostProfile.named("cx5").withLease(0).withDeadline(50_000_000);
            this.fabric = new SimFabric(simulation, 2, costs, Adversary.NONE);
            this.options = new PoolOptions(protocol.get().name(), 2, 2, 64 * 1024, 8, 4096);
        }

        Ending play(boolean changes, long verb, When when) {
            start("loader", () -> {
                Tidepool pool = open();
                pool.transact(tx -> {
                    tx.raw().insert(table, K);
                    tx.raw().insert(table, X);
                });
                pool.close();
            });
            simulation.run();
            simulation.crashMachineOf("victim", verb, when);
            Machine dying = simulation.machine("dying", 2);
            simulation.start(dying, "opener", () -> {
                Tidepool pool = open();
                pool.read(tx -> tx.raw().read(table, K) + tx.raw().read(table, X));
                simulation.start(dying, "victim", () -> victim(pool, changes));
            });
            start("other", () -> {
                Tidepool pool = open();
                while (!dying.isDead() && (changes ? !hasRead : !over)) pause();
                pool.transact(tx -> {
                    tx.raw().read(table, X);
                    add(tx, K);
                });
                changed = true;
                while (!over && !dying.isDead()) pause();
                for (int tries = 0; fabric.control(0).sessions().length > 1 && dying.isDead(); tries++) {
                    pool.recoverAll();
                    Waiting.pause(5_000);
                    if (tries > 1000) throw new ClusterFailure("nobody recovers T");
                }
                x = pool.compute(tx -> value(tx, X));
                pool.close();
            });
            simulation.run();
            simulation.settle();
            new PoolCheck(fabric, table, false).checkObjects();
            return dying.isDead() ? new Ending(verb, when, reported, x) : null;
        }

        private void victim(Tidepool pool, boolean changes) {
            Transaction tx = pool.begin();
            tx.raw().read(table, K);
            tx.execute();
            hasRead = true;
            while (changes && !changed) pause();
            try {
                add(tx, X);
                reported = tx.commit();
                Waiting.pause(50_000);
            } finally {
                over = true;
            }
        }

        private long value(Transaction tx, long key) {
            int access = tx.raw().read(table, key);
            tx.execute();
            return Words.plain(tx.raw().memory(), tx.raw().value(access));
        }

        private void add(Transaction tx, long key) {
            Txn txn = tx.raw();
            int access = txn.update(table, key);
            tx.execute();
            Words.plain(txn.memory(), txn.value(access), Words.plain(txn.memory(), txn.value(access)) + 1);
        }

        private Tidepool open() {
            Tidepool pool = PoolAccess.open(fabric, options, protocol.get());
            table = PoolAccess.layout(pool.table(SCHEMA, 16));
            return pool;
        }

        private void start(String machine, Runnable body) {
            simulation.start(simulation.machine(machine, 2), machine, body);
        }

        private static void pause() {
            Waiting.pause(1_000);
        }
    }
}
