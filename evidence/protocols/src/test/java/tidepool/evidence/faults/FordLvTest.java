package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterReport;
import tidepool.clusters.ClusterSimulation;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.protocol.Protocols;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/** FORD with localized validation: whole clusters whose Vcaches are large, or so small that they evict all the time. */
@Tag("full")
class FordLvTest {
    private static final long SEEDS = Effort.of(6, 60, 6_000);
    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford-lv?vcache=local&vcachebytes=4k",
                "ford-lv?vcache=partition&vcachebytes=4k",
                "ford-lv?vcache=partition&vcachebytes=128",
                "ford-lv?vcache=global&vcachebytes=4k",
                "ford-lv?vcache=global&vcachebytes=128",
            })
    void clustersAreSerializable(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(() -> Protocols.named(protocol))));
        System.out.println(protocol + "\n" + all);

        List<String> expected = new ArrayList<>(List.of(
                "recovery finished",
                "recovery undone",
                "overflow bucket",
                "version hit",
                "version missing",
                "version filled",
                "version announced by another",
                "version changed"));
        if (protocol.endsWith("partition&vcachebytes=128")) expected.add("version evicted");
        assertEquals(List.of(), all.missing(expected));
    }

    /** Machines that stand still, are taken for dead, lose their owned partitions, and go on with an old Vcache. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ford-lv?vcache=local&vcachebytes=4k",
                "ford-lv?vcache=partition&vcachebytes=4k",
                "ford-lv?vcache=global&vcachebytes=4k"
            })
    void aSessionThatWasOnlySlowIsNeverWrong(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed)
                    .withCrashes(1)
                    .withPauses(3)
                    .withProtocol(() -> Protocols.named(protocol))));

        assertEquals(List.of(), all.missing(List.of("version hit", "fabric REVOKED_VERB_DROPPED")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ford-lv?vcache=partition&vcachebytes=4k", "ford-lv?vcache=global&vcachebytes=4k"})
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
