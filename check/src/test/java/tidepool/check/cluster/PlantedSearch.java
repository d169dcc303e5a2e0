package tidepool.check.cluster;

import java.util.function.LongFunction;
import java.util.function.Supplier;
import tidepool.check.cluster.CrashScene.Death;
import tidepool.check.cluster.CrashScene.Shape;
import tidepool.fabric.sim.CrashPoint.When;
import tidepool.protocol.Protocol;
import tidepool.testkit.Effort;

/** Looks for a planted bug: with the seeds of whole clusters, or at the enumerated crash points of one transaction. */
public final class PlantedSearch {
    /** Clusters that are tried at most; the search ends at the first that fails. */
    public static final long SEEDS = Effort.of(400, 400, 2_500);

    private static final int SCENE_SEEDS = 300;

    private PlantedSearch() {}

    /** Whether those are tried as well that need many seeds, or long ones. */
    public static boolean isPatient() {
        return SEEDS >= 2_000;
    }

    /** What the first cluster that fails says; null if none does. */
    public static String firstFailure(Supplier<Protocol> protocol) {
        return firstFailure(SEEDS, seed -> ClusterOptions.drawn(seed).withProtocol(protocol));
    }

    /** The same with other clusters. */
    public static String firstFailure(long seeds, LongFunction<ClusterOptions> clusters) {
        for (long seed = 1; seed <= seeds; seed++)
            try {
                ClusterSimulation.run(clusters.apply(seed));
            } catch (ClusterFailure e) {
                return e.getMessage();
            }
        return null;
    }

    /** How many scenes in which a writer dies until one fails; -1 if none does. */
    static int scenes(Supplier<Protocol> protocol) {
        int scenes = 0;
        for (int seed = 1; seed <= SCENE_SEEDS; seed++)
            for (When when : When.values())
                for (long verb = 0; ; verb++) {
                    scenes++;
                    Boolean over = fails(protocol, 2, seed, new Death(verb, when), null);
                    if (over == null) return scenes;
                    if (over) break;
                }
        return -1;
    }

    /** The same with a recoverer that dies too, behind each of its verbs. */
    static int scenesWithDyingRecoverer(Supplier<Protocol> protocol) {
        int scenes = 0;
        for (int seed = 1; seed <= SCENE_SEEDS; seed++)
            for (long verb = 8; verb < 16; verb++)
                for (long own = 0; ; own++) {
                    scenes++;
                    Boolean over = fails(protocol, 1, seed, new Death(verb, When.AFTER), new Death(own, When.AFTER));
                    if (over == null) return scenes;
                    if (over) break;
                }
        return -1;
    }

    /** Null if the checks found something; true if the strand ended before it got to its verb. */
    private static Boolean fails(Supplier<Protocol> protocol, int replicas, long seed, Death victim, Death recoverer) {
        try {
            return CrashScene.play(
                            Shape.UPDATE_TWO_PARTITIONS,
                            replicas,
                            seed,
                            seed % 2 == 0 ? ClusterOptions.SLOW : ClusterOptions.DEATHS,
                            victim,
                            recoverer,
                            false,
                            protocol)
                    == null;
        } catch (ClusterFailure found) {
            return null;
        }
    }
}
