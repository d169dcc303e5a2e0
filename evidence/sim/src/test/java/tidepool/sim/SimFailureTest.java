package tidepool.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Waiting;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.memory.ChainedWorkBuilder;
import tidepool.memory.ChainedWorkLayout;
import tidepool.sim.CrashPoint.When;

/** The effects of failures, and how they are reported. */
class SimFailureTest {
    private static final long MILLION = 1_000_000;

    /** A node does not answer: answered verbs are done, the others are unknown, and the connection is broken. */
    @Test
    void aDeadNodeTimesOut() {
        try (SimPool world = new SimPool(1, 2, CostProfile.CX5, Adversary.NONE)) {
            world.client("c", c -> {
                world.fabric.crashNode(1);
                long start = world.simulation.nowNanos();
                c.round.write(c.regions[0], 0, 1).write(c.regions[1], 0, 1).deadline(50_000);
                FabricException e =
                        assertThrows(FabricException.class, () -> c.round.post().await());
                assertEquals(Reason.TIMED_OUT, e.reason());
                assertEquals(Effect.UNKNOWN, e.effect());
                assertEquals(Effect.DONE, c.round.verb(0).effect());
                assertEquals(Effect.UNKNOWN, c.round.verb(1).effect());
                assertEquals(50_000, world.simulation.nowNanos() - start, 200);
                assertFalse(c.links[0].isBroken());
                assertTrue(c.links[1].isBroken());

                world.fabric.restartNode(1);
                c.reconnect(1);
                c.round.write(c.regions[1], 0, 2).post().await();
            });
            world.simulation.run();
            assertEquals(1, world.word(0, 0));
            assertEquals(2, world.word(1, 0));
        }
    }

    /** The default deadline is that of the profile. */
    @Test
    void theProfileSaysHowLongToWait() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5.withDeadline(30_000), Adversary.NONE)) {
            world.client("c", c -> {
                world.fabric.crashNode(0);
                long start = world.simulation.nowNanos();
                assertThrows(FabricException.class, () -> c.write(0, 1));
                assertEquals(30_000, world.simulation.nowNanos() - start, 200);
            });
            world.simulation.run();
        }
    }

    private static final Adversary FLYING = Adversary.ORDER.withLosses(500_000, 5_000_000, 0, 0, 0, 0);

    /** C4: a verb lands long after its round gave up, when the link has long been connected anew. */
    @Test
    void aVerbFliesAndLandsLate() {
        int late = 0;
        for (long seed = 0; seed < 50; seed++) {
            int[] after = new int[1];
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5.withDeadline(50_000), FLYING)) {
                world.client("c", c -> {
                    for (int i = 0; i < 5; i++) {
                        try {
                            c.write(8 * i, 1);
                        } catch (FabricException e) {
                            assertEquals(Effect.UNKNOWN, e.effect());
                            long now = world.word(0, 8 * i);
                            c.reconnect(0);
                            Waiting.pause(10_000_000);
                            if (now == 0 && world.word(0, 8 * i) == 1) after[0]++;
                        }
                    }
                });
                world.simulation.run();
                assertTrue(after[0] == 0 || world.count(CoveragePoint.LATE_LANDING) > 0);
            }
            late += after[0];
        }
        assertTrue(late > 20, "late landings " + late);
    }

    /** The purpose of a revocation: verbs that fly do not land afterwards. */
    @Test
    void nothingLandsAfterARevocation() {
        long dropped = 0;
        for (long seed = 0; seed < 100; seed++) {
            try (SimPool world = new SimPool(seed, 1, CostProfile.CX5.withDeadline(50_000), FLYING)) {
                world.client("c", c -> {
                    try {
                        for (int i = 0; i < 8; i++) c.write(8 * i, 1);
                    } catch (FabricException e) {
                        world.fabric.control(0).revoke(c.session.number());
                        long before = sum(world);
                        Waiting.pause(20_000_000);
                        assertEquals(before, sum(world));
                        assertTrue(world.fabric.control(0).isRevoked(c.session.number()));
                        FabricException refused = assertThrows(FabricException.class, () -> c.reconnect(0));
                        assertEquals(Refusal.EPOCH, refused.refusal());
                    }
                });
                world.simulation.run();
                dropped += world.count(CoveragePoint.REVOKED_VERB_DROPPED);
            }
        }
        assertTrue(dropped > 20, "dropped " + dropped);
    }

    private static long sum(SimPool world) {
        long sum = 0;
        for (int i = 0; i < 8; i++) sum += world.word(0, 8 * i) << i;
        return sum;
    }

    /** Chained work of a revoked session stops between two steps, and never says that it is done. */
    @Test
    void aRevocationStopsChainedWork() {
        boolean[] halfway = new boolean[1];
        for (int delay = 0; delay < 40; delay++) {
            int later = delay;
            try (SimPool world = new SimPool(delay, 1, CostProfile.CX5, Adversary.NONE)) {
                int[] session = new int[1];
                world.client("c", c -> {
                    session[0] = c.session.number();
                    ChainedWorkBuilder chain = new ChainedWorkBuilder().into(c.source, 0);
                    for (int i = 0; i < 20; i++) chain.set(0, 8L * i, 1);
                    long length = chain.end();
                    c.round.write(c.region(), 1024, length, c.source, 0).chain(c.region(), 1024);
                    try {
                        c.round.post().await();
                    } catch (FabricException e) {
                        assertTrue(e.reason() == Reason.TIMED_OUT || e.refusal() == Refusal.EPOCH, e.getMessage());
                    }
                });
                world.simulation.start(world.simulation.machine("r", 1), "r", () -> {
                    Waiting.pause(3_000 + 150L * later);
                    if (session[0] == 0) return;
                    world.fabric.control(0).revoke(session[0]);
                    long done = 0;
                    for (int i = 0; i < 20; i++) done += world.word(0, 8 * i);
                    Waiting.pause(MILLION);
                    for (int i = 0; i < 20; i++) done -= world.word(0, 8 * i);
                    assertEquals(0, done);
                });
                world.simulation.run();
                long done = 0;
                for (int i = 0; i < 20; i++) done += world.word(0, 8 * i);
                boolean finished = world.word(0, 1024 + ChainedWorkLayout.STATUS) == ChainedWorkLayout.STATUS_DONE;
                assertEquals(finished, done == 20);
                halfway[0] |= done > 0 && done < 20 && world.count(CoveragePoint.REVOKED_CHAIN_DROPPED) > 0;
            }
        }
        assertTrue(halfway[0]);
    }

    /** A wire is cut: answered verbs are done, verbs that were held back are not, the others are unknown. */
    @Test
    void aBrokenLinkIsHonest() {
        int doneThoughUnknown = 0;
        int notDone = 0;
        for (long number = 0; number < 200; number++) {
            long seed = number;
            try (SimPool world =
                    new SimPool(seed, 1, CostProfile.CX5, Adversary.ORDER.withLosses(0, 0, 0, 0, 0, 500_000))) {
                List<Effect> effects = new ArrayList<>();
                world.client("c", c -> {
                    long from = world.simulation.nowNanos();
                    world.simulation.at(from + 200 + seed * 40, () -> world.fabric.breakLink(c.link()));
                    for (int i = 0; i < 4; i++) c.round.write(c.region(), 8 * i, 1);
                    c.round.read(c.region(), 0, 8, c.landing, 0).fence(c.link()).write(c.region(), 32, 1);
                    try {
                        c.round.post().await();
                    } catch (FabricException e) {
                        assertEquals(Reason.DISCONNECTED, e.reason());
                    }
                    for (int i = 0; i < 6; i++) effects.add(c.round.verb(i).effect());
                });
                world.simulation.run();
                world.simulation.settle();
                for (int i = 0; i < 6; i++) {
                    if (i == 4) continue;
                    long word = world.word(0, i == 5 ? 32 : 8 * i);
                    switch (effects.get(i)) {
                        case DONE -> assertEquals(1, word);
                        case NOT_DONE -> {
                            assertEquals(0, word);
                            notDone++;
                        }
                        case UNKNOWN -> doneThoughUnknown += (int) word;
                    }
                }
                // Whichever verbs were dropped, WRITEs of one link are applied up to some point and not beyond.
                for (int i = 1; i < 4; i++) assertTrue(world.word(0, 8 * i) <= world.word(0, 8 * i - 8));
            }
        }
        assertTrue(doneThoughUnknown > 10 && notDone > 10, doneThoughUnknown + " " + notDone);
    }

    /** Lost answers end in a time-out though the verb took effect; duplicated ones change nothing. */
    @Test
    void answersAreLostAndDoubled() {
        long lost = 0;
        long doubled = 0;
        for (long seed = 0; seed < 30; seed++) {
            try (SimPool world = new SimPool(
                    seed,
                    1,
                    CostProfile.CX5.withDeadline(40_000),
                    Adversary.ORDER.withLosses(0, 0, 50_000, 200_000, 0, 0))) {
                world.client("c", c -> {
                    long expected = 0;
                    for (int i = 0; i < 40; i++) {
                        try {
                            c.round
                                    .fetchAndAdd(c.region(), 0, 1, c.landing, 0)
                                    .post()
                                    .await();
                            assertEquals(expected, c.landed(0));
                        } catch (FabricException e) {
                            assertEquals(Reason.TIMED_OUT, e.reason());
                            c.reconnect(0);
                        }
                        expected++;
                        assertEquals(expected, world.word(0, 0));
                    }
                });
                world.simulation.run();
                lost += world.count(CoveragePoint.COMPLETION_LOST);
                doubled += world.count(CoveragePoint.COMPLETION_DUPLICATED);
            }
        }
        assertTrue(lost > 10 && doubled > 100, lost + " " + doubled);
    }

    /** A dead machine is known to be dead after its lease, not before; a paused one may be wrongly suspected (C3). */
    @Test
    void deathIsKnownAfterALease() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5.withLease(100_000), Adversary.NONE)) {
            int[] sessions = new int[2];
            world.client("dies", c -> {
                sessions[0] = c.session.number();
                world.simulation.crashStrand("dies", 0, When.BEFORE);
                Waiting.pause(50_000 - world.simulation.nowNanos());
                world.simulation.machine("dies", 1).crash();
            });
            world.client("sleeps", c -> {
                sessions[1] = c.session.number();
                for (int i = 0; i < 40; i++) Waiting.pause(10_000);
            });
            world.simulation.at(
                    50_000, () -> world.simulation.machine("sleeps", 1).pause(200_000));
            world.simulation.at(149_999, () -> {
                assertFalse(world.fabric.isDead(sessions[0]));
                assertFalse(world.fabric.isDead(sessions[1]));
            });
            world.simulation.at(150_001, () -> {
                assertTrue(world.fabric.isDead(sessions[0]));
                assertTrue(world.fabric.isDead(sessions[1]));
            });
            world.simulation.at(251_000, () -> assertFalse(world.fabric.isDead(sessions[1])));
            world.simulation.run();
            assertTrue(world.fabric.isDead(sessions[0]));
        }
    }

    /** A crash leaves a subset of the posted verbs that the order table allows: WRITEs of one link are a prefix. */
    @Test
    void aCrashLeavesAnAllowedSubset() {
        boolean[] sizes = new boolean[5];
        boolean[] secondLinkAlone = new boolean[1];
        for (long seed = 0; seed < 300; seed++) {
            try (SimPool world = new SimPool(seed, 2, CostProfile.CX5, Adversary.NETWORK)) {
                world.simulation.crashMachineOf("c", 8, When.BEFORE);
                world.client("c", c -> {
                    for (int i = 0; i < 4; i++) c.round.write(c.regions[0], 8 * i, 1);
                    for (int i = 0; i < 4; i++) c.round.write(c.regions[1], 8 * i, 1);
                    c.round.write(c.regions[0], 256, 1).post().await();
                });
                world.simulation.run();
                world.simulation.settle();
                int[] count = new int[2];
                for (int node = 0; node < 2; node++) {
                    for (int i = 0; i < 4; i++) count[node] += (int) world.word(node, 8 * i);
                    for (int i = 0; i < count[node]; i++) assertEquals(1, world.word(node, 8 * i), "a prefix");
                }
                sizes[count[0]] = true;
                secondLinkAlone[0] |= count[0] == 0 && count[1] == 4;
                assertEquals(0, world.word(0, 256));
            }
        }
        for (int i = 0; i < 5; i++) assertTrue(sizes[i], "a prefix of length " + i);
        assertTrue(secondLinkAlone[0], "nothing is ordered between nodes");
    }

    /** AFTER means that it took effect, even if everything before it on other links has not. */
    @Test
    void afterMeansItTookEffect() {
        for (long seed = 0; seed < 100; seed++) {
            try (SimPool world = new SimPool(seed, 2, CostProfile.CX5, Adversary.ORDER)) {
                world.simulation.crashStrand("c", 1, When.AFTER);
                boolean[] applied = new boolean[1];
                world.fabric.listen(new VerbListener() {
                    @Override
                    public void onApplied(VerbInFlight verb) {
                        applied[0] |= verb.strandVerb() == 1 && verb.node() == 1;
                    }
                });
                world.client("c", c -> {
                    c.round
                            .write(c.regions[0], 0, 1)
                            .write(c.regions[1], 0, 1)
                            .write(c.regions[1], 8, 1)
                            .post()
                            .await();
                });
                world.simulation.run();
                assertTrue(applied[0]);
                assertEquals(1, world.word(1, 0));
                assertEquals(0, world.word(1, 8));
                assertTrue(world.simulation.strand("c").isAbandoned());
            }
        }
    }

    /** Everything at once causes no exception but FabricException. */
    @Test
    void everythingAtOnceIsSurvivable() {
        Coverage total = new Coverage();
        for (long seed = 0; seed < 300; seed++) {
            try (SimPool world = new SimPool(
                    seed,
                    3,
                    CostProfile.CX5.withDeadline(100_000),
                    Adversary.ALL.withCrashes(300, 100, 100, 100, 4, 500_000))) {
                for (int s = 0; s < 6; s++) {
                    int me = s;
                    world.client("c" + s, c -> {
                        for (int n = 0; n < 60; n++) {
                            try {
                                for (int i = 0; i < 4; i++) Words.plain(c.source, 8 * i, n);
                                for (int node = 0; node < 3; node++)
                                    c.round
                                            .read(c.regions[node], 0, 512, c.landing, 512L * (node + 1))
                                            .fetchAndAdd(c.regions[node], 2048, 1, c.landing, 8L * node)
                                            .fence(c.links[node])
                                            .write(c.regions[node], 64L * me, 32, c.source, 0)
                                            .fetchAndAdd(c.regions[node], 2048, 1, null, 0)
                                            .flush(c.links[node]);
                                c.round.post().await();
                            } catch (FabricException e) {
                                for (int node = 0; node < 3; node++)
                                    while (c.links[node].isBroken()) tryReconnect(c, node);
                            }
                        }
                    });
                }
                world.simulation.run();
                world.simulation.settle();
                total.add(world.simulation.coverage());
            }
        }
        for (CoveragePoint what : CoveragePoint.values()) {
            boolean needsMore = what.name().startsWith("REVO")
                    || what == CoveragePoint.REFUSED
                    || what == CoveragePoint.MACHINE_PAUSED
                    || what == CoveragePoint.STOPPED_BY_PARTITION;
            if (!needsMore) total.require(what);
        }
    }

    /** An exception in a listener or a handler is a failure of the run, reported with its seed. */
    @Test
    void aListenerThatThrowsEndsTheRun() {
        try (SimPool world = new SimPool(0xbad, 1, CostProfile.CX5, Adversary.NONE)) {
            world.fabric.listen(new VerbListener() {
                @Override
                public void onApplied(VerbInFlight verb) {
                    throw new AssertionError("seen " + verb.kind());
                }
            });
            world.client("c", c -> c.write(0, 1));
            SimulationException e = assertThrows(SimulationException.class, world.simulation::run);
            assertTrue(e.getMessage().contains("seed=0xbad") && e.getMessage().contains("seen WRITE"), e.getMessage());
        }
    }

    /** N2: a coordinator is cut from one replica only; stopped verbs land when the cut heals, after a reconnect. */
    @Test
    void whatRanIntoAPartitionLandsWhenItHeals() {
        try (SimPool world = new SimPool(1, 2, CostProfile.CX5.withDeadline(50_000), Adversary.NONE)) {
            Machine machine = world.simulation.machine("c", 1);
            world.client("c", c -> {
                world.fabric.cut(machine, 1);
                c.round.write(c.regions[0], 0, 1).write(c.regions[1], 0, 1);
                FabricException e =
                        assertThrows(FabricException.class, () -> c.round.post().await());
                assertEquals(Reason.TIMED_OUT, e.reason());
                assertEquals(Effect.DONE, c.round.verb(0).effect());
                assertEquals(Effect.UNKNOWN, c.round.verb(1).effect());
                assertThrows(
                        FabricException.class, () -> world.fabric.control(1).epoch());
                assertEquals(0, world.word(1, 0));

                world.fabric.heal(machine, 1);
                c.reconnect(1);
                assertEquals(1, world.word(1, 0));
            });
            world.simulation.run();
            world.simulation.coverage().require(CoveragePoint.STOPPED_BY_PARTITION, CoveragePoint.LATE_LANDING);
        }
    }

    /** One-way: the verb took effect, its answer did not come back. */
    @Test
    void aOneWayPartitionHidesWhatWasDone() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5.withDeadline(50_000), Adversary.NONE)) {
            Machine machine = world.simulation.machine("c", 1);
            world.client("c", c -> {
                world.fabric.cutAnswers(machine, 0);
                FabricException e = assertThrows(FabricException.class, () -> c.write(0, 1));
                assertEquals(Effect.UNKNOWN, e.effect());
                assertEquals(1, world.word(0, 0));
                world.fabric.heal(machine, 0);
                c.reconnect(0);

                world.fabric.cutRequests(machine, 0);
                assertThrows(FabricException.class, () -> c.write(0, 2));
                assertEquals(1, world.word(0, 0));
            });
            world.simulation.run();
        }
    }

    /** N3: a slow node still gives correct answers. */
    @Test
    void aSlowNodeAnswersLate() {
        try (SimPool world = new SimPool(1, 1, CostProfile.CX5, Adversary.NONE)) {
            world.client("c", c -> {
                long start = world.simulation.nowNanos();
                c.write(0, 1);
                long quick = world.simulation.nowNanos() - start;
                world.fabric.slowDown(0, 30_000);
                start = world.simulation.nowNanos();
                c.write(0, 2);
                assertEquals(quick + 30_000, world.simulation.nowNanos() - start);
            });
            world.simulation.run();
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
