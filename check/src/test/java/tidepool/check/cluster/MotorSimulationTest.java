package tidepool.check.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.protocol.Protocol;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorOptions;

/** Whole clusters of Motor, serializable; and some of snapshot isolation. */
class MotorSimulationTest extends ClusterSimulationTest {
    private static final int SEEDS = 200;

    @Override
    Protocol protocol() {
        return new Motor();
    }

    private static Protocol snapshot() {
        return new Motor(MotorOptions.DEFAULT.with(MotorOptions.Isolation.SNAPSHOT));
    }

    /** No lost update and no fractured read; but write skew, which shows that the weaker promise is made use of. */
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

    /** Two versions, and bars with room for one whole value: versions go as early as they can. */
    @Test
    void fewVersions() {
        for (long seed = 1; seed <= SEEDS / 2; seed++)
            ClusterSimulation.run(ClusterOptions.drawn(seed)
                    .withProtocol(() -> new Motor(new MotorOptions(MotorOptions.Isolation.SERIALIZABLE, 2, 8))));
    }
}
