package tidepool.evidence.faults;

import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import tidepool.clusters.ClusterFailure;
import tidepool.clusters.ClusterOptions;
import tidepool.clusters.ClusterSimulation;
import tidepool.evidence.faults.CrashScene.Death;
import tidepool.evidence.faults.CrashScene.Shape;
import tidepool.protocol.Protocol;
import tidepool.sim.CrashPoint.When;
import tidepool.testkit.Effort;

/** Trials in which a planted bug may show: each has a text of its own, which repeats it. */
public interface PlantedTrials {
    /** Clusters that a search runs; it ends at the first that fails. */
    long SEEDS = Effort.of(2_500, 2_500, 2_500);

    /** Scenes of a search: seeds, and verbs at which a strand of one transaction may die. */
    int SCENE_SEEDS = 300;

    int VERBS = 60;

    /** Returns all trials, in the order of a search. */
    Stream<String> all();

    /** Returns what was noticed in that trial; null if nothing was. */
    String play(String trial);

    /** Returns whole clusters, by their seeds. */
    static PlantedTrials clusters(Supplier<Protocol> protocol) {
        return clusters(SEEDS, seed -> ClusterOptions.drawn(seed).withProtocol(protocol));
    }

    /** Returns whole clusters with options of their own, by their seeds. */
    static PlantedTrials clusters(long seeds, LongFunction<ClusterOptions> clusters) {
        return of(
                () -> LongStream.rangeClosed(1, seeds).mapToObj(Long::toString),
                trial -> ClusterSimulation.run(clusters.apply(Long.parseLong(trial))));
    }

    /** Returns a transaction on two partitions whose writer dies at a verb: {@code SEED BEFORE|AFTER VERB}. */
    static PlantedTrials crashPoints(Supplier<Protocol> protocol) {
        Supplier<Stream<String>> all =
                () -> IntStream.rangeClosed(1, SCENE_SEEDS).boxed().flatMap(seed -> Stream.of(When.values())
                        .flatMap(when -> IntStream.range(0, VERBS).mapToObj(verb -> seed + " " + when + " " + verb)));
        return of(all, trial -> {
            String[] words = trial.split(" ");
            Death victim = new Death(Long.parseLong(words[2]), When.valueOf(words[1]));
            play(protocol, 2, Long.parseLong(words[0]), victim, null);
        });
    }

    /**
     * Returns trials in which the recoverer dies too, after one of its own verbs:
     * {@code SEED VERB VERB-OF-THE-RECOVERER}.
     */
    static PlantedTrials crashPointsOfRecoverers(Supplier<Protocol> protocol) {
        Supplier<Stream<String>> all =
                () -> IntStream.rangeClosed(1, SCENE_SEEDS).boxed().flatMap(seed -> IntStream.range(8, 16)
                        .boxed()
                        .flatMap(verb -> IntStream.range(0, VERBS).mapToObj(own -> seed + " " + verb + " " + own)));
        return of(all, trial -> {
            String[] words = trial.split(" ");
            Death victim = new Death(Long.parseLong(words[1]), When.AFTER);
            Death recoverer = new Death(Long.parseLong(words[2]), When.AFTER);
            play(protocol, 1, Long.parseLong(words[0]), victim, recoverer);
        });
    }

    private static void play(Supplier<Protocol> protocol, int replicas, long seed, Death victim, Death recoverer) {
        CrashScene.play(
                Shape.UPDATE_TWO_PARTITIONS,
                replicas,
                seed,
                seed % 2 == 0 ? ClusterOptions.SLOW : ClusterOptions.DEATHS,
                victim,
                recoverer,
                false,
                protocol);
    }

    /** A trial, which throws a {@link ClusterFailure} if a check noticed something. */
    interface Play {
        void of(String trial);
    }

    static PlantedTrials of(Supplier<Stream<String>> all, Play play) {
        return new PlantedTrials() {
            @Override
            public Stream<String> all() {
                return all.get();
            }

            @Override
            public String play(String trial) {
                try {
                    play.of(trial);
                    return null;
                } catch (ClusterFailure found) {
                    return String.valueOf(found.getMessage());
                }
            }
        };
    }
}
