package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
import tidepool.clusters.PoolView;
import tidepool.clusters.RandomTxns.Kind;
import tidepool.clusters.RandomTxns.Op;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.PowerStage.Cut;
import tidepool.protocol.Protocols;
import tidepool.sim.Adversary;
import tidepool.sim.CrashPoint.When;
import tidepool.sim.Simulation;
import tidepool.store.CatalogLayout;

/**
 * A repair after a loss of power records the outcomes of open transactions alone. Otherwise the last transaction of
 * every coordinator would be recorded at every restart, and outcomes that clients still ask for would be overwritten.
 */
class RestartOutcomesTest {
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final Cut ALL_SURVIVES = (fabric, node) -> fabric.failPower(node, (region, line) -> true);

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** All locks are free and all marks are removed when the power fails: no restart records an outcome. */
    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=full", "ford?flush=selective"})
    void transactionsThatHadEndedAreNotRecorded(String protocol) {
        try (Simulation simulation = new Simulation(1)) {
            PowerStage stage = stage(simulation, protocol);
            for (int restart = 0; restart < 3; restart++) {
                stage.untilPowerFails("client" + restart, "client", null, 1_000_000, () -> update(stage));
                assertEquals(0, recorded(stage), "after restart " + restart);
            }
            reopen(stage, "opener");
            assertEquals(0, recorded(stage));
            stage.end();
        }
    }

    /** The client dies at each verb of its commit: one outcome at the most, however often the pool is restarted. */
    @ParameterizedTest
    @ValueSource(strings = {"ford?flush=full", "ford?flush=selective"})
    void anOpenTransactionIsRecordedOnce(String protocol) {
        long max = 0;
        for (long verb = 0; ; verb++)
            try (Simulation simulation = new Simulation(1 + verb)) {
                PowerStage stage = stage(simulation, protocol);
                Death death = new Death(verb, When.AFTER);
                boolean died = stage.untilPowerFails("client", "client", death, 1, () -> update(stage));
                reopen(stage, "first opener");
                long first = recorded(stage);
                max = Math.max(max, first);
                assertTrue(first <= 1, "recorded " + first + " after verb " + verb);
                stage.cutPower();
                reopen(stage, "second opener");
                assertEquals(first, recorded(stage), "the second restart has nothing to record after verb " + verb);
                if (!died) break;
            }
        assertEquals(1, max, "no transaction was open");
    }

    /** Otherwise no session could be recovered for as long as the repairer lives. */
    @Test
    void theRecoveryLockIsFreeWhenTheRepairIsOver() {
        try (Simulation simulation = new Simulation(1)) {
            PowerStage stage = stage(simulation, "ford?flush=full");
            stage.untilPowerFails("client", "client", null, 1_000_000, () -> update(stage));
            long[] holder = {-1};
            stage.strand("opener", () -> {
                Tidepool pool = stage.open(stage.fabric);
                holder[0] = new PoolView(stage.fabric).catalogWord(0, CatalogLayout.RECOVERY_LOCK);
                pool.close();
            });
            stage.simulation.run();

            assertEquals(0, holder[0]);
        }
    }

    private static PowerStage stage(Simulation simulation, String protocol) {
        PowerStage stage = new PowerStage(
                simulation, 2, Adversary.ORDER.withPersistence(0), () -> Protocols.named(protocol), ALL_SURVIVES);
        stage.load(false);
        return stage;
    }

    private static void update(PowerStage stage) {
        Tidepool pool = stage.open(stage.fabric);
        Op first = new Op(Kind.UPDATE, stage.a[0], false);
        Op second = new Op(Kind.UPDATE, stage.b[0], false);
        stage.workload(pool, "victim").run(List.of(first, second), false);
        stage.over = true;
    }

    private static void reopen(PowerStage stage, String who) {
        stage.strand(who, () -> stage.open(stage.fabric).close());
        stage.simulation.run();
    }

    private static long recorded(PowerStage stage) {
        return new PoolView(stage.fabric).catalogWord(0, CatalogLayout.NEXT_OUTCOME);
    }
}
