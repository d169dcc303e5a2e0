package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import tidepool.base.InvariantException;
import tidepool.base.Waiting;
import tidepool.contracts.FabricWorld.Fault;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Round;
import tidepool.fabric.Traffic;

/**
 * Contract tests of a background round that follows another one. The fabric sends it when everything before it is
 * acknowledged, and not earlier, without a waiting strand. Locks are released in this way after the images that they
 * protect.
 */
interface FollowingContract extends ContractBase {
    /** Longer than any verb takes without a fault, shorter than the deadlines of the tests. */
    long SLOW_NANOS = 200_000;

    /** A client that sees the second round sees all of the first one, on every node. */
    @Test
    default void followingRoundIsSentAfterEveryAnswer() {
        try (ContractPool pool = pool()) {
            Litmus.watch(
                    pool,
                    "followingRoundIsSentAfterEveryAnswer",
                    c -> {
                        Round next = c.lane.round(1);
                        return i -> {
                            next.settle();
                            c.round.settle();
                            next.write(c.region(), 64, i);
                            c.round
                                    .write(c.regions[1], 64, i)
                                    .fetchAndAdd(c.regions[2], 64, 1, null, 0)
                                    .postInBackground(next);
                        };
                    },
                    c -> () -> {
                        long flag = c.word(0, 64);
                        c.round
                                .read(c.regions[1], 64, 8, c.here, 0)
                                .read(c.regions[2], 64, 8, c.here, 8)
                                .post()
                                .await();
                        assertTrue(c.landed(0) >= flag, "flag " + flag + " before the WRITE, " + c.landed(0));
                        assertTrue(c.landed(8) >= flag, "flag " + flag + " before the FAA, " + c.landed(8));
                        return c.landed(0) > flag || c.landed(8) > flag;
                    });
        }
    }

    /** One slow answer is enough to hold the second round back; nothing else holds it back. */
    @Test
    default void followingRoundWaitsForTheSlowest() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.DELAY), "this fabric cannot delay verbs");
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                Round next = c.lane.round(1).write(c.region(), 64, 1);
                pool.world.delayNext(c.links[1], SLOW_NANOS * pool.world.delayFactor());
                c.round.write(c.region(), 72, 1).write(c.regions[1], 72, 1).postInBackground(next);
                for (int i = 0; i < 1_000 && watcher.word(72) == 0; i++) Waiting.pause(10_000);
                assertEquals(1, watcher.word(72), "this one was not delayed");
                assertEquals(0, watcher.word(64));
                assertFalse(c.round.isComplete());
                assertFalse(next.isComplete());
                next.settle();

                assertTrue(c.round.isComplete());
                assertEquals(1, watcher.word(1, 72));
                assertEquals(1, watcher.word(64));
                c.round.settle();
            });
        }
    }

    /** The strand that posted the round may never wait for it. Otherwise a lock could stay held for ever. */
    @Test
    default void followUpRoundNeedsNoWaiter() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                Round next = c.lane.round(1).write(c.region(), 64, 7);
                c.round.write(c.regions[1], 64, 7).write(c.regions[2], 64, 7).postInBackground(next);
                for (int i = 0; i < 1_000 && watcher.word(64) != 7; i++) Waiting.pause(10_000);

                assertEquals(7, watcher.word(64));
                for (int i = 0; i < 1_000 && !next.isComplete(); i++) Waiting.pause(10_000); // the answer is under way
                assertTrue(next.isComplete());
                next.settle();
                c.round.settle();
            });
        }
    }

    /** If the first round fails, the second is not sent; both report the effects of their verbs. */
    @Test
    default void followingRoundIsNotSentAfterAFailure() {
        for (boolean nextFirst : new boolean[] {false, true}) {
            try (ContractPool pool = pool()) {
                pool.alone(c -> {
                    ContractClient watcher = pool.client();
                    Round next = c.lane.round(2).write(c.region(), 64, 1).fetchAndAdd(c.regions[2], 64, 1, null, 0);
                    c.round
                            .write(c.region(), 72, 1)
                            .write(c.regions[1], ContractPool.BYTES, 1)
                            .postInBackground(next);
                    if (!nextFirst) RefusalAssertions.by(Refusal.BOUNDS, c.round::settle);
                    FabricException thrown = RefusalAssertions.failing(Reason.REFUSED, next::settle);
                    if (nextFirst) RefusalAssertions.by(Refusal.BOUNDS, c.round::settle);

                    assertSame(Effect.NOT_DONE, thrown.effect());
                    for (int i = 0; i < 2; i++)
                        assertSame(Effect.NOT_DONE, next.verb(i).effect());
                    assertSame(Effect.DONE, c.round.verb(0).effect());
                    assertEquals(0, watcher.word(64));
                    assertEquals(0, watcher.word(2, 64));
                    assertEquals(2, c.lane.traffic().failedRounds());
                    c.put(64, 5);
                    assertEquals(5, watcher.word(64), "the lane goes on");
                });
            }
        }
    }

    /** A link breaks while the first round is under way. */
    @Test
    default void followingRoundIsNotSentAfterABrokenLink() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.BREAK_LINK) && pool.world.can(Fault.DELAY), "no such faults here");
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                Round next = c.lane.round(1).write(c.region(), 64, 1);
                pool.world.delayNext(c.links[1], SLOW_NANOS);
                c.round.write(c.regions[1], 64, 1).postInBackground(next);
                pool.world.breakLink(c.links[1]);
                FabricException thrown = RefusalAssertions.failing(Reason.DISCONNECTED, next::settle);

                assertSame(Effect.NOT_DONE, thrown.effect());
                Waiting.pause(2 * SLOW_NANOS);
                assertEquals(0, watcher.word(64));
                RefusalAssertions.failing(Reason.DISCONNECTED, c.round::settle);
            });
        }
    }

    /** Two rounds in the background count no trip, whenever the second is sent. */
    @Test
    default void followingRoundIsCountedInTheBackground() {
        story(c -> {
            Traffic before = c.lane.traffic().snapshot();
            Round next = c.lane.round(2).write(c.region(), 64, 1).compareAndSwap(c.regions[1], 64, 0, 1, null, 0);
            c.round.write(c.regions[2], 0, 128, c.here, 0).postInBackground(next);
            Traffic sent = c.lane.traffic().since(before);
            next.settle();
            c.round.settle();

            assertEquals(
                    "roundTrips=0 rounds=0 backgroundRounds=2 fenceTrips=0 bytesRead=0 bytesWritten=0 WRITE=0+2"
                            + " CAS=0+1",
                    sent.toString());
            assertEquals(8, sent.backgroundBytesRead());
            assertEquals(144, sent.backgroundBytesWritten());
            assertEquals(sent.toString(), c.lane.traffic().since(before).toString());
        });
    }

    /**
     * The second round has to be built, of the same lane, and another round than the first; otherwise nothing is sent.
     */
    @Test
    default void followingRoundIsBuiltAndOfTheSameLane() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient other = new ContractClient(c.session, pool.capabilities);
                Round foreign = other.lane.round(1).write(other.region(), 64, 1);
                Round empty = c.lane.round(1);
                Round unfinished = c.lane.round(2).write(c.region(), 64, 1).fence(c.link());
                Round posted = c.lane.round(1).write(c.region(), 72, 1).postInBackground();
                Traffic before = c.lane.traffic().snapshot();
                c.round.write(c.region(), 64, 1);
                assertThrows(IllegalArgumentException.class, () -> c.round.postInBackground(c.round));
                assertThrows(IllegalArgumentException.class, () -> c.round.postInBackground(foreign));
                assertThrows(InvariantException.class, () -> c.round.postInBackground(empty));
                assertThrows(InvariantException.class, () -> c.round.postInBackground(unfinished));
                assertThrows(InvariantException.class, () -> c.round.postInBackground(posted));
                posted.settle();

                assertEquals(0, c.lane.traffic().since(before).allVerbs());
                assertEquals(0, other.word(64));
                c.round.post().await();
                assertEquals(1, other.word(64), "the round can still be posted");
            });
        }
    }

    /** Both rounds are used repeatedly, in turn. */
    @Test
    default void followingRoundsAllocateNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                assumeTrue(pool.world.allocatedBytes() >= 0, "this fabric promises nothing about allocation");
                int rounds = Math.max(20_000, pool.world.litmusRounds());
                Round next = c.lane.round(1);
                long bytes = Long.MAX_VALUE;
                for (int attempt = 0; attempt < 10 && bytes >= rounds / 10; attempt++) {
                    long before = pool.world.allocatedBytes();
                    for (int i = 0; i < rounds; i++) {
                        next.write(c.region(), 64, i);
                        c.round.write(c.regions[1], 64, i).postInBackground(next);
                        next.settle();
                        c.round.settle();
                    }
                    bytes = pool.world.allocatedBytes() - before;
                }
                assertEquals(0, bytes / (rounds / 10), "bytes allocated by " + rounds + " rounds: " + bytes);
            });
        }
    }
}
