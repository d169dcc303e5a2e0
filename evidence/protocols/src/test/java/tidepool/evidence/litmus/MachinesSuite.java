package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterOptions;
import tidepool.sim.Adversary;
import tidepool.testkit.Effort;

/** Scenes on simulated machines. {@code -Dtidepool.invocation=NAME} plays one scene alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MachinesSuite {
    static final int SEEDS = Effort.of(10, 30, 600);

    /** The minimum number of rounds in which the parts must have met; otherwise the scene has shown nothing. */
    static final int MIN_BY_CHANCE = SEEDS / 12;

    static final int MIN_BY_PLAN = Effort.of(1, 5, 5);

    /** The number of plans of a scene that are played, spread evenly over all of them. */
    private static final int PLANS = Effort.of(60, 200, 800);

    private static final Logger LOG = Logger.getLogger("tidepool");

    /** In the form that {@link NamedProtocols#named} reads. */
    final String protocol;

    private final MemoryCheck memoryCheck;

    MachinesSuite(String protocol, MemoryCheck memoryCheck) {
        this.protocol = protocol;
        this.memoryCheck = memoryCheck;
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    /** Whether the protocol allows what the parts of a scene do; otherwise the scene is not played. */
    protected boolean canPlay(Scene scene) {
        return true;
    }

    /** Whether the condition of a scene can occur under this protocol at all. Forbidden outcomes stay forbidden. */
    protected boolean canMeet(Scene scene) {
        return true;
    }

    Stream<Scene> scenes() {
        return Scenes.ALL.stream().filter(this::canPlay);
    }

    Stream<Scene> chanceScenes() {
        return scenes().filter(scene -> !scene.isMortal());
    }

    /** Verbs are late, torn and out of order, as the seed decides. */
    @ParameterizedTest
    @MethodSource("chanceScenes")
    void machinesThatMeetByChance(Scene scene) {
        int rounds = 0;
        int met = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Performance free = new Performance(byChance(protocol, seed), scene);
            free.play(Plans.free(3 * seed, 3));
            rounds += free.rounds();
            met += free.met();
        }
        tell(scene, "sim by chance", met, rounds);
        int min = scene.meetsByChance() && canMeet(scene) ? MIN_BY_CHANCE : 0;
        assertTrue(met >= min, scene + ": its parts met in " + met + " of " + rounds + " rounds, not in " + min);
    }

    /** One part stops at each of its verbs, and the other passes it. */
    @ParameterizedTest
    @MethodSource("scenes")
    void machinesThatMeetByPlan(Scene scene) {
        SimulatedWorld world = new SimulatedWorld(() -> NamedProtocols.named(protocol), Adversary.NONE, memoryCheck, 1);
        Performance planned = new Performance(world, scene);
        planned.play(Plans.some(world.schedule(scene, planned.verbs()), PLANS));
        tell(scene, "sim by plan", planned.met(), planned.rounds());
        assertTrue(
                planned.met() >= MIN_BY_PLAN || !canMeet(scene),
                scene + ": its plans let its parts meet " + planned.met() + " times");
    }

    SimulatedWorld byChance(String name, int seed) {
        return new SimulatedWorld(() -> NamedProtocols.named(name), ClusterOptions.DEATHS, memoryCheck, seed);
    }

    static void tell(Scene scene, String where, int met, int rounds) {
        System.out.println("litmus: " + scene + ", " + where + ": met in " + met + " of " + rounds + " rounds");
    }
}
