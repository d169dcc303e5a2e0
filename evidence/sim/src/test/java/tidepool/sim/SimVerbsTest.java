package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Fabric;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.memory.ChainedWorkBuilder;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.Handlers;

/** The effects of verbs under every profile, without and with the adversary of order. */
class SimVerbsTest {
    private static void each(Consumer<SimPool> story) {
        for (CostProfile profile : CostProfile.all())
            for (Adversary adversary : new Adversary[] {Adversary.NONE, Adversary.ORDER})
                for (long seed = 0; seed < 5; seed++)
                    try (SimPool world = new SimPool(seed, 2, profile, adversary)) {
                        story.accept(world);
                    }
    }

    @Test
    void wordsTravelThereAndBack() {
        each(world -> {
            world.client("c", c -> {
                for (int i = 0; i < 64; i++) Words.plain(c.source, 8L * i, 1000 + i);
                c.round
                        .write(c.region(), 128, 512, c.source, 0)
                        .write(c.regions[1], 8, 77)
                        .post()
                        .await();
                c.round
                        .read(c.region(), 128, 512, c.landing, 0)
                        .read(c.regions[1], 8, 8, c.landing, 1024)
                        .post()
                        .await();
                for (int i = 0; i < 64; i++) assertEquals(1000 + i, c.landed(8L * i));
                assertEquals(77, c.landed(1024));
            });
            world.simulation.run();
        });
    }

    @Test
    void atomicsFindAndChange() {
        each(world -> {
            world.client("c", c -> {
                c.round.fetchAndAdd(c.region(), 0, 5, c.landing, 0).post().await();
                c.round.compareAndSwap(c.region(), 0, 5, 9, c.landing, 8).post().await();
                c.round
                        .compareAndSwap(c.region(), 0, 5, 11, c.landing, 16)
                        .post()
                        .await();
                c.round
                        .maskedCompareAndSwap(c.region(), 0, 0x09, 0xff, 0xff00, 0xff00, c.landing, 24)
                        .post()
                        .await();
                c.round
                        .maskedFetchAndAdd(c.region(), 0, 0xff, 0x80, c.landing, 32)
                        .post()
                        .await();
                assertEquals(0, c.landed(0));
                assertEquals(5, c.landed(8));
                assertEquals(9, c.landed(16));
                assertEquals(9, c.landed(24));
                assertEquals(0xff09, c.landed(32));
                assertEquals(0xff08, c.read(0));
            });
            world.simulation.run();
        });
    }

    @Test
    void handlersAnswerAtTheNode() {
        each(world -> {
            world.client("c", c -> {
                Words.plain(c.source, 0, 4711);
                c.round
                        .call(c.link(), Handlers.ECHO, c.source, 0, 8, c.landing, 0, 64)
                        .post()
                        .await();
                assertEquals(4711, c.landed(0));
            });
            world.simulation.run();
        });
    }

    @Test
    void chainedWorkRunsWithoutTheClient() {
        each(world -> {
            world.client("c", c -> {
                c.write(0, 7); // the lock
                c.write(512, 99); // the log
                long length = new ChainedWorkBuilder()
                        .into(c.source, 0)
                        .guard(0, 0, 7)
                        .copy(0, 512, 0, 256, 8)
                        .add(0, 264, 1)
                        .set(0, 0, 0)
                        .end();
                c.round
                        .write(c.region(), 1024, length, c.source, 0)
                        .chain(c.region(), 1024)
                        .post()
                        .await();
                assertEquals(99, c.read(256));
                assertEquals(1, c.read(264));
                assertEquals(0, c.read(0));
                assertEquals(ChainedWorkLayout.STATUS_DONE, c.read(1024 + ChainedWorkLayout.STATUS));
            });
            world.simulation.run();
        });
    }

    /**
     * The node checks a verb when it takes effect. A refusal breaks the link, and later verbs are reported as not done.
     */
    @Test
    void aRefusedVerbBreaksItsLink() {
        each(world -> {
            world.client("c", c -> {
                c.round.write(c.region(), 0, 1).read(c.region(), SimPool.REGION_BYTES, 8, c.landing, 0);
                FabricException e =
                        assertThrows(FabricException.class, () -> c.round.post().await());
                assertEquals(Reason.REFUSED, e.reason());
                assertEquals(Refusal.BOUNDS, e.refusal());
                assertEquals(Effect.DONE, c.round.verb(0).effect());
                assertEquals(Effect.NOT_DONE, c.round.verb(1).effect());
                assertTrue(c.link().isBroken());

                e = assertThrows(FabricException.class, () -> c.write(0, 2));
                assertEquals(Reason.DISCONNECTED, e.reason());
                assertEquals(Effect.NOT_DONE, e.effect());

                Region stale = c.region();
                c.reconnect(0);
                assertEquals(1, c.read(0));
                c.round.write(stale, 0, 3);
                e = assertThrows(FabricException.class, () -> c.round.post().await());
                assertEquals(Refusal.KEY, e.refusal());
            });
            world.simulation.run();
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, 4, Long.MAX_VALUE - 7, Long.MIN_VALUE, SimPool.REGION_BYTES})
    void rangesOutsideAreRefused(long offset) {
        each(world -> {
            world.client("c", c -> {
                for (long length : new long[] {8, 0, 12, 4096}) {
                    c.round.read(c.region(), offset, length, c.landing, 0);
                    FabricException e = assertThrows(
                            FabricException.class, () -> c.round.post().await());
                    assertEquals(Reason.REFUSED, e.reason());
                    c.reconnect(0);
                    c.round.write(c.region(), offset, length, c.source, 0);
                    assertThrows(FabricException.class, () -> c.round.post().await());
                    c.reconnect(0);
                }
            });
            world.simulation.run();
        });
    }

    @Test
    void aGuessedHandleIsRefused() {
        each(world -> {
            world.client("c", c -> {
                c.round.read(c.link().byHandle(17), 0, 8, c.landing, 0);
                FabricException e =
                        assertThrows(FabricException.class, () -> c.round.post().await());
                assertEquals(Refusal.KEY, e.refusal());
            });
            world.simulation.run();
        });
    }

    @Test
    void aRaisedEpochRefusesOldLinks() {
        each(world -> {
            world.client("c", c -> {
                world.fabric.control(0).raiseEpoch(5);
                FabricException e = assertThrows(FabricException.class, () -> c.write(0, 2));
                assertEquals(Refusal.EPOCH, e.refusal());
                c.reconnect(0);
                c.write(0, 3);
            });
            world.simulation.run();
            assertEquals(3, world.word(0, 0));
        });
    }

    @Test
    void backgroundRoundsSettle() {
        each(world -> {
            world.client("c", c -> {
                c.round.write(c.region(), 0, 1).postInBackground();
                assertFalse(c.round.isComplete() && world.fabric.costs() != CostProfile.ZERO);
                c.other.write(c.region(), 8, 2).post().await();
                c.round.settle();
                assertTrue(c.round.isComplete());
                assertEquals(1, c.lane.traffic().roundTrips());
            });
            world.simulation.run();
        });
    }

    /** The contract suite and the shell use any fabric from a plain thread; then the round itself advances the time. */
    @Test
    void aPlainThreadCanUseThePool() {
        try (Fabric fabric = Fabric.open("sim:7?nodes=2&profile=cx5-optane&adversary=order")) {
            Lane lane = fabric.attach().lane();
            Region region = lane.connect(1).open(fabric.control(1).createRegion(4096));
            MemorySegment landing = lane.landing(64);
            Round round = lane.round(4);
            for (int i = 0; i < 100; i++) {
                round.fetchAndAdd(region, 8, 1, landing, 0)
                        .read(region, 8, 8, landing, 8)
                        .post()
                        .await();
                assertEquals(i, Words.plain(landing, 0));
                assertEquals(i + 1, Words.plain(landing, 8));
            }
            assertSame(fabric.orders(), tidepool.fabric.OrderTable.RDMA);
        }
    }

    /** A real NIC may read the source at any time until the completion. */
    @Test
    void changingASourceBeforeTheCompletionIsFound() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5, Adversary.NONE)) {
            world.client("c", c -> {
                c.round.write(c.region(), 0, 64, c.source, 0).post();
                Words.plain(c.source, 8, 1);
                c.round.await();
            });
            SimulationException e = assertThrows(SimulationException.class, world.simulation::run);
            assertTrue(e.getMessage().contains("source changed before completion"), e.getMessage());
        }
    }

    /** With the adversary on, a read of landing memory before await sees garbage. */
    @Test
    void landingMemoryIsGarbageUntilAwaited() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5, Adversary.ORDER)) {
            world.client("c", c -> {
                c.round.read(c.region(), 0, 64, c.landing, 0).post();
                assertTrue(c.landed(0) != 0 && c.landed(56) != 0);
                c.round.await();
                assertEquals(0, c.landed(0) | c.landed(56));
            });
            world.simulation.run();
        }
    }
}
