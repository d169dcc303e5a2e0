package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.protocol.Protocol;
import tidepool.testkit.Effort;

/**
 * Every scene on simulated machines and on processes. The test of a protocol extends this class and names the protocol.
 */
public abstract class LitmusSuite extends MachinesSuite {
    private static final int MIN_OF_DEATHS = 2;
    private static final int MAX_REPEATS = 4;

    private ShmWorld processes;

    protected LitmusSuite(Class<? extends Protocol> protocol, MemoryCheck memoryCheck) {
        super(NamedProtocols.name(protocol), memoryCheck);
    }

    /** Takes a protocol of Tidepool by name, with its switches: {@code ford?reads=backup}. */
    protected LitmusSuite(String protocol, MemoryCheck memoryCheck) {
        super(protocol, memoryCheck);
    }

    @AfterAll
    void close() {
        if (processes != null) processes.close();
        processes = null;
    }

    Stream<Scene> processScenes() {
        return scenes().filter(Scene::isForProcesses);
    }

    /** Returns the lowest effort at which processes play. */
    protected Effort effortOfProcesses() {
        return Effort.FULL;
    }

    /** Returns how many rounds of a scene must meet its condition on processes. */
    protected int minOfProcesses(Scene scene) {
        return scene.isMortal() ? MIN_OF_DEATHS : MIN_BY_PLAN;
    }

    /** Plays on processes, by plan and by chance, until enough rounds met the condition or the repeats are used up. */
    @Tag("full")
    @Tag("process")
    @ParameterizedTest
    @MethodSource("processScenes")
    void processes(Scene scene) {
        Effort lowest = effortOfProcesses();
        assumeTrue(Effort.current().compareTo(lowest) >= 0, "processes of this protocol play at night");
        if (processes == null) processes = new ShmWorld(protocol);
        Performance performance = new Performance(processes, scene);
        try {
            int min = minOfProcesses(scene);
            long[] verbs = performance.verbs();
            List<Plan> plans = Plans.some(processes.schedule(scene, verbs), Effort.of(60, 60, 150));
            performance.play(plans);
            if (!scene.isMortal()) performance.play(Plans.random(verbs, Effort.of(15, 15, 30)));
            if (!scene.isMortal()) performance.play(Plans.free(1, Effort.of(10, 10, 20)));
            for (int again = 0; again < MAX_REPEATS && performance.met() < min; again++) performance.play(plans);
            tell(scene, "shm", performance.met(), performance.rounds());
            assertTrue(
                    performance.met() >= min || !canMeet(scene),
                    scene + ": its parts met in " + performance.met() + " of " + performance.rounds() + " rounds");
        } catch (Forbidden e) {
            close(); // the state of the processes is unknown
            throw e;
        }
    }

    /** Tests that a session that has used its last id is replaced by a new one, on machines and on processes. */
    @Test
    void transactionIdsThatRunOut() {
        String nearTheEnd = NamedProtocols.NEAR_THE_END + protocol;
        int met = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            Performance free = new Performance(byChance(nearTheEnd, seed), Scenes.VERSION_WRAP);
            free.play(Plans.free(3 * seed, 3));
            met += free.met();
        }
        tell(Scenes.VERSION_WRAP, "sim by chance", met, 3 * SEEDS);
        assertTrue(met >= MIN_BY_CHANCE, "both parts had a new session in " + met + " rounds");
        try (ShmWorld world = new ShmWorld(nearTheEnd)) {
            Performance together = new Performance(world, Scenes.VERSION_WRAP);
            together.play(Plans.free(1, 20));
            tell(Scenes.VERSION_WRAP, "shm", together.met(), together.rounds());
            assertTrue(together.met() >= MIN_BY_PLAN, "both parts had a new session in " + together.met() + " rounds");
        }
    }

    /** Tests that the test before this one can fail. */
    @Test
    void transactionIdsThatComeRoundAreNoticed() {
        Performance free = new Performance(byChance(NamedProtocols.COMES_ROUND + protocol, 1), Scenes.VERSION_WRAP);
        Forbidden noticed = assertThrows(Forbidden.class, () -> free.play(Plans.free(3, 3)));
        System.out.println("litmus: " + noticed.getMessage());
    }
}
