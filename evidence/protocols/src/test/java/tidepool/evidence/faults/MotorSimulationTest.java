package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.fabric.Session;
import tidepool.protocol.Coordinator;
import tidepool.protocol.Protocol;
import tidepool.protocol.TxnCounter;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorCoordinator;
import tidepool.protocol.motor.MotorOptions;
import tidepool.protocol.time.CounterTimestamps;
import tidepool.protocol.time.Timestamps;
import tidepool.store.Catalog;
import tidepool.testkit.Effort;

/** Whole clusters of Motor, serializable; and some of snapshot isolation. */
@Tag("full")
class MotorSimulationTest extends ClusterSimulationTest {
    private static final int SEEDS = Effort.of(40, 100, 4_000);

    @Override
    Protocol protocol() {
        return new Motor();
    }

    private static Protocol snapshot() {
        return new Motor(MotorOptions.DEFAULT.with(MotorOptions.Isolation.SNAPSHOT));
    }

    /** No lost update and no fractured read; but write skew, which shows that the weaker promise is used. */
    @Test
    void snapshotIsolationAllowsSkewAndNothingElse() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(MotorSimulationTest::snapshot)));
        System.out.println(all);

        assertTrue(all.count("write skew") > 0, "nobody made use of the weaker promise");
        assertTrue(all.count("abort VERSION_CHANGED") > 0, "nobody was second");
    }

    /** Memory nodes die, are cut off and replaced; copies are filled under writers. */
    @Test
    void memoryNodesComeAndGo() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= 12; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawnWithNodes(seed)
                    .withProtocol(seed % 3 == 0 ? MotorSimulationTest::snapshot : Motor::new)));
        System.out.println(all);

        assertTrue(all.count("committed") > 0);
    }

    /**
     * Requests for timestamps that wait for others share one request, also with a leader that dies before it is
     * answered.
     */
    @Test
    void timestampsAreShared() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS / 2; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(PatientMotor::new)));
        System.out.println(all);

        assertTrue(all.count("timestamp shared") > 0, "nobody shared");
    }

    /** A request for a timestamp waits for {@code WHILE_NANOS}, so that others join. */
    private static final class PatientMotor extends Motor {
        private static final long WHILE_NANOS = 10_000;

        @Override
        public Coordinator coordinator(Session session, Catalog catalog, TxnCounter counters) {
            return new MotorCoordinator(session, catalog, counters, options()) {
                @Override
                protected Timestamps newTimestamps() {
                    return new CounterTimestamps(lane, pool()) {
                        @Override
                        protected boolean isWorthIt(boolean busy) {
                            return true;
                        }

                        @Override
                        protected void letOthersJoin() {
                            Waiting.pause(WHILE_NANOS);
                        }
                    };
                }
            };
        }
    }

    /** Two versions, and delta areas with room for one whole value: versions are overwritten as early as possible. */
    @Test
    void fewVersions() {
        for (long seed = 1; seed <= SEEDS / 2; seed++)
            ClusterSimulation.run(ClusterOptions.drawn(seed)
                    .withProtocol(() -> new Motor(new MotorOptions(MotorOptions.Isolation.SERIALIZABLE, 2, 8))));
    }
}
