package tidepool.evidence.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.Tidepool;
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
 * HDTX with each of its switches, and with different ones on the machines of one cluster: whole clusters and crash
 * points.
 */
@Tag("full")
class HdtxSwitchesTest {
    private static final long SEEDS = Effort.of(8, 80, 2_000);
    private static final Logger LOG = Logger.getLogger("tidepool");
    private static final List<String> SWITCHES = List.of(
            "hdtx?reads=locked",
            "hdtx?release=client",
            "hdtx?locks=spin",
            "hdtx?lease=5&bypass=1",
            "hdtx?patience=20",
            "hdtx");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hdtx?reads=locked",
                "hdtx?release=client",
                "hdtx?locks=spin",
                "hdtx?lease=5",
                "hdtx?patience=20",
                "hdtx?reads=locked&release=client&locks=spin"
            })
    void clustersAreSerializable(String protocol) {
        ClusterReport all = ClusterReport.empty();
        for (long seed = 1; seed <= SEEDS; seed++)
            all.add(ClusterSimulation.run(ClusterOptions.drawn(seed).withProtocol(() -> Protocols.named(protocol))));

        List<String> expected = new ArrayList<>(List.of("recovery finished", "overflow bucket"));
        if (protocol.contains("lease=5")) expected.addAll(List.of("line left", "line resumed", "line skipped"));
        if (protocol.contains("patience")) expected.addAll(List.of("lock granted without a ticket", "line granted"));
        if (protocol.contains("release=client")) expected.add("copied by the client");
        else expected.add("copied by memory");
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
        System.out.println(all);

        assertEquals(
                List.of(),
                all.missing(List.of(
                        "line ticket",
                        "line granted",
                        "lock granted without a ticket",
                        "line skipped",
                        "status",
                        "copied by memory",
                        "copied by the client")));
    }

    /** HDTX does not survive a loss of power, and a pool that asks for it is refused. */
    @ParameterizedTest
    @ValueSource(strings = {"hdtx", "hdtx-published"})
    void flushIsRefused(String protocol) {
        for (String flush : List.of("selective", "full")) {
            IllegalArgumentException no = assertThrows(
                    IllegalArgumentException.class, () -> Tidepool.open("mem:?protocol=" + protocol + "&flush=" + flush)
                            .close());
            assertTrue(
                    no.getMessage().startsWith("protocol " + protocol + " has no switch 'flush'; it has"),
                    no::getMessage);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hdtx?reads=locked", "hdtx?release=client", "hdtx?locks=spin"})
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
