package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.sim.CrashPoint.When;

/** Verbs longer than a word tear: for a time, and for good if the strand or machine dies. */
class TearTest {

    /** A record must prove that it is whole, because a READ of it may be half old and half new. */
    @Test
    void aReadSeesHalfAWrite() {
        int mixed = 0;
        int backwards = 0;
        int overlaps = 0;
        for (long seed = 0; seed < 100; seed++) {
            int[] seen = new int[2];
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER)) {
                world.client("writer", c -> {
                    for (int version = 1; version <= 20; version++) {
                        for (int i = 0; i < 8; i++) Words.plain(c.source, 8 * i, version);
                        c.round.write(c.region(), 0, 64, c.source, 0).post().await();
                    }
                });
                world.client("reader", c -> {
                    for (int n = 0; n < 20; n++) {
                        c.round.read(c.region(), 0, 64, c.landing, 0).post().await();
                        boolean differs = false;
                        boolean oldBeforeNew = false;
                        for (int i = 1; i < 8; i++) {
                            differs |= c.landed(8 * i) != c.landed(0);
                            oldBeforeNew |= c.landed(8 * i) > c.landed(8 * i - 8);
                        }
                        if (differs) seen[0]++;
                        if (oldBeforeNew) seen[1]++;
                    }
                });
                world.simulation.run();
                overlaps += (int) world.count(CoveragePoint.TORN_READ_OVERLAPPED_WRITE);
            }
            mixed += seen[0];
            backwards += seen[1];
        }
        assertTrue(mixed > 100, "mixed " + mixed);
        assertTrue(backwards > 20, "words take effect in any order, not only upwards: " + backwards);
        assertTrue(overlaps > 100, "overlaps " + overlaps);
    }

    /** Words are never torn, whatever the adversary does. */
    @Test
    void aWordIsAlwaysWhole() {
        for (long seed = 0; seed < 50; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER)) {
                world.client("writer", c -> {
                    for (long n = 1; n <= 50; n++) c.write(0, n << 32 | n);
                });
                world.client("reader", c -> {
                    for (int n = 0; n < 50; n++) {
                        long word = c.read(0);
                        assertEquals(word >>> 32, word & 0xffffffffL);
                    }
                });
                world.simulation.run();
            }
        }
    }

    /** A machine dies and its session is revoked: a WRITE under way may have left any subset of its words for good. */
    @Test
    void aDeathAndARevocationLeavePartOfAWriteForGood() {
        TreeSet<Integer> subsets = new TreeSet<>();
        long partial = 0;
        for (long number = 0; number < 400; number++) {
            long seed = number;
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5, Adversary.NETWORK)) {
                int[] session = new int[1];
                world.client("victim", c -> {
                    session[0] = c.session.number();
                    for (int i = 0; i < 4; i++) Words.plain(c.source, 8 * i, -1);
                    c.round.write(c.region(), 0, 32, c.source, 0).post();
                    world.simulation.at(
                            world.simulation.nowNanos() + 1,
                            () -> world.simulation.machine("victim", 1).crash());
                    c.round.await();
                });
                world.simulation.at(8_000, () -> {});
                world.simulation.start(world.simulation.machine("recoverer", 1), "recoverer", () -> {
                    tidepool.base.Waiting.pause(3_500 + seed * 7);
                    if (session[0] != 0) world.fabric.control(0).revoke(session[0]);
                    int before = mask(world);
                    tidepool.base.Waiting.pause(20_000_000);
                    assertEquals(before, mask(world), "nothing lands after a revocation");
                });
                world.simulation.run();
                subsets.add(mask(world));
                partial += world.count(CoveragePoint.PARTIAL_WRITE);
            }
        }
        assertTrue(subsets.contains(0) && subsets.contains(15), "none and all: " + subsets);
        assertTrue(subsets.contains(8) || subsets.contains(12) || subsets.contains(14), "the end alone: " + subsets);
        assertTrue(subsets.contains(5) || subsets.contains(9) || subsets.contains(10), "with holes: " + subsets);
        assertTrue(partial > 0);
    }

    private static int mask(SimPool world) {
        int mask = 0;
        for (int i = 0; i < 4; i++) if (world.word(0, 8 * i) != 0) mask |= 1 << i;
        return mask;
    }

    /** The rounds before the crash point are complete, those after it were never sent; all points are enumerated. */
    @Test
    void aCrashPointIsExact() {
        for (int index = 0; index < 6; index++) {
            for (When when : When.values()) {
                try (SimPool world = new SimPool(index, 1, CostProfile.CX5, Adversary.NONE)) {
                    world.simulation.crashStrand("c0", index, when);
                    world.client("c0", c -> {
                        for (int i = 0; i < 6; i += 2)
                            c.round
                                    .write(c.region(), 8 * i, 1)
                                    .write(c.region(), 8 * i + 8, 1)
                                    .post()
                                    .await();
                    });
                    world.simulation.run();
                    world.simulation.settle();
                    int expected = when == When.BEFORE ? index : index + 1;
                    for (int i = 0; i < 6; i++)
                        assertEquals(i < expected ? 1 : 0, world.word(0, 8 * i), index + " " + when + " " + i);
                    assertEquals(1, world.count(CoveragePoint.STRAND_CRASHED));
                }
            }
        }
    }
}
