package tidepool.workload.recorded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.base.Randomness;
import tidepool.protocol.Protocols;
import tidepool.protocol.Step;
import tidepool.testkit.Effort;
import tidepool.workload.EventCounts;
import tidepool.workload.RoundTrips;

/** The steps in which processes die. A campaign that never kills in a step says nothing about the recovery from it. */
class KillPlanTest {
    /** Threads of each process, as in the documented campaign. */
    private static final int THREADS = 6;

    /** The campaign has 40 kills, so it aims at each step of a protocol at least five times. */
    private static final int KILLS_FOR_ALL = 8;

    private static final int CAMPAIGN = 40;

    static Stream<String> protocols() {
        return RoundTrips.protocols().stream();
    }

    /** Eight kills aim at every step of a protocol's table, and at its aborts. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aFewKillsAimAtEveryStep(String protocol) {
        Set<Step> steps = steps(protocol);
        KillPlan plan = plan(List.of());
        for (int i = 0; i < CAMPAIGN / KILLS_FOR_ALL; i++) {
            Set<Step> aimed = EnumSet.noneOf(Step.class);
            for (int kill = 0; kill < KILLS_FOR_ALL; kill++) aimed.addAll(aims(plan, steps));
            assertEquals(steps, aimed, protocol + ", kills from " + i * KILLS_FOR_ALL);
        }
    }

    /** Rare steps are known of some victims only. Their turn comes nevertheless, and takes that of no other step. */
    @ParameterizedTest
    @MethodSource("protocols")
    void aStepThatOnlySomeVictimsPassHasItsTurn(String protocol) {
        Set<Step> all = steps(protocol);
        for (Step rare : all) {
            Set<Step> others = EnumSet.copyOf(all);
            others.remove(rare);
            for (int every = 2; every <= 5; every++) {
                Map<Step, Integer> aims = new EnumMap<>(Step.class);
                KillPlan plan = plan(List.of());
                for (int kill = 0; kill < CAMPAIGN; kill++)
                    for (Step step : aims(plan, kill % every == 0 ? all : others)) aims.merge(step, 1, Integer::sum);
                assertEquals(all, aims.keySet(), protocol + ": " + rare + " in each process of " + every);
            }
        }
    }

    /** Recovery has to finish transactions and to undo them, so deaths come before and after the decision. */
    @ParameterizedTest
    @MethodSource("protocols")
    void mostDeathsAreAroundTheDecision(String protocol) {
        Set<Step> steps = steps(protocol);
        List<Step> deciding = Stream.of(Step.LOG, Step.COMMIT, Step.SETTLE, Step.COPY, Step.RELEASE)
                .filter(steps::contains)
                .toList();
        int first = 0, later = 0, before = 0;
        KillPlan plan = plan(List.of());
        for (int kill = 0; kill < CAMPAIGN; kill++)
            for (Step step : aims(plan, steps)) {
                if (step == deciding.getFirst()) first++;
                else if (deciding.contains(step)) later++;
                else before++;
            }
        int all = first + later + before;
        assertEquals(THREADS * CAMPAIGN * 7 / 8, all, "every eighth process dies at any moment");
        assertEquals(List.of(all * 2 / 5, all * 2 / 5, all / 5), List.of(first, later, before));
    }

    /** A named step is the only one, in each process. */
    @Test
    void namedStepsTakeTurns() {
        KillPlan plan = plan(List.of(Step.LOG, Step.COMMIT));
        for (int kill = 0; kill < CAMPAIGN; kill++) {
            List<Step> aims = aims(plan, Set.of());
            assertEquals(THREADS, aims.size(), "none dies at any moment");
            assertEquals(EnumSet.of(Step.LOG, Step.COMMIT), EnumSet.copyOf(aims));
        }
    }

    /** A process that has passed no step yet dies at any moment. */
    @Test
    void aProcessThatHasDoneNothingHasNoAim() {
        assertTrue(aims(plan(List.of()), Set.of()).isEmpty());
    }

    private static KillPlan plan(List<Step> chosen) {
        return new KillPlan(chosen, new Randomness(Effort.firstSeed()));
    }

    /** Returns the steps of the protocol's table, and the abort, which has no line in it. */
    private static Set<Step> steps(String protocol) {
        Set<Step> steps = EnumSet.copyOf(Protocols.named(protocol).steps());
        steps.add(Step.ABORT);
        return steps;
    }

    /** Returns the steps at which the next kill aims. */
    private static List<Step> aims(KillPlan plan, Set<Step> passed) {
        EventCounts counts = new EventCounts();
        for (Step step : passed) counts.add(step.toString());
        List<Step> aims = new ArrayList<>();
        for (AimedDeath.Aim aim : plan.next(THREADS, counts)) aims.add(aim.step());
        return aims;
    }
}
