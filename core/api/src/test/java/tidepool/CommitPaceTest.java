package tidepool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Waiting;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.store.PoolOptions;

/** Pauses after a conflict fit the duration of a commit, whether that is microseconds or milliseconds. */
class CommitPaceTest {
    private static final int MACHINES = 4;
    private static final int STRANDS = 8; // on all machines
    private static final int COMMITS = 60; // of each strand

    /** The time between two transactions. A coordinator without such a time keeps a row for itself under any rule. */
    private static final long THINK_NANOS = 50_000;

    private static final double MAX_ABORTS = 2; // per commit

    /** A network of a hundred microseconds, and disks that take half a millisecond to force. */
    private static final CostProfile SLOW = slow();

    private static CostProfile slow() {
        CostProfile c = CostProfile.CX5;
        CostProfile.Memory m = c.memory();
        return new CostProfile(
                "slow",
                c.cpu(),
                c.nic(),
                new CostProfile.Network(50_000, 80, 42),
                c.pcie(),
                new CostProfile.Memory(
                        m.readNanos(),
                        m.readPicosPerByte(),
                        m.writePicosPerByte(),
                        m.lineBytes(),
                        m.partialWritePicos(),
                        500_000),
                c.node(),
                new CostProfile.Timeouts(100_000_000, 1_000_000_000));
    }

    /** The rule for a pool on which no commit was ever measured: from 400 ns to 0.8 ms. */
    private static final class Fixed extends CommitPace {
        @Override
        void committed(long nanos) {}
    }

    /**
     * Each attempt at a held lock takes time from the holder at the memory nodes. So there must be about one abort per
     * commit.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford?flush=full", "ford-lv", "farm", "farmv2", "drtmh", "hdtx", "motor"})
    void aHotRowOnASlowFabricAbortsAboutOncePerCommit(String protocol) {
        double aborts = abortsPerCommit(protocol, CommitPace::new);
        assertTrue(aborts <= MAX_ABORTS, protocol + ": aborts per commit " + aborts);
    }

    /**
     * The bound above can be exceeded: pauses that ignore the fabric are too short on this one. HDTX is left out,
     * because its lock queues need no pauses.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ford", "ford?flush=full", "ford-lv", "farm", "farmv2", "drtmh", "motor"})
    void pausesThatIgnoreTheFabricAbortMoreOften(String protocol) {
        double aborts = abortsPerCommit(protocol, Fixed::new);
        assertTrue(aborts > MAX_ABORTS, protocol + ": aborts per commit " + aborts);
    }

    /**
     * Returns the aborts per commit. Time is virtual, and only pauses are random, with ids as seeds: the number never
     * varies.
     */
    private static double abortsPerCommit(String protocol, Supplier<CommitPace> rule) {
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(simulation, 3, SLOW, Adversary.NONE);
            String name = protocol.replaceAll("\\?.*", "");
            PoolOptions options = new PoolOptions(name, 2, 0, 256 * 1024, 16, 16 * 1024);
            simulation.start(simulation.machine("load", 1), "load", () -> {
                Tidepool pool = PoolAccess.open(fabric, options, Protocols.named(protocol));
                Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, 64);
                pool.transact(tx -> accounts.insert(tx, new TidepoolTest.Account(1, 0)));
                pool.close();
            });
            simulation.run();
            List<Tidepool> pools = new ArrayList<>();
            int machines = name.equals("ford-lv") ? 1 : MACHINES; // under ford-lv one session owns the table
            for (int m = 0; m < machines; m++) {
                var machine = simulation.machine("m" + m, STRANDS / machines);
                simulation.start(machine, machine.name(), () -> {
                    Tidepool pool = PoolAccess.open(fabric, options, Protocols.named(protocol));
                    pool.pace(rule.get());
                    pools.add(pool);
                    Table<TidepoolTest.Account> accounts = pool.table("accounts", TidepoolTest.Account.class, 64);
                    for (int s = 0; s < STRANDS / machines; s++)
                        simulation.start(machine, machine.name() + "." + s, () -> increment(pool, accounts));
                });
            }
            simulation.run();
            long commits = 0;
            long aborts = 0;
            for (Tidepool pool : pools) {
                commits += pool.statistics().commits();
                aborts += pool.statistics().aborts();
            }
            assertEquals((long) STRANDS * COMMITS, commits, protocol);
            return (double) aborts / commits;
        }
    }

    private static void increment(Tidepool pool, Table<TidepoolTest.Account> accounts) {
        for (int i = 0; i < COMMITS; i++) {
            pool.transact(tx -> {
                Cell<TidepoolTest.Account> hot = accounts.update(tx, 1);
                hot.set(hot.get().plus(1));
            });
            Waiting.pause(THINK_NANOS);
        }
    }

    @Test
    void withoutASamplePausesDoubleFromAFractionOfAMicrosecond() {
        CommitPace pace = new CommitPace();
        assertEquals(400, pace.maxPause(1));
        assertEquals(800, pace.maxPause(2));
        assertEquals(819_200, pace.maxPause(12));
        assertEquals(819_200, pace.maxPause(1_000_000));
    }

    @Test
    void pausesAreMultiplesOfACommit() {
        CommitPace pace = new CommitPace();
        pace.committed(1_000_000);
        assertEquals(3_000_000, pace.maxPause(1));
        assertEquals(6_000_000, pace.maxPause(2));
        assertEquals(48_000_000, pace.maxPause(5));
        assertEquals(48_000_000, pace.maxPause(16));
    }

    /** A process that was stopped during its commits must not pause for the rest of the time of a transaction. */
    @Test
    void noPauseIsLongerThanFiftyMilliseconds() {
        CommitPace pace = new CommitPace();
        pace.committed(1_000_000_000);
        for (int attempts = 1; attempts < 100; attempts++) assertEquals(50_000_000, pace.maxPause(attempts));
    }

    /** Otherwise transactions that are always late would stay out for seconds. */
    @Test
    void aTransactionThatWasRefusedOftenComesMoreOften() {
        CommitPace pace = new CommitPace();
        pace.committed(1_000_000);
        assertEquals(12_000_000, pace.maxPause(17));
        assertEquals(12_000_000, pace.maxPause(1_000_000));
    }

    /** On shared memory the short bounds fit. The long bound fits a holder without a core. */
    @Test
    void quickCommitsLeavePausesAsTheyAre() {
        CommitPace pace = new CommitPace();
        pace.committed(2_000);
        for (int attempts = 1; attempts < 100; attempts++)
            assertEquals(new CommitPace().maxPause(attempts), pace.maxPause(attempts), "after " + attempts);
    }

    @Test
    void oneLongSampleMovesTheAverageALittle() {
        CommitPace pace = new CommitPace();
        pace.committed(1_000);
        pace.committed(4_000_000_000L);
        assertEquals(1_375, pace.commitNanos());
    }

    @Test
    void theAverageFollowsAFabricThatBecomesSlowOrQuick() {
        CommitPace pace = new CommitPace();
        pace.committed(1_000);
        for (int i = 0; i < 200; i++) pace.committed(1_000_000);
        assertTrue(pace.commitNanos() > 900_000, pace.commitNanos() + " ns");
        for (int i = 0; i < 200; i++) pace.committed(1_000);
        assertTrue(pace.commitNanos() < 1_100, pace.commitNanos() + " ns");
    }

    @Test
    void noSampleMakesAPauseOverflow() {
        CommitPace pace = new CommitPace();
        pace.committed(Long.MAX_VALUE / 1_000_000);
        for (int attempts = 1; attempts < 100; attempts++) assertTrue(pace.maxPause(attempts) > 0, "after " + attempts);
    }
}
