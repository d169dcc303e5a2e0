package tidepool.evidence.litmus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tidepool.clusters.ClusterOptions;
import tidepool.evidence.faults.QuietPool;
import tidepool.evidence.ford.PlantedBug;
import tidepool.testkit.Effort;

/**
 * Tests that every scene can fail: each one catches FORD with one planted bug. The table is in {@code
 * docs/evidence/litmus.md}; a night run tries every case in every way and prints the table.
 */
@Tag("full")
class FordPlantedLitmusTest {
    private static final boolean TABLE = Effort.current() == Effort.NIGHT;
    private static final int SEEDS = 200;
    private static final int FREE_ROUNDS = 2_000;
    private static final Logger LOG = Logger.getLogger("tidepool");

    /** The way in which a case is tried in every run. */
    private enum Way {
        /** On machines that stop at their verbs. */
        PLAN,
        /** On machines with the adversary: the bug shows inside of a verb. */
        CHANCE,
        /** By plan, and on processes too. */
        PLAN_AND_PROCESSES
    }

    private record Case(String scene, PlantedBug bug, Way way) {
        @Override
        public String toString() {
            return scene + " with " + bug;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("write-skew", PlantedBug.VALIDATION_IGNORES_LOCKS, Way.PLAN),
                new Case("write-skew", PlantedBug.VALIDATION_SAMPLES_VERSION_FIRST, Way.PLAN_AND_PROCESSES),
                new Case("write-skew-at-once", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("lost-update", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("writer-after-writer", PlantedBug.BACKUP_RELEASED_BY_WRITE, Way.PLAN),
                new Case("writer-after-writer", PlantedBug.UNLOCK_BEFORE_BACKUPS_ANSWERED, Way.PLAN),
                new Case("read-skew", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("read-skew-at-once", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("long-fork", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("dirty-read", PlantedBug.READ_IGNORES_MARK, Way.PLAN),
                new Case("dirty-read", PlantedBug.IMAGE_BEFORE_MARK, Way.PLAN),
                new Case("aborted-read", PlantedBug.ABORT_LEAVES_THE_IMAGE, Way.PLAN),
                new Case("strict-reader-one-key", PlantedBug.READ_IGNORES_LOCK, Way.PLAN_AND_PROCESSES),
                new Case("strict-reader-one-key", PlantedBug.READ_BY_THE_BACKUPS_VERSION, Way.PLAN),
                new Case("strict-reader-two-keys", PlantedBug.LOCKS_ARE_NOT_LOOKED_AT, Way.PLAN),
                new Case("strict-reader-new-key", PlantedBug.LOOKUP_WITHOUT_BRACKET, Way.PLAN),
                new Case("phantom-insert", PlantedBug.NOT_FOUND_IS_NOT_VALIDATED, Way.PLAN_AND_PROCESSES),
                new Case("phantom-delete", PlantedBug.NO_VALIDATION, Way.PLAN),
                new Case("torn-value", PlantedBug.READ_WITHOUT_CHECKSUM, Way.CHANCE),
                new Case("torn-value", PlantedBug.READ_LOOKS_AT_NOTHING, Way.CHANCE),
                new Case("abort-storm", PlantedBug.ABORT_FREES_FOREIGN_LOCKS, Way.PLAN),
                new Case("insert-insert", PlantedBug.INSERT_DOES_NOT_LOCK_THE_BUCKET, Way.PLAN),
                new Case("full-bucket", PlantedBug.OVERFLOW_COUNT_IS_NOT_LOCKED, Way.PLAN),
                new Case("stale-address", PlantedBug.STALE_ADDRESS_IS_BELIEVED, Way.PLAN),
                new Case("moved-key", PlantedBug.NOT_FOUND_IS_NOT_VALIDATED, Way.PLAN),
                new Case("fresh-slot", PlantedBug.INSERT_LETS_GO_OF_ITS_SLOT, Way.PLAN),
                new Case("undone-read", PlantedBug.READ_WITHOUT_VERSION_MATCH, Way.PLAN),
                new Case("killed", PlantedBug.RECOVERY_ALWAYS_ROLLS_BACK, Way.PLAN),
                new Case("killed", PlantedBug.RECOVERY_UNLOCKS_ONE_BY_ONE, Way.PLAN),
                new Case("killed", PlantedBug.RECOVERY_ASKS_THE_PRIMARY_ONLY, Way.PLAN),
                new Case("killed", PlantedBug.LOG_ON_ANOTHER_CONNECTION, Way.PLAN),
                new Case("taken-meanwhile", PlantedBug.RECOVERY_ASKS_ABOUT_WHAT_WAS_RELEASED, Way.PLAN),
                new Case("log-slot-reuse", PlantedBug.LOG_SLOT_REUSED_TOO_EARLY, Way.PLAN));
    }

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isCaught(Case tried) {
        Scene scene = Scenes.named(tried.scene);
        boolean chance = tried.way == Way.CHANCE || TABLE && !scene.isMortal();
        boolean plan = tried.way != Way.CHANCE || TABLE;
        boolean processes = tried.way == Way.PLAN_AND_PROCESSES || TABLE && scene.isForProcesses();
        Caught byChance = chance ? byChance(scene, tried.bug) : Caught.NOT_TRIED;
        Caught byPlan = plan ? Caught.byPlan(scene, tried.bug) : Caught.NOT_TRIED;
        Caught byProcesses = processes ? byProcesses(scene, tried.bug, tried.way) : Caught.NOT_TRIED;
        System.out.println("| " + scene + " | " + tried.bug + " | " + byChance.number() + " | " + byPlan.number()
                + " | " + byProcesses.number() + " | " + byChance.what() + " / " + byPlan.what() + " / "
                + byProcesses.what());
        assertTrue(tried.way != Way.CHANCE || byChance.isCaught(), tried + " was not caught by chance");
        assertTrue(tried.way == Way.CHANCE || byPlan.isCaught(), tried + " was not caught by plan");
        assertTrue(
                tried.way != Way.PLAN_AND_PROCESSES || byProcesses.isCaught(), tried + " was not caught by processes");
    }

    private static Caught byChance(Scene scene, PlantedBug bug) {
        for (int seed = 1; seed <= SEEDS; seed++)
            try {
                new Performance(new SimulatedWorld(bug, ClusterOptions.DEATHS, QuietPool::check, seed), scene)
                        .play(Plans.free(3 * seed, 3));
            } catch (Forbidden e) {
                return new Caught(Integer.toString(seed), e.getMessage());
            }
        return Caught.NOT;
    }

    private static Caught byProcesses(Scene scene, PlantedBug bug, Way way) {
        try (ShmWorld world = new ShmWorld(NamedProtocols.name(bug))) {
            return way == Way.CHANCE
                    ? Caught.in(world, scene, verbs -> Plans.free(1, FREE_ROUNDS))
                    : Caught.in(world, scene, verbs -> processPlans(scene, verbs));
        }
    }

    /** Takes all pairs, and not only some: few of them decide. */
    private static List<Plan> processPlans(Scene scene, long[] verbs) {
        boolean pairs = scene.parts() == 2 && !scene.isMortal();
        return pairs ? Plans.pairs(verbs) : scene.scheduleForProcesses(verbs);
    }
}
