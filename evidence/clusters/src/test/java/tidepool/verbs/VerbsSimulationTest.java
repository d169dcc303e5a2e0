package tidepool.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tidepool.base.Coroutine;

/** Random verbs of many strands keep the promises of the contract, whatever goes wrong. */
class VerbsSimulationTest {
    private static final int SEEDS = 35;
    private static final int TURNS = 30;

    /** Six kinds of faults times 35 seeds: no promise is broken. */
    @ParameterizedTest
    @EnumSource
    void noSeedBreaksAPromise(Faults faults) {
        VerbsSimulation simulation = new VerbsSimulation(VerbsOptions.of(faults, TURNS));
        Campaign campaign = new Campaign(faults);
        for (long seed = 1; seed <= SEEDS; seed++) {
            RunResult result = simulation.run(seed);
            assertEquals(
                    List.of(),
                    result.violations(),
                    () -> "./tidepool simulate --seed " + result.seed() + " --faults " + faults.text() + " --rounds "
                            + TURNS);
            campaign.add(result);
        }

        assertTrue(campaign.turns() >= SEEDS * 16L * TURNS, "every strand takes its turns");
        assertEquals(List.of(), frequent(campaign), "what every campaign meets was never reached");
    }

    /** In so few turns rare things may be missing; these are not rare. */
    private static List<String> frequent(Campaign campaign) {
        List<String> rare =
                List.of("PARTIAL_WRITE", "REVOCATION_WAITED", "MACHINE_CRASHED", "NODE_CRASHED", "MACHINE_PAUSED");
        return campaign.neverReached().stream()
                .map(Enum::name)
                .filter(what -> !rare.contains(what))
                .toList();
    }

    /** A failure that cannot be repeated cannot be understood. */
    @Test
    void theSameSeedDoesTheSame() {
        VerbsSimulation simulation = new VerbsSimulation(VerbsOptions.of(Faults.ALL, TURNS));

        RunResult once = simulation.run(0x5eed);
        RunResult again = simulation.run(0x5eed);
        assertEquals(once.traceHash(), again.traceHash());
        assertEquals(once.coverage().all(), again.coverage().all());
        assertEquals(once.virtualNanos(), again.virtualNanos());
        assertNotEquals(once.traceHash(), simulation.run(0x5eee).traceHash());
    }

    /** With and without the JVM's continuations. */
    @Test
    void bothKindsOfStrandDoTheSame() {
        VerbsSimulation simulation = new VerbsSimulation(VerbsOptions.of(Faults.ALL, 10));

        assertEquals(
                simulation.run(7, Coroutine.Kind.CONTINUATION, 0).traceHash(),
                simulation.run(7, Coroutine.Kind.THREAD, 0).traceHash());
    }

    @Test
    void theTraceEndsWithWhatWasAskedFor() {
        RunResult result = new VerbsSimulation(VerbsOptions.of(Faults.NONE, 5)).run(1, Coroutine.Kind.preferred(), 12);

        assertEquals(12, result.lastEvents().size());
    }

    /** A campaign that never met what its faults are about has shown nothing. */
    @Test
    void aCampaignSaysWhatItNeverReached() {
        Campaign campaign = new Campaign(Faults.NETWORK);
        campaign.add(new VerbsSimulation(VerbsOptions.of(Faults.NONE, 20)).run(1));

        assertFalse(campaign.isLongEnough());
        assertTrue(
                campaign.neverReached().toString().contains("FLIGHT"),
                campaign.neverReached().toString());
    }

    @Test
    void unknownFaultsAreRefusedWithTheKnownOnes() {
        String known = "; known: none, order, network, crash, power, all";

        assertEquals(
                "unknown faults 'x'" + known,
                assertThrows(IllegalArgumentException.class, () -> Faults.named("x"))
                        .getMessage());
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Faults.named("clock"))
                .getMessage()
                .endsWith(known));
    }
}
