package tidepool.evidence.litmus;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;

/** Families of plans. */
public final class Plans {
    private static final int MAX_PAIRS = 800;
    private static final int STEPS = 7;

    private Plans() {}

    /** Returns plans that stop no part, except for short waits at some verbs. */
    public static List<Plan> free(long firstJitter, int count) {
        List<Plan> all = new ArrayList<>();
        for (int i = 0; i < count; i++) all.add(Plan.free(firstJitter + i));
        return all;
    }

    /** Returns the plan in which all parts run one after the other, beginning with this one. */
    public static Plan serial(int parts, int first) {
        Plan.Turn[] turns = new Plan.Turn[parts];
        for (int i = 0; i < parts; i++) turns[i] = Plan.toTheEnd((first + i) % parts);
        return Plan.turns(turns);
    }

    /**
     * Returns plans for two parts: one runs to any of its verbs, then the other to any of its own, then the first to
     * its end. These are all interleavings with two switches between the parts.
     */
    public static List<Plan> pairs(long[] verbs) {
        List<Plan> all = new ArrayList<>();
        for (int first = 0; first < 2; first++)
            for (long m = 0; m <= verbs[first]; m++)
                for (long n = 0; n <= verbs[1 - first]; n++)
                    all.add(Plan.turns(
                            Plan.turn(first, m),
                            Plan.turn(1 - first, n),
                            Plan.toTheEnd(first),
                            Plan.toTheEnd(1 - first)));
        return some(all, MAX_PAIRS);
    }

    /** Returns plans in which random parts run to random verbs, several times. Equal arguments give equal plans. */
    public static List<Plan> random(long[] verbs, int count) {
        Randomness random = new Randomness(count).fork("plans");
        List<Plan> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Plan.Turn[] turns = new Plan.Turn[STEPS];
            long[] at = new long[verbs.length];
            for (int s = 0; s < STEPS; s++) {
                int part = random.nextInt(verbs.length);
                at[part] += 1 + random.nextInt((int) Math.max(1, verbs[part] * 2 / 3));
                turns[s] = Plan.turn(part, at[part]);
            }
            all.add(Plan.turns(turns));
        }
        return all;
    }

    /** Returns {@code max} of the plans, spread evenly; all if there are not more. */
    public static List<Plan> some(List<Plan> all, int max) {
        if (all.size() <= max) return all;
        List<Plan> some = new ArrayList<>();
        for (int i = 0; i < max; i++) some.add(all.get((int) ((long) i * all.size() / max)));
        return some;
    }
}
