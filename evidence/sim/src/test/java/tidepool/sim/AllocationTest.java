package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Coroutine;

/** A simulation of millions of transactions must not become a test of the garbage collector. */
class AllocationTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "order"})
    void roundsAllocateNothing(String adversary) {
        try (SimPool world =
                new SimPool(1, Coroutine.Kind.CONTINUATION, 2, CostProfile.CX5, Adversary.named(adversary))) {
            for (int s = 0; s < 4; s++)
                world.client("c" + s, c -> {
                    for (int i = 0; i < 40_000; i++)
                        c.round
                                .read(c.region(), 0, 64, c.landing, 0)
                                .fetchAndAdd(c.regions[1], 0, 1, c.landing, 64)
                                .fence(c.links[1])
                                .write(c.regions[1], 64, 64, c.source, 0)
                                .post()
                                .await();
                });
            // Code that is not compiled yet allocates, so the minimum of several stretches counts.
            double min = Double.MAX_VALUE;
            for (int stretch = 1; stretch <= 10 && min > 0.02; stretch++) min = Math.min(min, perEvent(world, stretch));
            assertEquals(0.0, min, 0.02, "bytes in each event");
        }
    }

    private static double perEvent(SimPool world, int stretch) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long events = world.simulation.trace().events();
        world.simulation.runUntil(stretch * 15_000_000L);
        return (double) (threads.getCurrentThreadAllocatedBytes() - before)
                / (world.simulation.trace().events() - events);
    }
}
