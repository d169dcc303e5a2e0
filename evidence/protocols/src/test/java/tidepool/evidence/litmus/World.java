package tidepool.evidence.litmus;

import java.util.List;

/** The place where scenes are played: simulated machines, or processes. */
interface World extends AutoCloseable {
    /** Plays a round of the scene for each plan. Throws {@link Forbidden} if a part fails or memory is left wrong. */
    List<Played> play(Scene scene, List<Plan> plans);

    /** Returns the plans that suit this world. */
    List<Plan> schedule(Scene scene, long[] verbs);

    /** Whether a plan that is played again gives an equal run. */
    boolean repeats();

    @Override
    void close();
}
