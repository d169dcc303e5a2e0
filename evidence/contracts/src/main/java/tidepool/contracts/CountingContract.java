package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.fabric.OrderTable;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.Traffic;
import tidepool.fabric.VerbKind;
import tidepool.memory.ChainedWorkBuilder;

/**
 * Contract tests of the counters: round trips, verbs and bytes are counted exactly. Tables of the papers are checked
 * against these numbers, so they may not depend on the machine, on the fabric's speed, or on chance. Only the price of
 * a fence depends on the fabric, by the orders that it keeps for free.
 */
interface CountingContract extends ContractBase {

    /** One verb, one trip; an atomic moves a word each way. */
    @Test
    default void singleVerbsAreCounted() {
        counted(
                "READ",
                "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=64+0 out=0+0",
                c -> c.round.read(c.region(), 0, 64, c.here, 0).post().await());
        counted(
                "WRITE",
                "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=0+0 out=128+0",
                c -> c.round.write(c.region(), 0, 128, c.here, 0).post().await());
        counted(
                "WRITE of a word",
                "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=0+0 out=8+0",
                c -> c.round.write(c.region(), 0, 1).post().await());
        counted("CAS", "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=8+0 out=8+0", c -> c.round
                .compareAndSwap(c.region(), 0, 0, 1, c.here, 0)
                .post()
                .await());
        counted(
                "FAA",
                "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=8+0 out=8+0",
                c -> c.round.fetchAndAdd(c.region(), 0, 1, null, 0).post().await());
        counted("masked CAS", "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=8+0 out=8+0", c -> c.round
                .maskedCompareAndSwap(c.region(), 0, 0, 1, 1, 1, c.here, 0)
                .post()
                .await());
        counted("masked FAA", "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=8+0 out=8+0", c -> c.round
                .maskedFetchAndAdd(c.region(), 0, 1, 8, c.here, 0)
                .post()
                .await());
        counted(
                "FLUSH",
                "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=0+0 out=0+0",
                c -> c.round.flush(c.link()).post().await());
        counted("CALL", "trips=1 rounds=1 background=0 fences=0 verbs=1+0 in=16+0 out=24+0", c -> c.round
                .call(c.link(), 0, c.here, 0, 24, c.here, 64, 16)
                .post()
                .await());
    }

    /** Verbs for all replicas are one trip, however many there are. */
    @Test
    default void roundOverSeveralNodesIsOneTrip() {
        counted("3 nodes", "trips=1 rounds=1 background=0 fences=0 verbs=6+0 in=192+0 out=24+0", c -> {
            for (int node = 0; node < 3; node++)
                c.round.write(c.regions[node], 0, 1).read(c.regions[node], 0, 64, c.here, node * 64L);
            c.round.post().await();
        });
    }

    /** The trips of successive rounds add up. */
    @Test
    default void chainOfRoundsIsAsLongAsItIs() {
        counted("chain of 3", "trips=3 rounds=3 background=0 fences=0 verbs=3+0 in=8+0 out=16+0", c -> {
            c.round.write(c.region(), 0, 1).post().await();
            c.round.read(c.region(), 0, 8, c.here, 0).post().await();
            c.round.write(c.region(), 0, 2).post().await();
        });
    }

    /** Rounds that overlap count once, in whatever order they are awaited. */
    @Test
    default void roundsThatOverlapAreOneTrip() {
        counted("2 overlap", "trips=1 rounds=2 background=0 fences=0 verbs=2+0 in=0+0 out=16+0", c -> {
            Round other = c.lane.round(1);
            c.round.write(c.region(), 0, 1).post();
            other.write(c.regions[1], 0, 1).post();
            c.round.await();
            other.await();
        });
        counted(
                "2 overlap, awaited backwards",
                "trips=1 rounds=2 background=0 fences=0 verbs=2+0 in=0+0 out=16+0",
                c -> {
                    Round other = c.lane.round(1);
                    c.round.write(c.region(), 0, 1).post();
                    other.write(c.regions[1], 0, 1).post();
                    other.await();
                    c.round.await();
                });
    }

    /** One long-lasting round overlaps with a chain of two: the chain determines the count. */
    @Test
    default void longestChainDecides() {
        counted("1 beside 2", "trips=2 rounds=3 background=0 fences=0 verbs=3+0 in=0+0 out=24+0", c -> {
            Round second = c.lane.round(1);
            second.write(c.regions[1], 0, 1).post();
            c.round.write(c.region(), 0, 1).post().await();
            c.round.write(c.region(), 8, 1).post().await();
            second.await();
        });
        counted("zigzag", "trips=3 rounds=4 background=0 fences=0 verbs=4+0 in=0+0 out=32+0", c -> {
            Round a = c.lane.round(1);
            Round b = c.lane.round(1);
            a.write(c.region(), 0, 1).post();
            b.write(c.region(), 8, 1).post();
            a.await();
            a.write(c.region(), 0, 2).post();
            b.await();
            a.await();
            b.write(c.region(), 8, 2).post().await();
        });
    }

    /** Background work adds no trip, is counted apart, and does not shorten the chain around it. */
    @Test
    default void backgroundIsCountedApart() {
        counted("background", "trips=0 rounds=0 background=1 fences=0 verbs=0+2 in=0+8 out=0+16", c -> c.round
                .write(c.region(), 0, 1)
                .fetchAndAdd(c.region(), 8, 1, c.here, 0)
                .postInBackground()
                .settle());
        counted("background between", "trips=2 rounds=2 background=1 fences=0 verbs=2+1 in=16+0 out=0+64", c -> {
            Round release = c.lane.round(1);
            c.round.read(c.region(), 0, 8, c.here, 0).post().await();
            release.write(c.region(), 0, 64, c.here, 512).postInBackground();
            c.round.read(c.region(), 0, 8, c.here, 0).post().await();
            release.settle();
        });
        counted("settled early", "trips=2 rounds=2 background=1 fences=0 verbs=2+1 in=16+0 out=0+8", c -> {
            Round release = c.lane.round(1);
            c.round.read(c.region(), 0, 8, c.here, 0).post().await();
            release.write(c.region(), 0, 1).postInBackground().settle();
            c.round.read(c.region(), 0, 8, c.here, 0).post().await();
        });
    }

    /** A fence costs a trip where the fabric does not keep the order anyway, and only there. */
    @Test
    default void fencesArePricedByTheOrdersOfTheFabric() {
        fence(VerbKind.READ, VerbKind.WRITE);
        fence(VerbKind.READ, VerbKind.READ);
        fence(VerbKind.READ, VerbKind.CAS);
        fence(VerbKind.WRITE, VerbKind.WRITE);
        fence(VerbKind.WRITE, VerbKind.READ);
        fence(VerbKind.WRITE, VerbKind.CAS);
        fence(VerbKind.CAS, VerbKind.WRITE);
        fence(VerbKind.CAS, VerbKind.READ);
        fence(VerbKind.CAS, VerbKind.CAS);
        fence(VerbKind.FLUSH, VerbKind.WRITE);
        fence(VerbKind.WRITE, VerbKind.FLUSH);
        fence(VerbKind.CAS, VerbKind.FLUSH);
        fence(VerbKind.CHAIN, VerbKind.READ);
        fence(VerbKind.CHAIN, VerbKind.WRITE);
    }

    /** Two fences in a row are two trips; two fences on two links in parallel are one. */
    @Test
    default void fencesOfOneLinkAddUpAndOfTwoLinksDoNot() {
        try (ContractPool pool = pool()) {
            long price = price(pool.fabric.orders(), VerbKind.CAS, VerbKind.CAS);
            counted(pool, "2 fences", 1 + 2L * price, 2L * price, c -> c.round
                    .fetchAndAdd(c.region(), 0, 1, null, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 8, 1, null, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 16, 1, null, 0)
                    .post()
                    .await());
            counted(pool, "a fence on each of 2 links", 1 + price, price, c -> c.round
                    .fetchAndAdd(c.region(), 0, 1, null, 0)
                    .fetchAndAdd(c.regions[1], 0, 1, null, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 8, 1, null, 0)
                    .fence(c.links[1])
                    .fetchAndAdd(c.regions[1], 8, 1, null, 0)
                    .post()
                    .await());
            counted(pool, "a verb behind the fenced one", 1 + price, price, c -> c.round
                    .fetchAndAdd(c.region(), 0, 1, null, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 8, 1, null, 0)
                    .read(c.region(), 0, 8, c.here, 0)
                    .post()
                    .await());
            counted(pool, "a fence with nothing before it", 1, 0, c -> c.round
                    .fence(c.link())
                    .write(c.region(), 0, 1)
                    .post()
                    .await());
            counted(pool, "a fence behind another link's verb", 1, 0, c -> c.round
                    .fetchAndAdd(c.regions[1], 0, 1, null, 0)
                    .fence(c.link())
                    .write(c.region(), 0, 1)
                    .post()
                    .await());
            counted(pool, "a fenced round in the background", 0, price, c -> c.round
                    .fetchAndAdd(c.region(), 0, 1, null, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 8, 1, null, 0)
                    .postInBackground()
                    .settle());
        }
    }

    /** A fence after a round that is still under way waits for that round: splitting a round does not save the trip. */
    @Test
    default void fenceAfterRoundUnderWayIsPriced() {
        try (ContractPool pool = pool()) {
            long price = price(pool.fabric.orders(), VerbKind.CAS, VerbKind.WRITE);
            counted(pool, "a fence over rounds", 1 + price, price, c -> {
                Round second = c.lane.round(1);
                c.round.fetchAndAdd(c.region(), 0, 1, null, 0).post();
                second.fence(c.link()).write(c.region(), 8, 1).post();
                c.round.await();
                second.await();
            });
            counted(pool, "a fence behind an awaited round", 2, 0, c -> {
                Round second = c.lane.round(1);
                c.round.fetchAndAdd(c.region(), 0, 1, null, 0).post().await();
                second.fence(c.link()).write(c.region(), 8, 1).post().await();
            });
        }
    }

    /** Each lane counts for itself; the session adds the lanes up. */
    @Test
    default void sessionAddsUpItsLanes() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                ContractClient other = new ContractClient(c.session, pool.capabilities);
                c.put(0, 1);
                other.put(0, 2);
                other.word(0);

                assertEquals(1, c.lane.traffic().roundTrips());
                assertEquals(2, other.lane.traffic().roundTrips());
                assertEquals(3, c.session.traffic().roundTrips());
                assertEquals(2, c.session.traffic().verbs(VerbKind.WRITE));
                assertEquals(1, c.session.traffic().verbs(VerbKind.READ));
            });
        }
    }

    /** A hint is not counted as a verb, wherever it points. */
    @Test
    default void hintsAreNoTraffic() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Region region = c.link().open(pool.fabric.control(0).createRegion(4096));
                Region none = c.link().byHandle(99);
                long before = c.lane.traffic().allVerbs();
                for (long offset :
                        new long[] {0, 8, region.bytes() - 8, region.bytes(), 3, -8, Long.MIN_VALUE, Long.MAX_VALUE}) {
                    region.expect(offset, 8, true);
                    none.expect(offset, 8, true);
                }

                assertEquals(before, c.lane.traffic().allVerbs());
                assertFalse(c.link().isBroken());
            });
        }
    }

    /** Set-up is not counted as traffic: connecting, opening, control calls. */
    @Test
    default void controlCallsAreNotCounted() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Region region = c.link().open(pool.fabric.control(0).createRegion(4096));
                pool.fabric.control(0).revoke(12345);
                c.lane.connect(2);
                assertEquals(0, c.lane.traffic().allVerbs());
                assertEquals(0, c.lane.traffic().roundTrips());
                c.round.write(region, 0, 1).post().await();
                assertEquals(1, c.lane.traffic().roundTrips());
            });
        }
    }

    /** Papers count in steady state, so a hundred thousand rounds must not allocate garbage. */
    @Test
    default void roundsAllocateNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                org.junit.jupiter.api.Assumptions.assumeTrue(
                        pool.world.allocatedBytes() >= 0, "this fabric promises nothing about allocation");
                int rounds = Math.max(20_000, pool.world.litmusRounds());
                MemorySegment here = c.here;
                Round background = c.lane.round(1);
                long descriptor = new ChainedWorkBuilder()
                        .into(here, 2048)
                        .set(c.region().number(), 64, 1)
                        .end();
                long bytes = Long.MAX_VALUE;
                for (int attempt = 0; attempt < 10 && bytes >= rounds / 10; attempt++) {
                    long before = pool.world.allocatedBytes();
                    for (int i = 0; i < rounds; i++) {
                        c.round
                                .read(c.region(), 4096, 256, here, 0)
                                .compareAndSwap(c.region(), 0, i, i + 1, here, 512)
                                .fence(c.link())
                                .write(c.regions[1], 4096, 128, here, 1024)
                                .write(c.region(), 8192, descriptor, here, 2048)
                                .chain(c.region(), 8192)
                                .flush(c.links[1])
                                .maskedFetchAndAdd(c.region(), 8, 1, 128, null, 0)
                                .post()
                                .await();
                        background.write(c.regions[2], 0, i).postInBackground().settle();
                    }
                    bytes = pool.world.allocatedBytes() - before;
                }
                assertEquals(0, bytes / (rounds / 10), "bytes allocated by " + rounds + " rounds: " + bytes);
            });
        }
    }

    /** The program of a client while it is counted. */
    interface Shape {
        void send(ContractClient c);
    }

    private void counted(String name, String expected, Shape shape) {
        story(c -> assertEquals(expected, line(traffic(c, shape)), name));
    }

    private static void counted(ContractPool pool, String name, long trips, long fenceTrips, Shape shape) {
        pool.alone(c -> {
            Traffic traffic = traffic(c, shape);
            assertEquals(trips, traffic.roundTrips(), name + ": trips");
            assertEquals(fenceTrips, traffic.fenceTrips(), name + ": trips because of fences");
        });
    }

    private static Traffic traffic(ContractClient c, Shape shape) {
        Traffic before = c.lane.traffic().snapshot();
        shape.send(c);
        return c.lane.traffic().since(before);
    }

    private static String line(Traffic t) {
        long foreground = 0;
        for (VerbKind kind : VerbKind.values()) foreground += t.verbs(kind);
        return "trips=" + t.roundTrips() + " rounds=" + t.rounds() + " background=" + t.backgroundRounds() + " fences="
                + t.fenceTrips() + " verbs=" + foreground + "+" + (t.allVerbs() - foreground) + " in=" + t.bytesRead()
                + "+"
                + t.backgroundBytesRead() + " out=" + t.bytesWritten() + "+" + t.backgroundBytesWritten();
    }

    private void fence(VerbKind first, VerbKind second) {
        try (ContractPool pool = pool()) {
            long price = price(pool.fabric.orders(), first, second);
            counted(pool, first + ", fenced " + second, 1 + price, price, c -> {
                long descriptor = new ChainedWorkBuilder()
                        .into(c.here, 2048)
                        .set(c.region().number(), 64, 1)
                        .end();
                if (first == VerbKind.CHAIN) c.round.write(c.region(), 8192, descriptor, c.here, 2048);
                add(c, first);
                c.round.fence(c.link());
                add(c, second);
                c.round.post().await();
            });
        }
    }

    private static void add(ContractClient c, VerbKind kind) {
        switch (kind) {
            case READ -> c.round.read(c.region(), 0, 64, c.here, 0);
            case WRITE -> c.round.write(c.region(), 0, 1);
            case FLUSH -> c.round.flush(c.link());
            case CHAIN -> c.round.chain(c.region(), 8192);
            case CAS -> c.round.compareAndSwap(c.region(), 0, 0, 1, c.here, 512);
            case FAA, MASKED_CAS, MASKED_FAA, CALL -> throw new IllegalArgumentException(kind.toString());
        }
    }

    private static long price(OrderTable orders, VerbKind first, VerbKind second) {
        return orders.keeps(first, second) ? 0 : 1;
    }
}
