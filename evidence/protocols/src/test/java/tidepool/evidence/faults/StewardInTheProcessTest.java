package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.ConflictException;
import tidepool.Table;
import tidepool.Tidepool;
import tidepool.Transaction;
import tidepool.base.Waiting;
import tidepool.clusters.SimRosters;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.Reconfiguration;
import tidepool.schema.Key;
import tidepool.sim.Adversary;
import tidepool.sim.CostProfile;
import tidepool.sim.Machine;
import tidepool.sim.SimFabric;
import tidepool.sim.Simulation;
import tidepool.spi.PoolAccess;
import tidepool.spi.Steward;
import tidepool.spi.StewardListener;
import tidepool.store.PoolOptions;
import tidepool.store.Roster;

/**
 * A pool and its steward in one process, with one protocol object, as every {@code zk://} pool has them. A node dies.
 * One coordinator begins before the steward fills the new copy, another one after it. Both belong to one session, and
 * have to share the state that the protocol keeps for a session. Otherwise one coordinator validates against versions
 * that the other has replaced.
 */
class StewardInTheProcessTest {
    private static final long LEASE_NANOS = 50_000;
    private static final long LOOK_NANOS = 20_000;
    private static final long MAX_NANOS = 1_000_000_000;
    private static final long X = 1;
    private static final long Y = 2;

    record Row(@Key long id, long count) {}

    @BeforeAll
    static void quiet() {
        Logger.getLogger("tidepool").setLevel(Level.OFF);
    }

    /** Each of the two reads what the other one writes: at most one may commit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford",
                "ford-lv?vcache=local",
                "ford-lv?vcache=partition",
                "ford-lv?vcache=global",
                "farm",
                "drtmh",
                "hdtx",
                "motor",
                "farmv2"
            })
    void coordinatorsFromBeforeAndAfterAFillAgree(String protocol) {
        assertFalse(bothCommit(Protocols.named(protocol)), protocol + " lets a write skew through");
    }

    /** The test can fail: with a Vcache for each coordinator the skew is seen. */
    @Test
    void coordinatorsThatShareNothingAreFound() {
        assertTrue(bothCommit(new ForgetfulFordLv()));
    }

    private static boolean bothCommit(Protocol protocol) {
        PoolOptions options = new PoolOptions(protocol.name(), 2, 2, 64 * 1024, 16, 4096);
        boolean[] committed = new boolean[2];
        boolean[] settledIn = new boolean[1];
        boolean[] wasFilled = new boolean[1];
        try (Simulation simulation = new Simulation(1)) {
            SimFabric fabric = new SimFabric(
                    simulation, 3, CostProfile.CX5.withLease(LEASE_NANOS).withDeadline(2_000_000), Adversary.ORDER);
            SimRosters rosters = new SimRosters(fabric, 1, 2, 2, LEASE_NANOS);
            Machine machine = simulation.machine("process", 2);
            StewardListener listener = new StewardListener() {
                @Override
                public void changed(Roster to, Reconfiguration.Report report) {
                    while (!settledIn[0]) Waiting.pause(LOOK_NANOS);
                }

                @Override
                public void filled(Roster of, int partition, long copied) {
                    wasFilled[0] = true;
                }
            };
            simulation.start(machine, "process", () -> {
                Steward.Pace pace = new Steward.Pace(LOOK_NANOS, 3, LEASE_NANOS, MAX_NANOS);
                try (Tidepool pool = PoolAccess.open(rosters.clientInTurn(), options, protocol, pace, steward -> {
                    steward.setListener(listener);
                    simulation.start(machine, "steward", steward::run);
                })) {
                    Table<Row> rows = pool.table("row", Row.class, 4);
                    pool.transact(tx -> {
                        rows.insert(tx, new Row(X, 1));
                        rows.insert(tx, new Row(Y, 1));
                    });
                    rosters.crash(1);
                    await(
                            simulation,
                            () -> rosters.now().epoch() == 2 && rosters.now().steady());
                    pool.transact(tx -> rows.update(tx, X).set(new Row(X, 2))); // the first coordinator of its session
                    settledIn[0] = true;
                    await(simulation, () -> wasFilled[0] && !rosters.now().isFilling());
                    Transaction first = pool.begin();
                    writeBoth(pool, rows); // by the second coordinator, which knows both versions from then on
                    committed[0] = skew(pool, rows, first, committed);
                }
            });
            simulation.run();
            assertTrue(wasFilled[0], "a copy was filled meanwhile");
        }
        return committed[0] && committed[1];
    }

    /** Returns whether the first one committed; the second result is in the array. */
    private static boolean skew(Tidepool pool, Table<Row> rows, Transaction first, boolean[] committed) {
        Transaction second = pool.begin();
        rows.get(first, Y);
        rows.get(second, X);
        rows.put(first, new Row(X, 0));
        rows.put(second, new Row(Y, 0));
        boolean done = commit(first);
        committed[1] = commit(second);
        return done;
    }

    private static boolean commit(Transaction transaction) {
        try {
            return transaction.commit();
        } catch (ConflictException e) {
            return false;
        }
    }

    private static void writeBoth(Tidepool pool, Table<Row> rows) {
        Transaction writer = pool.begin();
        rows.update(writer, X).set(new Row(X, 1));
        rows.update(writer, Y).set(new Row(Y, 1));
        assertTrue(writer.commit());
    }

    private static void await(Simulation simulation, java.util.function.BooleanSupplier condition) {
        long deadline = simulation.nowNanos() + MAX_NANOS;
        while (!condition.getAsBoolean()) {
            assertTrue(simulation.nowNanos() < deadline, "nothing happened for too long");
            Waiting.pause(LOOK_NANOS);
        }
    }
}
