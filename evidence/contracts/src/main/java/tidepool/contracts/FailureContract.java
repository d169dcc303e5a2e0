package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.contracts.FabricWorld.Fault;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Region;
import tidepool.fabric.Round;

/**
 * Contract tests of deadlines, lost connections, dead nodes and lost power: the reported effect of each verb is true.
 */
interface FailureContract extends ContractBase {
    /** Far longer than any verb takes without a fault. */
    long LONG_NANOS = 50_000_000;

    /** Where verbs are done before post returns, no deadline can pass. */
    @Test
    default void deadlineChangesNothingWhereVerbsTakeNoTime() {
        try (ContractPool pool = pool()) {
            assumeTrue(!pool.world.verbsTakeTime(), "verbs take time here");
            pool.alone(c -> {
                for (int i = 1; i <= 100; i++) {
                    c.round
                            .deadline(1)
                            .write(c.region(), 64, i)
                            .read(c.region(), 64, 8, c.here, 0)
                            .post()
                            .await();
                    assertEquals(i, c.landed(0));
                }
            });
        }
    }

    /** A round whose deadline is long enough does not fail. */
    @Test
    default void generousDeadlineIsKept() {
        story(c -> {
            c.round.deadline(1_000_000_000).write(c.region(), 64, 1).post().await();
            c.round.read(c.region(), 64, 8, c.here, 0).post().await();

            assertEquals(1, c.landed(0));
        });
    }

    /**
     * A verb whose deadline passed may have happened or not. The fabric must not guess, and the effect it reports must
     * be true.
     */
    @Test
    default void missedDeadlineTellsTheTruth() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.verbsTakeTime(), "verbs take no time here");
            pool.alone(c -> {
                FabricException thrown = RefusalAssertions.failing(Reason.TIMED_OUT, () -> c.round
                        .deadline(1)
                        .write(c.region(), 64, 1)
                        .write(c.regions[1], 64, 1)
                        .post()
                        .await());
                assertTrue(thrown.effect() != Effect.DONE);
                Effect[] effects = {c.round.verb(0).effect(), c.round.verb(1).effect()};
                revokeEverywhere(pool, c);

                for (int node = 0; node < 2; node++) assertTruth(pool, effects[node], node, 64, 1);
            });
        }
    }

    /**
     * A link is cut while verbs are under way: each verb is reported done, not done or unknown, and the report is true.
     */
    @Test
    default void brokenConnectionTellsTheTruth() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.BREAK_LINK), "this fabric cannot break links");
            for (int pause = 0; pause < 40; pause++) {
                int nanos = pause * 200;
                pool.run(() -> {
                    pool.paint();
                    ContractClient c = pool.client();
                    c.round
                            .write(c.region(), 64, 1)
                            .write(c.regions[1], 64, 1)
                            .fetchAndAdd(c.region(), 72, 1, c.here, 0)
                            .post();
                    long before = ContractPool.painted(72);
                    if (nanos > 0 && pool.world.verbsTakeTime()) Waiting.pause(nanos);
                    pool.world.breakLink(c.link());
                    boolean failed = false;
                    try {
                        c.round.await();
                    } catch (FabricException e) {
                        failed = true;
                        assertSame(Reason.DISCONNECTED, e.reason(), e.getMessage());
                    }
                    Effect[] effects = new Effect[3];
                    for (int i = 0; i < 3; i++)
                        effects[i] = failed ? c.round.verb(i).effect() : Effect.DONE;
                    assertSame(Effect.DONE, effects[1], "the other link is whole");
                    assertTrue(c.link().isBroken());
                    revokeEverywhere(pool, c);

                    assertTruth(pool, effects[0], 0, 64, 1);
                    assertTruth(pool, effects[2], 0, 72, before + 1);
                    assertTruth(pool, effects[1], 1, 64, 1);
                });
            }
        }
    }

    /** A lost connection is made again, and the session goes on. */
    @Test
    default void brokenConnectionIsMadeAgain() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.BREAK_LINK), "this fabric cannot break links");
            pool.alone(c -> {
                pool.world.breakLink(c.link());
                FabricException thrown = RefusalAssertions.failing(Reason.DISCONNECTED, () -> c.put(64, 1));
                assertSame(Effect.NOT_DONE, thrown.effect());
                c.link().reconnect();
                Region again = c.link().open(pool.capabilities[0]);
                c.round.write(again, 64, 2).post().await();

                assertEquals(2, pool.client().word(64));
            });
        }
    }

    /** A dead node fails its own verbs and no verbs of other nodes. */
    @Test
    default void deadNodeFailsItsOwnVerbsOnly() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.KILL_NODE), "this fabric cannot kill nodes");
            pool.alone(c -> {
                pool.world.killNode(1);
                FabricException thrown = assertThrows(FabricException.class, () -> c.round
                        .deadline(LONG_NANOS)
                        .write(c.region(), 64, 1)
                        .write(c.regions[1], 64, 2)
                        .write(c.regions[2], 64, 3)
                        .post()
                        .await());

                assertTrue(thrown.reason() == Reason.DISCONNECTED || thrown.reason() == Reason.TIMED_OUT);
                assertSame(Effect.DONE, c.round.verb(0).effect());
                assertTrue(c.round.verb(1).effect() != Effect.DONE);
                assertSame(Effect.DONE, c.round.verb(2).effect());
                assertEquals(1, c.word(0, 64));
                assertEquals(3, c.word(2, 64));
            });
        }
    }

    /** A verb that is late can land until its session is revoked; after that it never lands. */
    @Test
    default void lateVerbNeverLandsAfterRevocation() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.DELAY), "this fabric cannot delay verbs");
            pool.alone(c -> {
                ContractClient recoverer = pool.client();
                pool.world.delayNext(c.link(), LONG_NANOS);
                RefusalAssertions.failing(Reason.TIMED_OUT, () -> c.round
                        .deadline(LONG_NANOS / 10)
                        .write(c.region(), 64, 1)
                        .post()
                        .await());
                assertSame(Effect.UNKNOWN, c.round.verb(0).effect(), "it still flies");
                pool.fabric.control(0).revoke(c.session.number());
                long found = recoverer.word(64);
                for (int i = 0; i < 20; i++) {
                    Waiting.pause(LONG_NANOS / 10);
                    assertEquals(found, recoverer.word(64));
                }
            });
        }
    }

    /** Without a revocation a late verb does land. This is why revocation exists. */
    @Test
    default void lateVerbMayLandAfterItsDeadline() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.DELAY), "this fabric cannot delay verbs");
            pool.alone(c -> {
                ContractClient watcher = pool.client();
                pool.world.delayNext(c.link(), LONG_NANOS);
                RefusalAssertions.failing(Reason.TIMED_OUT, () -> c.round
                        .deadline(LONG_NANOS / 10)
                        .write(c.region(), 64, 1)
                        .post()
                        .await());
                assertSame(Effect.UNKNOWN, c.round.verb(0).effect());
                for (int i = 0; i < 300 && watcher.word(64) == 0; i++) Waiting.pause(LONG_NANOS / 10);

                assertEquals(1, watcher.word(64), "nobody stopped it");
            });
        }
    }

    /** FLUSH acknowledged: everything written before it on this connection survives a power failure. */
    @Test
    default void flushedWritesSurvivePowerFailure() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.CUT_POWER), "this fabric has no power to lose");
            for (int turn = 1; turn <= 30; turn++) {
                int value = turn;
                pool.run(() -> {
                    ContractClient c = pool.client();
                    c.fill(0, 64, value);
                    c.round
                            .write(c.region(), 4096, 512, c.here, 0)
                            .write(c.region(), 64, value)
                            .fetchAndAdd(c.region(), 128, 1, c.here, 1024)
                            .flush(c.link())
                            .post()
                            .await();
                    pool.world.cutPower(0);
                });
                pool.run(() -> {
                    ContractClient after = pool.client();
                    assertEquals(value, after.word(64));
                    assertEquals(value, after.word(128), "atomics are flushed too");
                    after.round
                            .read(after.region(), 4096, 512, after.here, 0)
                            .post()
                            .await();
                    assertEquals(value, after.min(0, 64));
                    assertEquals(value, after.greatest(0, 64));
                });
            }
        }
    }

    /** Acknowledged is not persistent: what was not flushed may be lost, word by word, and some of it is. */
    @Test
    default void unflushedWritesMayBeLost() {
        try (ContractPool pool = pool()) {
            assumeTrue(pool.world.can(Fault.CUT_POWER), "this fabric has no power to lose");
            long[] lost = {0};
            for (int turn = 1; turn <= 30; turn++) {
                int value = turn;
                pool.run(() -> {
                    ContractClient c = pool.client();
                    c.fill(0, 64, value);
                    c.round.write(c.region(), 4096, 512, c.here, 0).post().await();
                    assertEquals(value, c.word(4096), "applied all the same");
                    pool.world.cutPower(0);
                });
                pool.run(() -> {
                    ContractClient after = pool.client();
                    after.round
                            .read(after.region(), 4096, 512, after.here, 0)
                            .post()
                            .await();
                    assertTrue(after.greatest(0, 64) <= value);
                    if (after.min(0, 64) < value) lost[0]++;
                });
            }

            assertTrue(lost[0] > 0, "a fabric that never loses anything lets forgotten FLUSHes pass");
        }
    }

    /** Failed rounds are counted, and the lane goes on. */
    @Test
    default void failedRoundsAreCounted() {
        story(c -> {
            assertThrows(
                    FabricException.class,
                    () -> c.round.write(c.region(), -8, 1).post().await());
            assertThrows(
                    FabricException.class,
                    () -> c.round.write(c.region(), 8, 1).post().await());
            Round other = c.lane.round(1);
            other.write(c.regions[1], 8, 1).post().await();

            assertEquals(2, c.lane.traffic().failedRounds());
            assertFalse(c.links[1].isBroken());
        });
    }

    /** Asserts that the reported effect of a verb agrees with the memory, once no verb can land any more. */
    private static void assertTruth(ContractPool pool, Effect said, int node, long offset, long wanted) {
        try (ContractClient watcher = pool.client()) {
            long found = watcher.word(node, offset);
            if (said == Effect.DONE) assertEquals(wanted, found, "said to be done");
            if (said == Effect.NOT_DONE) assertTrue(found != wanted, "said to be not done");
        }
    }

    private static void revokeEverywhere(ContractPool pool, ContractClient c) {
        for (int node = 0; node < pool.fabric.nodes(); node++)
            pool.fabric.control(node).revoke(c.session.number());
        assertTrue(Arrays.stream(pool.fabric.control(0).sessions()).anyMatch(n -> n == c.session.number()));
    }
}
