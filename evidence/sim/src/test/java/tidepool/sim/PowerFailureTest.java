package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.FabricException;

/** Acknowledged is not persistent; flushed is. */
class PowerFailureTest {

    /** Of 4 lines that were written and not flushed, any subset survives; flushed lines always do. */
    @Test
    void anySubsetOfUnflushedLinesSurvives() {
        TreeSet<Integer> subsets = new TreeSet<>();
        for (long seed = 0; seed < 500; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5_OPTANE, Adversary.NONE.withPersistence(0))) {
                world.client("c", c -> {
                    for (int i = 0; i < 4; i++) Words.plain(c.source, 64 * i, 1);
                    c.round
                            .write(c.region(), 4096, 256, c.source, 0)
                            .flush(c.link())
                            .post()
                            .await();
                    c.round.write(c.region(), 0, 256, c.source, 0).post().await();
                });
                world.simulation.run();
                world.fabric.failPower(0);
                world.fabric.restartNode(0);
                int mask = 0;
                for (int i = 0; i < 4; i++) {
                    mask |= (int) world.word(0, 64 * i) << i;
                    assertEquals(1, world.word(0, 4096 + 64 * i), "flushed");
                }
                subsets.add(mask);
            }
        }
        assertEquals(16, subsets.size(), "all subsets: " + subsets);
    }

    /** A line that was once persistent reverts to that state, not to zero. */
    @Test
    void aLineGoesBackToWhatWasFlushed() {
        boolean[] seen = new boolean[3];
        for (long seed = 0; seed < 100; seed++) {
            try (SimPool world =
                    new SimPool(seed, 1, CostProfile.CX5_OPTANE, Adversary.NONE.withPersistence(300_000))) {
                world.client("c", c -> {
                    c.round.write(c.region(), 0, 1).flush(c.link()).post().await();
                    c.write(0, 2);
                    c.write(0, 3);
                });
                world.simulation.run();
                world.fabric.failPower(0);
                seen[(int) world.word(0, 0) - 1] = true;
            }
        }
        assertTrue(seen[0] && seen[1] && seen[2], "flushed, evicted in between, survived");
    }

    /** A FLUSH covers its own link alone. */
    @Test
    void anothersFlushDoesNotHelp() {
        int lost = 0;
        for (long seed = 0; seed < 50; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5_OPTANE, Adversary.NONE.withPersistence(0))) {
                world.client("a", c -> c.write(0, 1));
                world.client("b", c -> {
                    tidepool.base.Waiting.pause(50_000);
                    c.round.write(c.region(), 64, 1).flush(c.link()).post().await();
                });
                world.simulation.run();
                world.fabric.failPower(0);
                assertEquals(1, world.word(0, 64));
                if (world.word(0, 0) == 0) lost++;
            }
        }
        assertTrue(lost > 5);
    }

    /** M4, M5: a node that comes back empty is another node, and says so. */
    @Test
    void aNodeThatComesBackEmptyKnowsNoSession() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5, Adversary.NONE)) {
            world.client("c", c -> {
                c.write(0, 1);
                world.fabric.restartEmpty(0);
                assertThrows(FabricException.class, () -> c.write(0, 2));
                assertThrows(FabricException.class, () -> c.reconnect(0));
            });
            world.simulation.run();
            assertEquals(0, world.fabric.memory(0).regionCount());
        }
    }
}
