package tidepool.workload.recorded;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import tidepool.base.Randomness;
import tidepool.protocol.Step;
import tidepool.workload.EventCounts;

/**
 * Chooses where each process dies. Every eighth dies at an arbitrary moment. The threads of the others die each in a
 * step of its own: in turns in the step that decides about its transaction, in a later one, and each fifth in an
 * earlier one. Of the steps that the process has passed, the next is the one that was chosen least often, so that none
 * is left out, not even a rare one. The rest is random.
 */
final class KillPlan {
    private static final int ANY_MOMENT_EVERY = 8;

    /** The highest number of rounds of the chosen step until the thread stops. */
    private static final int MAX_TIMES = 2;

    /**
     * The steps from the deciding one on. A death in the first of these that a protocol has mostly leaves a transaction
     * to undo, a later one a transaction to finish.
     */
    private static final Set<Step> DECIDING = EnumSet.of(Step.LOG, Step.COMMIT, Step.SETTLE, Step.COPY, Step.RELEASE);

    private static final Set<Step> BEFORE =
            EnumSet.complementOf(EnumSet.of(Step.OTHER, Step.LOG, Step.COMMIT, Step.SETTLE, Step.COPY, Step.RELEASE));

    private enum Kind {
        FIRST,
        LATER,
        BEFORE
    }

    private static final List<Kind> TURNS = List.of(Kind.FIRST, Kind.LATER, Kind.FIRST, Kind.LATER, Kind.BEFORE);

    private final List<Step> chosen;
    private final Randomness random;
    private int kills;
    private int aims;
    private final int[] times = new int[Step.values().length];

    /** @param chosen steps in which processes die; empty for all that occur, and for any moment */
    KillPlan(List<Step> chosen, Randomness random) {
        this.chosen = chosen;
        this.random = random;
    }

    /**
     * Returns the aims of the next process that dies, one for each of its threads; none for any moment.
     *
     * @param passed steps that the process has passed, by name
     */
    List<AimedDeath.Aim> next(int threads, EventCounts passed) {
        int kill = kills++;
        if (chosen.isEmpty() && kill % ANY_MOMENT_EVERY == ANY_MOMENT_EVERY - 1) return List.of();
        List<AimedDeath.Aim> next = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Kind kind = TURNS.get(aims++ % TURNS.size());
            List<Step> steps = chosen.isEmpty() ? known(passed, kind) : chosen;
            if (!steps.isEmpty()) next.add(aim(leastOften(steps)));
        }
        return next;
    }

    private Step leastOften(List<Step> steps) {
        return Collections.min(steps, Comparator.comparingInt(step -> times[step.ordinal()]));
    }

    private AimedDeath.Aim aim(Step step) {
        times[step.ordinal()]++;
        return new AimedDeath.Aim(step, 1 + random.nextInt(MAX_TIMES), random.nextInt(1 << 20), random.nextBoolean());
    }

    private static List<Step> known(EventCounts passed, Kind kind) {
        List<Step> known = (kind == Kind.BEFORE ? BEFORE : DECIDING)
                .stream().filter(step -> passed.count(step.toString()) > 0).toList();
        if (kind == Kind.BEFORE || known.isEmpty()) return known;
        return kind == Kind.FIRST ? known.subList(0, 1) : known.subList(1, known.size());
    }
}
