package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Round;

/**
 * The order table, cell by cell. Every story posts two verbs on one link and checks whether the second was seen before
 * the first. Where the table promises nothing, that must be seen within a few seeds. With a fence, or where the table
 * promises the order, it must never be seen.
 */
class OrderTest {
    private static final int SEEDS = 150;
    private static final int TIMES = 20;

    /**
     * Posts two verbs and waits for them. Returns true if the second one took effect first. The word at 0 is zero
     * before.
     */
    private interface Story {
        boolean wasReordered(SimPool.Client c, boolean fence);
    }

    private static Round fenceIf(SimPool.Client c, boolean fence) {
        return fence ? c.round.fence(c.link()) : c.round;
    }

    private static int reorderings(Story story, boolean fence) {
        int[] seen = new int[1];
        for (long seed = 0; seed < SEEDS; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER)) {
                world.client("c", c -> {
                    for (int i = 0; i < TIMES; i++) {
                        c.write(0, 0);
                        if (story.wasReordered(c, fence)) seen[0]++;
                    }
                });
                world.simulation.run();
            }
        }
        return seen[0];
    }

    private static void promisedOnlyAfterAFence(Story story) {
        int without = reorderings(story, false);
        assertTrue(without > SEEDS / 10, "reordered only " + without + " times");
        assertEquals(0, reorderings(story, true), "a fence keeps the order");
    }

    private static void promised(Story story) {
        assertEquals(0, reorderings(story, false), "the table promises this order");
    }

    @Test
    void readThenWrite() {
        promisedOnlyAfterAFence((c, fence) -> {
            c.round.read(c.region(), 0, 8, c.landing, 0);
            fenceIf(c, fence).write(c.region(), 0, 1).post().await();
            return c.landed(0) == 1;
        });
    }

    @Test
    void readThenAtomic() {
        promisedOnlyAfterAFence((c, fence) -> {
            c.round.read(c.region(), 0, 8, c.landing, 0);
            fenceIf(c, fence).fetchAndAdd(c.region(), 0, 1, null, 0).post().await();
            return c.landed(0) == 1;
        });
    }

    @Test
    void atomicThenWrite() {
        promisedOnlyAfterAFence((c, fence) -> {
            c.round.fetchAndAdd(c.region(), 0, 1, c.landing, 0);
            fenceIf(c, fence).write(c.region(), 0, 7).post().await();
            return c.landed(0) == 7;
        });
    }

    @Test
    void atomicThenAtomic() {
        promisedOnlyAfterAFence((c, fence) -> {
            c.round.fetchAndAdd(c.region(), 0, 1, c.landing, 0);
            fenceIf(c, fence).fetchAndAdd(c.region(), 0, 1, c.landing, 8).post().await();
            return c.landed(0) == 1;
        });
    }

    @Test
    void readThenCall() {
        promisedOnlyAfterAFence((c, fence) -> {
            // The STATISTICS handler changes nothing; only the trace shows whether it ran first.
            long before = reorderedPairs(c);
            c.round.read(c.region(), 0, 8, c.landing, 0);
            fenceIf(c, fence)
                    .call(c.link(), 1, c.source, 0, 8, c.landing, 64, 72)
                    .post()
                    .await();
            return reorderedPairs(c) > before;
        });
    }

    private static long reorderedPairs(SimPool.Client c) {
        return ((SimFabric) c.session.fabric()).simulation().coverage().count(CoveragePoint.REORDERED_PAIR);
    }

    /** Also between rounds: a round that was not awaited promises nothing to the next one. */
    @Test
    void readThenWriteInTheNextRound() {
        promisedOnlyAfterAFence((c, fence) -> {
            c.other.read(c.region(), 0, 8, c.landing, 0).post();
            fenceIf(c, fence).write(c.region(), 0, 1).post().await();
            c.other.await();
            return c.landed(0) == 1;
        });
    }

    @Test
    void writeThenRead() {
        promised((c, fence) -> {
            c.round
                    .write(c.region(), 0, 1)
                    .read(c.region(), 0, 8, c.landing, 0)
                    .post()
                    .await();
            return c.landed(0) != 1;
        });
    }

    @Test
    void writeThenAtomic() {
        promised((c, fence) -> {
            c.round
                    .write(c.region(), 0, 1)
                    .fetchAndAdd(c.region(), 0, 1, c.landing, 0)
                    .post()
                    .await();
            return c.landed(0) != 1;
        });
    }

    @Test
    void atomicThenRead() {
        promised((c, fence) -> {
            c.round
                    .compareAndSwap(c.region(), 0, 0, 42, c.landing, 0)
                    .read(c.region(), 0, 8, c.landing, 8)
                    .post()
                    .await();
            return c.landed(8) != 42;
        });
    }

    @Test
    void writeThenWrite() {
        promised((c, fence) -> {
            c.round
                    .write(c.region(), 0, 1)
                    .write(c.region(), 0, 2)
                    .write(c.region(), 0, 3)
                    .post()
                    .await();
            return c.read(0) != 3;
        });
    }

    @Test
    void writeThenFlushThenNothing() {
        promised((c, fence) -> {
            long before = reorderedPairs(c);
            c.round.write(c.region(), 0, 1).flush(c.link()).post().await();
            return reorderedPairs(c) > before;
        });
    }

    /** An order means every word: a reader that sees the release sees the whole value, though the value was torn. */
    @Test
    void aReleaseAfterAValueShowsTheWholeValue() {
        int torn = 0;
        int overtakenByASecondLink = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            for (boolean oneLink : new boolean[] {true, false}) {
                boolean[] wrong = new boolean[1];
                try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER)) {
                    world.client("writer", c -> {
                        var releases = oneLink ? c.region() : c.lane.connect(0).open(world.capabilities[0]);
                        for (int version = 1; version <= 10; version++) {
                            for (int i = 0; i < 16; i++) Words.plain(c.source, 8 * i, version);
                            c.round
                                    .write(c.region(), 1024, 128, c.source, 0)
                                    .write(releases, 0, version)
                                    .post()
                                    .await();
                        }
                    });
                    world.client("reader", c -> {
                        for (long released = 0; released < 10; ) {
                            released = c.read(0);
                            c.round
                                    .read(c.region(), 1024, 128, c.landing, 0)
                                    .post()
                                    .await();
                            for (int i = 0; i < 16; i++) wrong[0] |= c.landed(8 * i) < released;
                        }
                    });
                    world.simulation.run();
                    torn += world.count(CoveragePoint.TORN_WRITE) > 0 ? 1 : 0;
                }
                if (oneLink) assertTrue(!wrong[0], "seed " + seed);
                else if (wrong[0]) overtakenByASecondLink++;
            }
        }
        assertTrue(torn > SEEDS / 2);
        assertTrue(overtakenByASecondLink > SEEDS / 20, "nothing is ordered between links: " + overtakenByASecondLink);
    }

    /** READ then READ keep their order: two READs of a word that only grows never see it shrink. */
    @Test
    void readsNeverGoBackInTime() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER)) {
                world.client("writer", c -> {
                    for (int i = 1; i <= 50; i++) c.write(0, i);
                });
                world.client("reader", c -> {
                    for (int i = 0; i < 50; i++) {
                        c.round
                                .read(c.region(), 0, 8, c.landing, 0)
                                .read(c.region(), 0, 8, c.landing, 8)
                                .post()
                                .await();
                        assertTrue(c.landed(0) <= c.landed(8));
                    }
                });
                world.simulation.run();
            }
        }
    }

    /** Without the adversary a send queue is processed in order. */
    @Test
    void withoutTheAdversaryNothingIsReordered() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5, Adversary.NONE)) {
            world.client("c", c -> {
                for (int i = 0; i < 200; i++) {
                    c.write(0, 0);
                    c.round
                            .read(c.region(), 0, 8, c.landing, 0)
                            .write(c.region(), 8, 1)
                            .post()
                            .await();
                    assertEquals(0, c.landed(0));
                }
            });
            world.simulation.run();
            assertEquals(0, world.count(CoveragePoint.TORN_READ) + world.count(CoveragePoint.TORN_WRITE));
        }
    }
}
