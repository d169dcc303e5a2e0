package tidepool.check.litmus;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.check.cluster.ClusterOptions;
import tidepool.fabric.sim.Adversary;
import tidepool.protocol.Protocol;

/**
 * Every scene on simulated machines and on processes. The test of a protocol extends this class and says which protocol it
 * is; {@code -Dlitmus.scene=NAME} plays one scene alone, {@code -Dlitmus.seeds=N} more by chance.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LitmusSuite {
    private static final int SEEDS = Integer.getInteger("litmus.seeds", 60);

    /** In so many rounds the parts must have met, or the scene has shown nothing. */
    private static final int LEAST_BY_CHANCE = SEEDS / 12;

    private static final int LEAST_BY_PLAN = 5;
    private static final int LEAST_OF_DEATHS = 2;
    private static final int MOST_REPEATS = 4;

    private static final Logger LOG = Logger.getLogger("tidepool");

    private final String protocol;
    private final MemoryCheck memoryCheck;
    private ShmWorld processes;

    protected LitmusSuite(Class<? extends Protocol> protocol, MemoryCheck memoryCheck) {
        this.protocol = Protocols.name(protocol);
        this.memoryCheck = memoryCheck;
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    void close() {
        if (processes != null) processes.close();
        processes = null;
    }

    /** Whether what makes a scene interesting can happen under this protocol at all; what is forbidden stays forbidden. */
    protected boolean canMeet(Scene scene) {
        return true;
    }

    static Stream<Scene> scenes() {
        String only = System.getProperty("litmus.scene");
        return Scenes.ALL.stream().filter(scene -> only == null || scene.name().equals(only));
    }

    static Stream<Scene> chanceScenes() {
        return scenes().filter(scene -> !scene.isMortal());
    }

    static Stream<Scene> processScenes() {
        return scenes().filter(Scene::isForProcesses);
    }

    /** Verbs are late, torn and out of order, as the seed will have it. */
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
        int least = scene.meetsByChance() && canMeet(scene) ? LEAST_BY_CHANCE : 0;
        assertTrue(met >= least, scene + ": its parts met in " + met + " of " + rounds + " rounds, not in " + least);
    }

    /** One stands still at each of its verbs, and the other goes past it. */
    @ParameterizedTest
    @MethodSource("scenes")
    void machinesThatMeetByPlan(Scene scene) {
        SimWorld world = new SimWorld(() -> Protocols.named(protocol), Adversary.NONE, memoryCheck, 1);
        Performance planned = new Performance(world, scene);
        planned.play(world.schedule(scene, planned.verbs()));
        tell(scene, "sim by plan", planned.met(), planned.rounds());
        assertTrue(
                planned.met() >= LEAST_BY_PLAN || !canMeet(scene),
                scene + ": its plans let its parts meet " + planned.met() + " times");
    }

    /** Processes, by plan and by chance, until they have met often enough or it is hopeless. */
    @ParameterizedTest
    @MethodSource("processScenes")
    void processes(Scene scene) {
        if (processes == null) processes = new ShmWorld(protocol);
        Performance performance = new Performance(processes, scene);
        try {
            int least = scene.isMortal() ? LEAST_OF_DEATHS : LEAST_BY_PLAN;
            long[] verbs = performance.verbs();
            List<Plan> plans = processes.schedule(scene, verbs);
            performance.play(plans);
            if (!scene.isMortal()) performance.play(Plans.random(verbs, 30));
            if (!scene.isMortal()) performance.play(Plans.free(1, 20));
            for (int again = 0; again < MOST_REPEATS && performance.met() < least; again++) performance.play(plans);
            tell(scene, "shm", performance.met(), performance.rounds());
            assertTrue(
                    performance.met() >= least || !canMeet(scene),
                    scene + ": its parts met in " + performance.met() + " of " + performance.rounds() + " rounds");
        } catch (Forbidden e) {
            close(); // who knows what state they are in
            throw e;
        }
    }

    /** A session that has used its last id is replaced by a new one, on machines and on processes. */
    @Test
    void transactionIdsThatRunOut() {
        String nearTheEnd = Protocols.NEAR_THE_END + protocol;
        int met = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Performance free = new Performance(byChance(nearTheEnd, seed), Scenes.VERSION_WRAP);
            free.play(Plans.free(3 * seed, 3));
            met += free.met();
        }
        tell(Scenes.VERSION_WRAP, "sim by chance", met, 3 * SEEDS);
        assertTrue(met >= LEAST_BY_CHANCE, "both parts had a new session in " + met + " rounds");
        try (ShmWorld world = new ShmWorld(nearTheEnd)) {
            Performance together = new Performance(world, Scenes.VERSION_WRAP);
            together.play(Plans.free(1, 20));
            tell(Scenes.VERSION_WRAP, "shm", together.met(), together.rounds());
            assertTrue(
                    together.met() >= LEAST_BY_PLAN, "both parts had a new session in " + together.met() + " rounds");
        }
    }

    /** So that the test before this one can fail. */
    @Test
    void transactionIdsThatComeRoundAreNoticed() {
        Performance free = new Performance(byChance(Protocols.COMES_ROUND + protocol, 1), Scenes.VERSION_WRAP);
        Forbidden noticed = assertThrows(Forbidden.class, () -> free.play(Plans.free(3, 3)));
        System.out.println("litmus: " + noticed.getMessage());
    }

    private SimWorld byChance(String name, int seed) {
        return new SimWorld(() -> Protocols.named(name), ClusterOptions.DEATHS, memoryCheck, seed);
    }

    private static void tell(Scene scene, String where, int met, int rounds) {
        System.out.println("litmus: " + scene + ", " + where + ": met in " + met + " of " + rounds + " rounds");
    }
}
