package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Randomness;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.protocol.Protocols;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/**
 * FORD with each of its switches, and with different ones on the machines of one cluster: whole clusters and crash
 * points.
 */
@Tag("full")
class FordSwitchesTest {
    private static final long SEEDS = Effort.of(8, 80, 2_000);
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final List<String> SWITCHES =
            List.of("ford?locking=separate", "ford?commit=separate", "ford?undo=parallel", "ford?reads=backup", "ford");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford?locking=separate",
                "ford?commit=separate",
                "ford?undo=parallel",
                "ford?reads=backup",
                "ford?locking=separate&commit=separate&undo=parallel&reads=backup"
            })
    void clustersAreSerializable(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(() -> Protocols.named(protocol))));

        List<String> expected = new ArrayList<>(List.of("recovery undone", "overflow bucket"));
        // With a trip for each step, a machine rarely dies just between the last image and the release.
        if (!protocol.contains("&")) expected.add("recovery finished");
        if (protocol.contains("reads=backup")) expected.add("read from a backup");
        if (protocol.contains("locking=separate")) expected.add("abort VERSION_CHANGED");
        assertEquals(List.of(), all.missing(expected));
    }

    /** A machine reads the writes of another whose switches differ. */
    @Test
    void machinesWithDifferentSwitchesShareAPool() {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Randomness random = new Randomness(seed).fork("switches");
            all.add(ClusterSimulation.run(
                    ClusterOptions.drawn(seed).withProtocol(() -> Protocols.named(random.pick(SWITCHES)))));
        }

        assertEquals(List.of(), all.missing(List.of("read from a backup", "abort VERSION_CHANGED", "recovery undone")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford?locking=separate", "ford?commit=separate", "ford?undo=parallel"})
    void everyVerbMayBeTheLast(String protocol) {
        for (Shape shape : Shape.values())
            for (When when : When.values())
                for (long verb = 0; ; verb++) {
                    ClusterReport report = CrashScene.play(
                            shape,
                            2,
                            1 + 7 * verb,
                            ClusterOptions.DEATHS,
                            new Death(verb, when),
                            null,
                            false,
                            () -> Protocols.named(protocol));
                    if (report == null) break;
                }
    }
}
