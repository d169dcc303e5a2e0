package tidepool.sim;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Coroutine;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.FabricException;

/** A run that uses all features; prints its trace hash. Arguments: seed, kind of strand. */
public final class DeterminismMain {
    private DeterminismMain() {}

    public static void main(String[] arguments) {
        Coroutine.Kind kind = Coroutine.Kind.valueOf(arguments[1]);
        System.out.println(Long.toHexString(run(Long.parseLong(arguments[0]), kind)));
    }

    static long run(long seed, Coroutine.Kind kind) {
        return trace(seed, kind, new Coverage()).getLast();
    }

    /** Returns the hashes at several moments, so that a difference can be located. */
    static List<Long> trace(long seed, Coroutine.Kind kind, Coverage coverage) {
        List<Long> hashes = new ArrayList<>();
        Adversary adversary = Adversary.ALL.withCrashes(500, 200, 100, 200, 5, 400_000);
        try (SimPool world = new SimPool(seed, kind, 3, CostProfile.CX5_OPTANE.withDeadline(80_000), adversary)) {
            Machine machine = world.simulation.machine("shared", 3);
            for (int s = 0; s < 8; s++) {
                int me = s;
                world.simulation.start(machine, "s" + s, () -> work(world, me));
            }
            world.client("lonely", c -> {
                for (int i = 0; i < 50; i++) {
                    Waiting.spin();
                    Simulation.work(700);
                    Waiting.pause(500);
                }
            });
            for (int i = 1; i <= 10; i++) {
                world.simulation.runUntil(i * 50_000L);
                hashes.add(world.simulation.traceHash());
            }
            world.simulation.run();
            world.simulation.settle();
            hashes.add(world.simulation.traceHash());
            long memory = 0;
            for (int node = 0; node < 3; node++)
                if (world.fabric.memory(node).regionCount() > 0)
                    for (int i = 0; i < 512; i++) memory = Trace.mix(memory, world.word(node, 8 * i));
            coverage.add(world.simulation.coverage());
            hashes.add(Trace.mix(world.simulation.traceHash(), memory));
        }
        return hashes;
    }

    private static void work(SimPool world, int me) {
        SimPool.Client c = world.new Client();
        var random = world.simulation.randomness("work " + me);
        for (int n = 0; n < 40; n++) {
            int node = random.nextInt(3);
            try {
                for (int i = 0; i < 8; i++) Words.plain(c.source, 8 * i, random.nextLong());
                c.round
                        .read(c.regions[node], 64 * random.nextInt(8), 64, c.landing, 0)
                        .compareAndSwap(c.regions[node], 1024, 0, me + 1, c.landing, 64)
                        .fence(c.links[node])
                        .write(c.regions[node], 64 * random.nextInt(8), 64, c.source, 0)
                        .write(c.regions[node], 1024, 0)
                        .flush(c.links[node])
                        .post()
                        .await();
                if (n % 16 == 15) world.fabric.control(node).revoke(9999);
            } catch (FabricException e) {
                for (int i = 0; i < 3; i++) while (c.links[i].isBroken()) tryReconnect(c, i);
            }
        }
    }

    private static void tryReconnect(SimPool.Client c, int node) {
        try {
            c.reconnect(node);
        } catch (FabricException e) {
            Waiting.pause(10_000);
        }
    }
}
