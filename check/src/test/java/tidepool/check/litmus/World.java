package tidepool.check.litmus;

import java.util.List;

/** Where scenes are played: by simulated machines, or by processes. */
interface World extends AutoCloseable {
    /** Plays a round of the scene for each plan. Throws {@link Forbidden} if somebody fails or memory is left wrong. */
    List<Played> play(Scene scene, List<Plan> plans);

    /** The plans that suit this world. */
    List<Plan> schedule(Scene scene, long[] verbs);

    /** Whether a plan that is played again does the same again. */
    boolean repeats();

    @Override
    void close();
}
