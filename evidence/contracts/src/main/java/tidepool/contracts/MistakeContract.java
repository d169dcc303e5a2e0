package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.Round;
import tidepool.fabric.Traffic;
import tidepool.memory.Handlers;
import tidepool.memory.VersionHandler;

/**
 * Contract tests of rounds with one verb that cannot be carried out, among WRITEs to all nodes. A round that building
 * or {@code post} rejects with an exception leaves no trace at any node and is not counted; its lane and the round
 * itself stay usable. A round that was posted and fails reports the true effect of each verb.
 */
interface MistakeContract extends ContractBase {
    /** Offset at which the verbs around the bad one write. */
    long MARK = 128;

    /** More bytes than any fabric carries at once, see {@link FabricWorld#callsHaveNoLimit}. */
    long HUGE = 3 << 20;

    /** Offset and length of the WRITEs of a long round. Those to one node take more than one frame on TCP. */
    long LONG_AT = 8192;

    long LONG_BYTES = 48 << 10;
    int LONG_WRITES = 24;

    /** The mistake that a round of any length does not know. */
    String FULL = "round that is full";

    /** Adds one bad verb to a round. */
    interface Mistake {
        void make(ContractPool pool, ContractClient c, Round round);
    }

    /** One row of the tables below. */
    record Bad(String what, Mistake mistake) {}

    /** Ways to hand over a round. */
    enum Way {
        POST,
        BACKGROUND,
        FOLLOWED,
        FOLLOWING
    }

    /** Mistakes that every fabric finds while the round is built, or when it is posted. */
    static List<Bad> mistakes(boolean callsHaveNoLimit) {
        List<Bad> all = new ArrayList<>();
        all.add(new Bad("region of none", (s, c, r) -> r.write(null, 0, 1)));
        all.add(new Bad("region of none, READ", (s, c, r) -> r.read(null, 0, 8, c.here, 0)));
        all.add(new Bad("region of none, group", (s, c, r) -> r.writePairBackwards(null, 0, 1, 2)));
        all.add(new Bad("FLUSH on no link", (s, c, r) -> r.flush(null)));
        all.add(new Bad("CALL on no link", (s, c, r) -> r.call(null, 0, c.here, 0, 8, c.here, 512, 8)));
        all.add(new Bad(
                "region of another lane", (s, c, r) -> r.write(s.client().region(), 0, 1)));
        all.add(new Bad("link of another lane", (s, c, r) -> r.flush(s.client().link())));
        all.add(new Bad("fence on another lane", (s, c, r) -> r.fence(s.client().link())));
        all.add(new Bad("fence without a verb", (s, c, r) -> r.fence(c.link())));
        all.add(new Bad(FULL, (s, c, r) -> {
            for (int i = 0; i < 17; i++) r.write(c.region(), 1024, 1);
        }));
        all.add(new Bad(FULL + ", group", (s, c, r) -> {
            for (int i = 0; i < 17; i++) r.markThenWrite(c.region(), 1024, 1, 8, c.here, 0);
        }));
        places(all);
        all.add(new Bad("CALL of negative length", (s, c, r) -> r.call(c.link(), 0, c.here, 0, -8, c.here, 512, 8)));
        all.add(new Bad("CALL with negative room", (s, c, r) -> r.call(c.link(), 0, c.here, 0, 8, c.here, 512, -8)));
        if (callsHaveNoLimit) return all;
        all.add(new Bad("CALL that is too long", (s, c, r) -> {
            MemorySegment huge = c.lane.landing(HUGE);
            r.call(c.link(), Handlers.ECHO, huge, 0, HUGE, c.here, 0, 8);
        }));
        all.add(new Bad("CALL with too much room", (s, c, r) -> {
            MemorySegment huge = c.lane.landing(HUGE);
            r.call(c.links[2], Handlers.ECHO, c.here, 0, 8, huge, 0, HUGE);
        }));
        return all;
    }

    private static void places(List<Bad> all) {
        MemorySegment closed;
        try (Arena arena = Arena.ofShared()) {
            closed = arena.allocate(64, 8);
        }
        place(all, "none", null);
        place(all, "heap", MemorySegment.ofArray(new long[8]));
        place(all, "short", Arena.ofAuto().allocate(4, 8));
        place(all, "uneven", Arena.ofAuto().allocate(64, 8).asSlice(4));
        place(all, "read-only", Arena.ofAuto().allocate(64, 8).asReadOnly());
        place(all, "closed", closed);
    }

    /** Adds every verb that has a landing buffer or a source, with this one. */
    private static void place(List<Bad> all, String what, MemorySegment at) {
        all.add(new Bad("READ into a place that is " + what, (s, c, r) -> r.read(c.region(), 0, 8, at, 0)));
        all.add(new Bad("WRITE from a place that is " + what, (s, c, r) -> r.write(c.region(), 0, 8, at, 0)));
        all.add(new Bad(
                "CALL from a place that is " + what, (s, c, r) -> r.call(c.link(), 0, at, 0, 8, c.here, 512, 8)));
        all.add(new Bad("CALL into a place that is " + what, (s, c, r) -> r.call(c.link(), 0, c.here, 0, 8, at, 0, 8)));
        all.add(new Bad("readPair into a place that is " + what, (s, c, r) -> r.readPair(c.region(), 0, at, 0)));
        all.add(new Bad(
                "markThenWrite from a place that is " + what,
                (s, c, r) -> r.markThenWrite(c.region(), 1024, 1, 8, at, 0)));
        if (at == null) return; // the word that an atomic finds need not land
        all.add(new Bad(
                "CAS into a place that is " + what, (s, c, r) -> r.compareAndSwap(c.region(), 1024, 0, 1, at, 0)));
        all.add(new Bad("FAA into a place that is " + what, (s, c, r) -> r.fetchAndAdd(c.region(), 1024, 1, at, 0)));
        all.add(new Bad(
                "masked CAS into a place that is " + what,
                (s, c, r) -> r.maskedCompareAndSwap(c.region(), 1024, 0, -1, 1, -1, at, 0)));
        all.add(new Bad(
                "masked FAA into a place that is " + what,
                (s, c, r) -> r.maskedFetchAndAdd(c.region(), 1024, 1, 128, at, 0)));
    }

    /** Returns verbs that the memory side refuses, and verbs on links that carry nothing. */
    static List<Bad> refusals() {
        List<Bad> all = new ArrayList<>();
        for (RefusalContract.Bad bad : RefusalContract.badPlaces(ContractPool.BYTES))
            all.add(new Bad(bad.what(), (s, c, r) -> bad.offence().commit(c, r)));
        for (RefusalContract.Bad bad : RefusalContract.badChains(ContractPool.BYTES))
            all.add(new Bad("CHAIN, " + bad.what(), (s, c, r) -> bad.offence().commit(c, r)));
        all.add(new Bad("guessed handle", (s, c, r) -> r.write(c.link().byHandle(77), 0, 1)));
        all.add(new Bad("no such handler", (s, c, r) -> r.call(c.link(), 200, c.here, 0, 8, c.here, 512, 8)));
        all.add(new Bad("link that broke", (s, c, r) -> {
            Round before =
                    c.lane.round(1).write(c.region(), ContractPool.BYTES, 1).post();
            try {
                before.await();
                fail("not refused");
            } catch (FabricException e) {
                r.write(c.region(), 1024, 1);
            }
        }));
        all.add(new Bad("region opened before its link broke", (s, c, r) -> {
            c.link().reconnect();
            r.write(c.region(), 1024, 1);
        }));
        return all;
    }

    /** Returns mistakes that end a session or lane while a round is being built. */
    static List<Bad> ends() {
        List<Bad> all = new ArrayList<>();
        all.add(new Bad("session revoked at one node", (s, c, r) -> {
            r.write(c.region(), 1024, 1);
            s.fabric.control(0).revoke(c.session.number());
        }));
        all.add(new Bad("closed lane", (s, c, r) -> {
            r.write(c.region(), 1024, 1);
            c.lane.close();
        }));
        all.add(new Bad("closed session", (s, c, r) -> {
            r.write(c.region(), 1024, 1);
            c.session.close();
        }));
        return all;
    }

    /** Whatever building or post throws, nothing of the round lands, and the lane stays usable through all mistakes. */
    @Test
    default void roundThatIsThrownOutLeavesNoTrace() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                ContractClient c = pool.client();
                ContractClient watcher = pool.client();
                Round other = c.lane.round(2);
                for (Bad bad : mistakes(pool.world.callsHaveNoLimit()))
                    for (Way way : Way.values())
                        if (!thrownOut(pool, bad, way, c, c.round, other, watcher, null)) break;
            });
        }
    }

    /** Rounds that take any number of verbs: most of their frames could have left before the bad verb. */
    @Test
    default void longRoundThatIsThrownOutLeavesNoTrace() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                ContractClient c = pool.client();
                ContractClient watcher = pool.client();
                Round round = c.lane.growingRound(2);
                Round other = c.lane.growingRound(2);
                MemorySegment content = c.lane.landing(LONG_BYTES);
                content.fill((byte) 1);
                for (Bad bad : mistakes(pool.world.callsHaveNoLimit())) {
                    if (bad.what().startsWith(FULL)) continue;
                    for (Way way : Way.values())
                        if (!thrownOut(pool, bad, way, c, round, other, watcher, content)) break;
                }
                // Without a bad verb it is carried out.
                addLong(c, round, content);
                round.post().await();
                for (int node = 0; node < 3; node++) assertNotEquals(0, watcher.word(node, LONG_AT));
            });
        }
    }

    private static void addLong(ContractClient c, Round round, MemorySegment content) {
        for (int i = 0; i < LONG_WRITES; i++)
            for (int node = 0; node < 3; node++) round.write(c.regions[node], LONG_AT, LONG_BYTES, content, 0);
    }

    /**
     * Returns whether the mistake was found at handing over, not at building: then every way of handing over has to
     * find it.
     *
     * @param content written many times before the bad verb; null for a short round
     */
    private static boolean thrownOut(
            ContractPool pool,
            Bad bad,
            Way way,
            ContractClient c,
            Round marked,
            Round other,
            ContractClient watcher,
            MemorySegment content) {
        String what = bad.what() + ", " + way;
        Traffic traffic = c.lane.traffic().snapshot();
        RuntimeException thrown = null;
        boolean built = false;
        try {
            marked.write(c.region(), MARK, 1).write(c.regions[1], MARK, 2);
            if (content != null) addLong(c, marked, content);
            bad.mistake().make(pool, c, marked);
            marked.write(c.regions[2], MARK, 3);
            other.write(c.region(), MARK, 4).write(c.regions[2], MARK, 5);
            built = true;
            handOver(way, marked, other);
        } catch (RuntimeException e) {
            thrown = e;
        }
        assertNotNull(thrown, what);
        assertFalse(thrown instanceof FabricException, what + ": " + thrown);
        assertEquals(0, c.lane.traffic().since(traffic).allVerbs(), what);
        marked.discard();
        other.discard();
        if (content != null) marked.trim();

        // The lane, its links and both rounds work. These rounds would also send any verbs left over from the bad ones.
        for (Round round : new Round[] {marked, other}) {
            round.write(c.region(), 256, 7).write(c.regions[1], 256, 7).post().await();
            round.write(c.regions[2], 256, 7).post().await();
            assertSame(Effect.DONE, round.verb(0).effect(), what);
        }
        for (int node = 0; node < 3; node++) {
            assertFalse(c.links[node].isBroken(), what);
            assertEquals(0, watcher.word(node, MARK), what);
            assertEquals(0, watcher.word(node, 1024), what);
            if (content != null) assertEquals(0, watcher.word(node, LONG_AT), what);
            assertEquals(7, watcher.word(node, 256), what);
            watcher.put(node, 256, 0);
        }
        return built;
    }

    private static void handOver(Way way, Round bad, Round good) {
        switch (way) {
            case POST -> bad.post();
            case BACKGROUND -> bad.postInBackground();
            case FOLLOWED -> bad.postInBackground(good);
            case FOLLOWING -> good.postInBackground(bad);
        }
    }

    /** Rounds that are handed over twice, empty, or with a successor that cannot follow. */
    @Test
    default void roundThatIsMisusedSendsNothing() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                ContractClient c = pool.client();
                ContractClient elsewhere = pool.client();
                Round empty = c.lane.round(1);
                refuses(c, "empty", empty::post);
                refuses(c, "empty, background", empty::postInBackground);
                Round marking = c.lane.round(2).write(c.region(), MARK, 1).write(c.regions[1], MARK, 2);
                elsewhere.round.write(elsewhere.regions[2], MARK, 3);
                refuses(c, "follows itself", () -> marking.postInBackground(marking));
                refuses(c, "follower of another lane", () -> marking.postInBackground(elsewhere.round));
                refuses(c, "empty follower", () -> marking.postInBackground(empty));
                Round busy = c.lane.round(2).write(c.region(), 256, 7).postInBackground();
                refuses(c, "posted twice", busy::post);
                refuses(c, "follower that was posted", () -> marking.postInBackground(busy));
                refuses(c, "built on while under way", () -> busy.write(c.regions[2], MARK, 4));
                busy.settle();
                marking.discard();
                elsewhere.round.discard();
                for (int node = 0; node < 3; node++) {
                    c.round.write(c.regions[node], 256, 7).post().await();
                    assertEquals(0, elsewhere.word(node, MARK));
                }
            });
        }
    }

    private static void refuses(ContractClient c, String what, Runnable misuse) {
        Traffic traffic = c.lane.traffic().snapshot();
        RuntimeException thrown = null;
        try {
            misuse.run();
        } catch (RuntimeException e) {
            thrown = e;
        }
        assertNotNull(thrown, what);
        assertFalse(thrown instanceof FabricException, what + ": " + thrown);
        assertEquals(0, c.lane.traffic().since(traffic).allVerbs(), what);
    }

    /** A round that fails later, in await, reports for each of its WRITEs whether it landed; post throws nothing. */
    @Test
    default void roundThatFailsSaysWhatLanded() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                ContractClient watcher = pool.client();
                ContractClient c = pool.client();
                for (Bad bad : refusals()) {
                    failed(pool, bad, c, watcher, watcher);
                    for (int node = 0; node < 3; node++) openAgain(pool, c, node);
                }
                for (Bad bad : ends()) failed(pool, bad, pool.client(), watcher, watcher);
                Bad older = new Bad("older epoch at one node", (s, e, r) -> {
                    r.write(e.region(), 1024, 1);
                    s.fabric.control(2).raiseEpoch(s.fabric.control(2).epoch() + 1);
                });
                failed(pool, older, pool.client(), watcher, null);
            });
        }
    }

    private static void openAgain(ContractPool pool, ContractClient c, int node) {
        if (c.links[node].isBroken()) c.links[node].reconnect();
        c.regions[node] = c.links[node].open(pool.capabilities[node]);
        c.put(node, 256, 7);
    }

    /** @param after the client that reads what landed; null for a new client, opened after the failure */
    private static void failed(
            ContractPool pool, Bad bad, ContractClient c, ContractClient watcher, ContractClient after) {
        for (int node = 0; node < 3; node++) watcher.put(node, MARK, 0);
        watcher.put(MARK + 8, 0);
        c.round.write(c.region(), MARK, 1).write(c.regions[1], MARK, 2);
        bad.mistake().make(pool, c, c.round);
        c.round.write(c.regions[2], MARK, 3).write(c.region(), MARK + 8, 4).post();
        try {
            c.round.await();
            fail(bad.what() + " was carried out");
        } catch (FabricException e) {
            saysTheTruth(after == null ? pool.client() : after, c.round, bad.what());
        }
    }

    private static void saysTheTruth(ContractClient watcher, Round round, String what) {
        int count = round.count();
        truth(watcher, round, 0, 0, MARK, what);
        truth(watcher, round, 1, 1, MARK, what);
        truth(watcher, round, count - 2, 2, MARK, what);
        truth(watcher, round, count - 1, 0, MARK + 8, what);
    }

    private static void truth(ContractClient watcher, Round round, int verb, int node, long at, String what) {
        Effect said = round.verb(verb).effect();
        if (said == Effect.UNKNOWN) return;
        assertEquals(said == Effect.DONE, watcher.word(node, at) != 0, what + ", verb " + verb + " says " + said);
    }

    /** A CALL of any shape is answered, whatever its bytes are; a handler never throws an exception at the caller. */
    @Test
    default void callsOfAnyShapeAreAnswered() {
        story(c -> {
            long[] lengths = {0, 1, 7, 8, 9, 16, 24, 71, 72, 73, 80, 512};
            for (int handler : new int[] {Handlers.ECHO, Handlers.STATISTICS, Handlers.VERSIONS})
                for (long length : lengths)
                    for (long room : lengths) {
                        c.fill(0, 64, length + room);
                        for (long at = VersionHandler.SETTLES; at < VersionHandler.PARTS; at += 8) c.fill(at, 1, 1);
                        c.round
                                .call(c.link(), handler, c.here, 0, length, c.here, 1024, room)
                                .post()
                                .await();
                    }
            assertFalse(c.link().isBroken());
        });
    }
}
