package tidepool.evidence.litmus;

import java.util.List;

/**
 * The run of a scene by many plans in one world. It lets the scene judge each round, and counts how often its parts
 * met.
 */
final class Performance {
    private final World world;
    private final Scene scene;
    private int rounds;
    private int met;

    Performance(World world, Scene scene) {
        this.world = world;
        this.scene = scene;
    }

    int rounds() {
        return rounds;
    }

    /** Returns the number of rounds in which the condition of the scene held. */
    int met() {
        return met;
    }

    void play(List<Plan> plans) {
        if (scene.isMortal()) for (Plan plan : plans) playTogether(List.of(plan));
        else
            for (int from = 0; from < plans.size(); from += scene.maxRounds())
                playTogether(plans.subList(from, Math.min(plans.size(), from + scene.maxRounds())));
    }

    private void playTogether(List<Plan> plans) {
        List<Played> played;
        try {
            played = world.play(scene, plans);
        } catch (Forbidden e) {
            // A part failed, or memory is wrong: find the plan that caused it.
            if (plans.size() > 1 && world.repeats()) for (Plan plan : plans) playTogether(List.of(plan));
            throw plans.size() > 1 ? e : new Forbidden(e.getMessage() + "; plan " + plans.getFirst(), e);
        }
        for (Played round : played) judge(round);
    }

    private void judge(Played round) {
        rounds++;
        try {
            if (scene.judge(round)) met++;
        } catch (Forbidden e) {
            throw new Forbidden(e.getMessage() + "; " + round, e);
        }
    }

    /** Returns how many verbs each part posts if it comes first. */
    long[] verbs() {
        long[] verbs = new long[scene.parts()];
        for (int p = 0; p < verbs.length; p++)
            verbs[p] = world.play(scene, List.of(Plans.serial(scene.parts(), p)))
                    .getFirst()
                    .of(p, "verbs");
        return verbs;
    }
}
