package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A strand dies at a step, given by the label of its rounds; and the trace has the words of steps. */
class StepCrashTest {
    private enum Phase {
        NONE,
        FIRST,
        SECOND,
        LAST
    }

    @Test
    void beforeAStepNothingOfItWasSent() {
        try (SimPool world = world()) {
            world.simulation.crash("c", CrashPoint.before(Phase.SECOND));
            run(world);

            assertTrue(world.simulation.machine("c", 1).isDead());
            assertEquals("1 1 0 0 0 0", words(world));
            assertEquals(new CrashPlace(Phase.SECOND.ordinal(), 0, 3), world.simulation.crashPlace("c"));
        }
    }

    /** All of it took effect, on every node, whether the strand would have waited for it or not. */
    @Test
    void afterAStepAllOfItTookEffect() {
        List<String> expected = List.of("1 1 0 0 0 0", "1 1 1 1 1 0", "1 1 1 1 1 1");
        for (Phase phase : List.of(Phase.FIRST, Phase.SECOND, Phase.LAST))
            try (SimPool world = world()) {
                world.simulation.crash("c", CrashPoint.after(phase));
                run(world);

                assertTrue(world.simulation.machine("c", 1).isDead());
                assertEquals(expected.get(phase.ordinal() - 1), words(world), "after " + phase);
                int verbs = List.of(2, 3, 1).get(phase.ordinal() - 1);
                assertEquals(new CrashPlace(phase.ordinal(), verbs - 1, verbs), world.simulation.crashPlace("c"));
            }
    }

    /** The round that was handed over with it is not a verb of the step. */
    @Test
    void roundThatFollowsIsNotSent() {
        for (CrashPoint point : List.of(CrashPoint.after(Phase.FIRST), CrashPoint.before(Phase.LAST)))
            try (SimPool world = world()) {
                world.simulation.crash("c", point);
                world.client("c", c -> {
                    c.round.label(Phase.FIRST.ordinal());
                    c.round.write(c.regions[0], 0, 1).write(c.regions[1], 0, 1);
                    c.other.label(Phase.LAST.ordinal()).write(c.regions[0], 24, 1);
                    c.round.postInBackground(c.other);
                    tidepool.base.Waiting.pause(1_000_000);
                });
                world.simulation.run();
                world.simulation.settle();

                assertTrue(world.simulation.machine("c", 1).isDead());
                assertEquals("1 1 0 0 0 0", words(world), "" + point);
            }
    }

    /** The answer is lost, so the round is over when it gives up. Otherwise the strand would wait for ever. */
    @Test
    void roundWhoseAnswerIsLostEndsToo() {
        Adversary losing = Adversary.NONE.with(new Adversary.Losses(0, 0, 1_000_000, 0, 0, 0, 0));
        try (SimPool world = new SimPool(1, 2, CostProfile.named("cx5"), losing)) {
            world.simulation.crash("c", CrashPoint.after(Phase.FIRST));
            run(world);

            assertTrue(world.simulation.machine("c", 1).isDead());
        }
    }

    @Test
    void strandThatDoesNotReachItsStepLives() {
        try (SimPool world = world()) {
            world.simulation.crash("c", CrashPoint.after(Phase.NONE));
            run(world);

            assertEquals(false, world.simulation.machine("c", 1).isDead());
            assertEquals("1 1 1 1 1 1", words(world));
            assertNull(world.simulation.crashPlace("c"));
        }
    }

    @Test
    void strandAloneDiesToo() {
        try (SimPool world = world()) {
            world.simulation.crash("c", CrashPoint.after(Phase.FIRST).ofStrand());
            run(world);

            assertEquals(false, world.simulation.machine("c", 1).isDead());
            assertTrue(world.simulation.strand("c").isAbandoned());
            assertEquals("1 1 0 0 0 0", words(world));
        }
    }

    /** People read the words; the hash, by which runs are compared, does not know them. */
    @Test
    void traceHasTheWordOfAStep() {
        long labelled;
        try (SimPool world = world()) {
            run(world);
            labelled = world.simulation.traceHash();
            List<String> lines = world.simulation.trace().last(1_000, label -> Phase.values()[label].name());

            for (String event : List.of("posted", "applied", "completed"))
                for (int i = 1; i <= 3; i++) {
                    String phase = Phase.values()[i].name();
                    long expected = List.of(2, 3, 1).get(i - 1);
                    assertEquals(
                            expected,
                            lines.stream()
                                    .filter(line -> line.contains(" " + event + " ") && line.endsWith(" step=" + phase))
                                    .count(),
                            event + " " + phase);
                }
            assertTrue(world.simulation.trace().last(1_000).stream().anyMatch(line -> line.endsWith(" step=2")));
        }
        try (SimPool world = world()) {
            world.client("c", c -> post(c, false));
            world.simulation.run();
            world.simulation.settle();

            assertEquals(labelled, world.simulation.traceHash());
            assertTrue(world.simulation.trace().last(1_000).stream().noneMatch(line -> line.contains(" step=")));
        }
    }

    // ---- helpers

    private static SimPool world() {
        return new SimPool(1, 2, CostProfile.named("cx5"), Adversary.NONE);
    }

    private static void run(SimPool world) {
        world.client("c", c -> post(c, true));
        world.simulation.run();
        world.simulation.settle();
    }

    /** Two verbs, then three, awaited; then one that is not awaited. */
    private static void post(SimPool.Client c, boolean labels) {
        if (labels) c.round.label(Phase.FIRST.ordinal());
        c.round.write(c.regions[0], 0, 1).write(c.regions[1], 0, 1).post().await();
        if (labels) c.round.label(Phase.SECOND.ordinal());
        c.round
                .write(c.regions[0], 8, 1)
                .write(c.regions[1], 8, 1)
                .write(c.regions[0], 16, 1)
                .post()
                .await();
        if (labels) c.round.label(Phase.LAST.ordinal());
        c.round.write(c.regions[0], 24, 1).postInBackground();
    }

    private static String words(SimPool world) {
        StringBuilder text = new StringBuilder();
        for (long[] place : new long[][] {{0, 0}, {1, 0}, {0, 8}, {1, 8}, {0, 16}, {0, 24}})
            text.append(text.isEmpty() ? "" : " ").append(world.word((int) place[0], place[1]));
        return text.toString();
    }
}
