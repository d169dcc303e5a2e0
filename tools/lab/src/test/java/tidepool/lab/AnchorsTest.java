package tidepool.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterSimulation;
import tidepool.protocol.Protocol;
import tidepool.protocol.Protocols;
import tidepool.protocol.motor.Motor;
import tidepool.protocol.motor.MotorOptions;
import tidepool.schema.Schema;
import tidepool.sim.Adversary;

/**
 * Anchors detect a half-written value if its words land in order, and otherwise not. No pool outside the lab accepts
 * them.
 */
class AnchorsTest {
    private static final int SEEDS = 40;

    /** The hole needs two writers and a reader of one row within a few microseconds. */
    private static final int SEEDS_FOR_THE_HOLE = 2_000;

    private static final Logger LOG = Logger.getLogger("tidepool");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /**
     * Words of a WRITE land in any order: a reader gets a value of two writers, and the check of the history reports
     * it.
     */
    @Test
    void tornValuesGoUnnoticed() {
        String found = firstFailure(() -> new AnchoredMotor(4), Adversary.ORDER, SEEDS_FOR_THE_HOLE);

        assertNotNull(found, "the hole was not found in " + SEEDS_FOR_THE_HOLE + " seeds");
        assertTrue(found.contains("content") || found.contains("value") || found.contains("saw"), found);
    }

    /** Equal clusters, word for word, with checksums. */
    @Test
    void checksumsNoticeThem() {
        assertNull(firstFailure(() -> new Motor(MotorOptions.DEFAULT), Adversary.ORDER, SEEDS));
    }

    /** Without tearing the protocol is right: only the anchors fail above. */
    @Test
    void anchorsDoWhereNothingIsTorn() {
        Adversary.Order whole = new Adversary.Order(300_000, 4_000, 0, 0, 200_000, true, true, Adversary.BURSTS);

        assertNull(firstFailure(() -> new AnchoredMotor(4), Adversary.NONE.with(whole), SEEDS));
    }

    private static String firstFailure(Supplier<Protocol> protocol, Adversary adversary, int seeds) {
        for (long seed = 1; seed <= seeds; seed++)
            try {
                ClusterSimulation.run(ClusterOptions.drawn(seed)
                        .withAdversary(adversary)
                        .withCrashes(0)
                        .withProtocol(protocol));
            } catch (ClusterFailure e) {
                return "seed " + seed + ": " + e.getMessage();
            }
        return null;
    }

    @Test
    void poolsOutsideTheLabDoNotTakeThem() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Protocols.named("motor-anchors"))
                .getMessage()
                .startsWith("unknown protocol 'motor-anchors'"));
        assertNotNull(LabProtocols.named("motor-anchors?versions=3").caveat());
    }

    /** 4 × 8 in place of 4 × 32 bytes of deltas; anchors have a word each, as stamp and checksum have. */
    @Test
    void deltasAreAttributesAlone() {
        Schema schema = Schema.parse("account(balance:long)").withUpdates("1 balance");

        assertEquals(24 + 4 * 32, new Motor().rows(schema).sideBytes());
        assertEquals(24 + 4 * 8, new AnchoredMotor(4).rows(schema).sideBytes());
    }
}
