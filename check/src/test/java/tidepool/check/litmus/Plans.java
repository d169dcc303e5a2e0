package tidepool.check.litmus;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Randomness;

/** Families of plans. */
public final class Plans {
    private static final int MOST_PAIRS = 800;
    private static final int STEPS = 7;

    private Plans() {}

    /** Nobody is stopped, except for short waits here and there. */
    public static List<Plan> free(long firstJitter, int count) {
        List<Plan> all = new ArrayList<>();
        for (int i = 0; i < count; i++) all.add(Plan.free(firstJitter + i));
        return all;
    }

    /** All parts one after the other, beginning with this one. */
    public static Plan serial(int parts, int first) {
        Plan.Turn[] turns = new Plan.Turn[parts];
        for (int i = 0; i < parts; i++) turns[i] = Plan.toTheEnd((first + i) % parts);
        return Plan.turns(turns);
    }

    /**
     * Of two parts: one runs to any of its verbs, then the other to any of its own, then the first to its end. These are
     * all the ways to put them together with two changes between them.
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
        return some(all, MOST_PAIRS);
    }

    /** Any of the parts runs to any of its verbs, several times; the same every time. */
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

    /** So many of them, spread evenly; all if there are not more. */
    public static List<Plan> some(List<Plan> all, int most) {
        if (all.size() <= most) return all;
        List<Plan> some = new ArrayList<>();
        for (int i = 0; i < most; i++) some.add(all.get((int) ((long) i * all.size() / most)));
        return some;
    }
}
