package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;
import tidepool.memory.ChainedWorkBuilder;
import tidepool.memory.ChainedWorkLayout;

/**
 * Contract tests of refusals: verbs outside of their region, off the grid of words, or with handles that open nothing.
 * Each is refused with its reason, changes no byte, breaks its own link and no other, and fails the verbs that follow
 * it on that link.
 */
interface RefusalContract extends ContractBase {
    /** A verb that must be refused. */
    interface Offence {
        void commit(ContractClient c, Round round);
    }

    /** One row of the table below. */
    record Bad(String what, Refusal refusal, Offence offence) {}

    /** Returns every verb with every kind of bad place. */
    static List<Bad> badPlaces(long bytes) {
        List<Bad> all = new ArrayList<>();
        long[] outside = {-8, -4096, bytes, bytes + 8, bytes * 2, Long.MAX_VALUE - 7, Long.MIN_VALUE};
        for (long at : outside) words(all, Refusal.BOUNDS, at);
        for (long at : new long[] {1, 4, 7, bytes - 4}) words(all, Refusal.ALIGNMENT, at);
        for (long at : outside) ranges(all, Refusal.BOUNDS, at, 64);
        ranges(all, Refusal.BOUNDS, bytes - 8, 16);
        ranges(all, Refusal.BOUNDS, bytes - 504, 512);
        ranges(all, Refusal.BOUNDS, -8, 16);
        ranges(all, Refusal.BOUNDS, 64, 0);
        ranges(all, Refusal.BOUNDS, 64, -8);
        ranges(all, Refusal.BOUNDS, 64, Long.MIN_VALUE);
        ranges(all, Refusal.ALIGNMENT, 4, 64);
        ranges(all, Refusal.ALIGNMENT, 1, 512);
        ranges(all, Refusal.ALIGNMENT, 64, 12);
        ranges(all, Refusal.ALIGNMENT, 64, 1);
        ranges(all, Refusal.ALIGNMENT, 64, 511);
        return all;
    }

    /** Adds all verbs that touch one word, and a CHAIN whose descriptor would lie there. */
    private static void words(List<Bad> all, Refusal refusal, long at) {
        String where = " at " + at;
        all.add(new Bad("WRITE of a word" + where, refusal, (c, r) -> r.write(c.region(), at, 66)));
        all.add(new Bad("CAS" + where, refusal, (c, r) -> r.compareAndSwap(c.region(), at, 0, 66, c.here, 0)));
        all.add(new Bad("FAA" + where, refusal, (c, r) -> r.fetchAndAdd(c.region(), at, 66, c.here, 0)));
        all.add(new Bad(
                "masked CAS" + where,
                refusal,
                (c, r) -> r.maskedCompareAndSwap(c.region(), at, 0, 0, 66, -1, c.here, 0)));
        all.add(new Bad(
                "masked FAA" + where, refusal, (c, r) -> r.maskedFetchAndAdd(c.region(), at, 66, 128, c.here, 0)));
        all.add(new Bad("CHAIN" + where, refusal, (c, r) -> r.chain(c.region(), at)));
    }

    private static void ranges(List<Bad> all, Refusal refusal, long at, long length) {
        String where = " of " + length + " at " + at;
        all.add(new Bad("READ" + where, refusal, (c, r) -> r.read(c.region(), at, length, c.here, 0)));
        all.add(new Bad("WRITE" + where, refusal, (c, r) -> r.write(c.region(), at, length, c.here, 0)));
    }

    /** Returns descriptors that ask for what the connection may not do, or that are no descriptors. */
    static List<Bad> badChains(long bytes) {
        List<Bad> all = new ArrayList<>();
        chain(all, "set outside", (c, b) -> b.set(c.region().number(), bytes, 1));
        chain(all, "set off the grid", (c, b) -> b.set(c.region().number(), 4, 1));
        chain(all, "set in a region that nobody opened", (c, b) -> b.set(200, 64, 1));
        chain(all, "add below zero", (c, b) -> b.add(c.region().number(), -8, 1));
        chain(all, "swap outside", (c, b) -> b.swap(c.region().number(), Long.MAX_VALUE - 7, 0, 1));
        chain(all, "guard outside", (c, b) -> b.guard(c.region().number(), bytes + 64, 0));
        chain(
                all,
                "copy from outside",
                (c, b) -> b.copy(c.region().number(), bytes - 8, c.region().number(), 64, 16));
        chain(
                all,
                "copy to outside",
                (c, b) -> b.copy(c.region().number(), 64, c.region().number(), bytes - 8, 16));
        chain(
                all,
                "copy to a region that nobody opened",
                (c, b) -> b.copy(c.region().number(), 64, 200, 64, 16));
        chain(
                all,
                "copy of nothing",
                (c, b) -> b.copy(c.region().number(), 64, c.region().number(), 128, 0));
        chain(all, "good step, then a bad one", (c, b) -> b.set(c.region().number(), 64, 1)
                .set(c.region().number(), bytes, 1));
        for (long header : new long[] {0, -1, ChainedWorkLayout.MAGIC << 32, ChainedWorkLayout.MAGIC << 32 | 65, 1})
            all.add(new Bad("CHAIN with the header " + Long.toHexString(header), Refusal.DESCRIPTOR, (c, r) -> {
                c.fill(0, 16, 0);
                Words.plain(c.here, 0, header);
                r.write(c.region(), 8192, 128, c.here, 0).chain(c.region(), 8192);
            }));
        all.add(new Bad("CHAIN that has run", Refusal.DESCRIPTOR, (c, r) -> {
            long length = new ChainedWorkBuilder()
                    .into(c.here, 0)
                    .set(c.region().number(), 64, 1)
                    .end();
            Words.plain(c.here, ChainedWorkLayout.STATUS, ChainedWorkLayout.STATUS_DONE);
            r.write(c.region(), 8192, length, c.here, 0).chain(c.region(), 8192);
        }));
        return all;
    }

    /** Adds steps to a descriptor. */
    interface Steps {
        ChainedWorkBuilder add(ContractClient c, ChainedWorkBuilder builder);
    }

    private static void chain(List<Bad> all, String what, Steps steps) {
        all.add(new Bad("CHAIN: " + what, Refusal.DESCRIPTOR, (c, r) -> {
            long length = steps.add(c, new ChainedWorkBuilder().into(c.here, 0)).end();
            r.write(c.region(), 8192, length, c.here, 0).chain(c.region(), 8192);
        }));
    }

    /** A bad place is refused with its reason and not one byte of the region changes. */
    @Test
    default void refusedVerbChangesNothing() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                pool.paint();
                long before = pool.fingerprint(0);
                long elsewhere = pool.fingerprint(1) ^ pool.fingerprint(2);
                for (Bad bad : badPlaces(ContractPool.BYTES)) {
                    try (ContractClient c = pool.client()) {
                        bad.offence().commit(c, c.round);
                        FabricException thrown = refused(bad, c);

                        assertSame(Effect.NOT_DONE, thrown.effect(), bad.what());
                        assertSame(Effect.NOT_DONE, c.round.verb(0).effect(), bad.what());
                        assertSame(bad.refusal(), c.round.verb(0).refusal(), bad.what());
                        assertTrue(c.link().isBroken(), bad.what());
                        assertEquals(before, pool.fingerprint(0), bad.what());
                    }
                }
                assertEquals(elsewhere, pool.fingerprint(1) ^ pool.fingerprint(2), "nor anything on other nodes");
            });
        }
    }

    /**
     * A fabric may carry a long verb in pieces. If its end is out of bounds, or off the grid, no piece lands. A caller
     * that is told "not done" relies on it.
     */
    @Test
    default void refusedLongVerbChangesNothing() {
        long bytes = 5 << 20;
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                Id128 capability = pool.fabric.control(0).createRegion(bytes);
                long[][] places = {
                    {8, bytes, 0},
                    {bytes - 8, bytes, 0},
                    {0, bytes + 8, 0},
                    {-8, bytes, 0},
                    {bytes, bytes, 0},
                    {0, bytes - 4, 1},
                    {4, bytes - 8, 1},
                    {-8, bytes - 4, 1},
                    {Long.MAX_VALUE - 7, bytes, 0},
                };
                for (long[] place : places) {
                    String where = place[1] + " bytes at " + place[0];
                    Refusal expected = place[2] == 0 ? Refusal.BOUNDS : Refusal.ALIGNMENT;
                    try (ContractClient c = pool.client()) {
                        Region region = c.link().open(capability);
                        MemorySegment all = c.lane.landing(bytes + 8);
                        all.fill((byte) 0x66);
                        RefusalAssertions.by(expected, () -> c.round
                                .write(region, place[0], place[1], all, 0)
                                .post()
                                .await());

                        assertSame(Effect.NOT_DONE, c.round.verb(0).effect(), where);
                        assertSame(expected, c.round.verb(0).refusal(), where);
                        assertTrue(c.link().isBroken(), where);
                    }
                    try (ContractClient c = pool.client()) {
                        MemorySegment all = c.lane.landing(bytes);
                        c.round
                                .read(c.link().open(capability), 0, bytes, all, 0)
                                .post()
                                .await();
                        for (long at = 0; at < bytes; at += Words.BYTES)
                            assertEquals(0, Words.plain(all, at), where + ", seen at " + at);
                    }
                }
            });
        }
    }

    /** A refused READ returns nothing; the content of its landing buffer is undefined afterwards. */
    @Test
    default void refusedReadBringsNothing() {
        story(c -> {
            long secret = 0x5EC7E7_5EC7E7L;
            c.put(ContractPool.BYTES - 8, secret);
            c.put(0, secret);
            RefusalAssertions.by(Refusal.BOUNDS, () -> c.round
                    .read(c.region(), ContractPool.BYTES - 8, 16, c.here, 0)
                    .read(c.region(), 0, 8, c.here, 16)
                    .post()
                    .await());

            for (int i = 0; i < 3; i++) assertTrue(c.landed(i * 8L) != secret);
        });
    }

    /** A bad descriptor is refused before its first step. */
    @Test
    default void refusedChainRunsNoStep() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                pool.paint();
                long sixtyFour = word(pool, 64);
                for (Bad bad : badChains(ContractPool.BYTES)) {
                    try (ContractClient c = pool.client()) {
                        bad.offence().commit(c, c.round);
                        refused(bad, c);

                        assertSame(Effect.DONE, c.round.verb(0).effect(), bad.what());
                        assertSame(Effect.NOT_DONE, c.round.verb(1).effect(), bad.what());
                        assertEquals(sixtyFour, word(pool, 64), bad.what());
                    }
                }
            });
        }
    }

    /**
     * Verbs around a refused one: done before it, not done after it where a fence keeps the order, done on other links.
     */
    @Test
    default void refusalStopsItsLinkAndNoOther() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                for (Bad bad : badPlaces(ContractPool.BYTES)) {
                    pool.paint();
                    try (ContractClient c = pool.client();
                            ContractClient watcher = pool.client()) {
                        long original = watcher.word(136);
                        c.round.write(c.region(), 128, 1).write(c.regions[1], 128, 2);
                        bad.offence().commit(c, c.round);
                        c.round
                                .fence(c.link())
                                .write(c.region(), 136, 3)
                                .fence(c.link())
                                .fetchAndAdd(c.region(), 136, 4, c.here, 1024)
                                .fence(c.link())
                                .read(c.region(), 128, 8, c.here, 1032)
                                .write(c.regions[2], 128, 5)
                                .write(c.regions[1], 136, 6);
                        FabricException thrown = refused(bad, c);

                        assertSame(Effect.UNKNOWN, thrown.effect(), "mixed, so each verb has to be asked");
                        Effect[] expected = {
                            Effect.DONE,
                            Effect.DONE,
                            Effect.NOT_DONE,
                            Effect.NOT_DONE,
                            Effect.NOT_DONE,
                            Effect.NOT_DONE,
                            Effect.DONE,
                            Effect.DONE
                        };
                        for (int i = 0; i < expected.length; i++) {
                            assertSame(expected[i], c.round.verb(i).effect(), bad.what() + ", verb " + i);
                            if (i == 2)
                                assertSame(bad.refusal(), c.round.verb(i).refusal());
                            else assertNull(c.round.verb(i).refusal());
                        }
                        assertEquals(1, watcher.word(128));
                        assertEquals(original, watcher.word(136), bad.what());
                        assertEquals(2, watcher.word(1, 128));
                        assertEquals(6, watcher.word(1, 136));
                        assertEquals(5, watcher.word(2, 128));
                        assertFalse(c.links[1].isBroken());
                        assertFalse(c.links[2].isBroken());
                    }
                }
            });
        }
    }

    /** Without a fence a verb may overtake one that is refused later. Then it is done, and reported done. */
    @Test
    default void verbThatPassedARefusedOneSaysSo() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                for (Bad bad : badPlaces(ContractPool.BYTES)) {
                    try (ContractClient c = pool.client();
                            ContractClient watcher = pool.client()) {
                        watcher.put(136, 1);
                        bad.offence().commit(c, c.round);
                        c.round.write(c.region(), 136, 2);
                        refused(bad, c);

                        assertSame(Effect.NOT_DONE, c.round.verb(0).effect(), bad.what());
                        Effect said = c.round.verb(1).effect();
                        assertSame(watcher.word(136) == 2 ? Effect.DONE : Effect.NOT_DONE, said, bad.what());
                        boolean kept =
                                pool.fabric.orders().keeps(c.round.verb(0).kind(), VerbKind.WRITE);
                        if (kept) assertSame(Effect.NOT_DONE, said, bad.what());
                    }
                }
            });
        }
    }

    /** A broken link carries nothing until it is connected again, and then its regions have to be opened again. */
    @Test
    default void brokenLinkCarriesNothingUntilReconnected() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                RefusalAssertions.by(Refusal.BOUNDS, () -> c.round
                        .write(c.region(), ContractPool.BYTES, 1)
                        .post()
                        .await());
                FabricException cut = RefusalAssertions.failing(
                        Reason.DISCONNECTED,
                        () -> c.round.write(c.region(), 64, 2).post().await());
                assertSame(Effect.NOT_DONE, cut.effect());
                assertNull(c.round.verb(0).refusal());
                RefusalAssertions.failing(Reason.DISCONNECTED, () -> c.link().open(pool.capabilities[0]));

                c.link().reconnect();
                assertFalse(c.link().isBroken());
                Region again = c.link().open(pool.capabilities[0]);
                c.round
                        .write(again, 72, 3)
                        .read(again, 64, 16, c.here, 0)
                        .post()
                        .await();
                assertEquals(0, c.landed(0), "what was posted on the broken link never arrives");
                assertEquals(3, c.landed(8));
                RefusalAssertions.by(
                        Refusal.KEY,
                        () -> c.round.write(c.region(), 64, 4).post().await());
            });
        }
    }

    /** The second refusal of a round object reports its own verbs, not those of the first. */
    @Test
    default void refusalsOfReusedRoundDoNotMix() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                RefusalAssertions.by(Refusal.BOUNDS, () -> c.round
                        .write(c.region(), ContractPool.BYTES, 1)
                        .post()
                        .await());
                c.link().reconnect();
                Region again = c.link().open(pool.capabilities[0]);
                RefusalAssertions.by(Refusal.ALIGNMENT, () -> c.round
                        .write(again, 0, 1)
                        .write(again, 4, 1)
                        .post()
                        .await());
                assertNull(c.round.verb(0).refusal());
                assertSame(Effect.DONE, c.round.verb(0).effect());
                c.link().reconnect();
                Region third = c.link().open(pool.capabilities[0]);
                c.round.write(third, 0, 2).write(third, 8, 3).post().await();
                assertSame(Effect.DONE, c.round.verb(1).effect());
                assertNull(c.round.verb(1).refusal());
            });
        }
    }

    /** A refusal in the background is reported by settle. */
    @Test
    default void refusalInTheBackgroundIsToldBySettle() {
        story(c -> {
            c.round.write(c.region(), ContractPool.BYTES, 1).postInBackground();
            RefusalAssertions.by(Refusal.BOUNDS, c.round::settle);

            assertTrue(c.link().isBroken());
            assertEquals(1, c.lane.traffic().failedRounds());
        });
    }

    /** Handles are short, so they can be guessed; a guess opens nothing. */
    @Test
    default void guessedHandlesOpenNothing() {
        try (ContractPool pool = pool()) {
            pool.run(() -> {
                pool.paint();
                long before = pool.fingerprint(0);
                int[] guesses = {-1, 1, 2, 3, 7, 63, 64, 255, 256, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE};
                for (int guess : guesses) {
                    try (ContractClient c = pool.client()) {
                        if (guess == c.region().handle()) continue;
                        Region guessed = c.link().byHandle(guess);
                        assertNotNull(guessed);
                        RefusalAssertions.by(
                                Refusal.KEY,
                                () -> c.round.write(guessed, 0, 1).post().await());
                        assertTrue(c.link().isBroken());
                    }
                    try (ContractClient c = pool.client()) {
                        if (guess == c.region().handle()) continue;
                        Region guessed = c.link().byHandle(guess);
                        MemorySegment nothing = c.lane.landing(8);
                        RefusalAssertions.by(Refusal.KEY, () -> c.round
                                .read(guessed, 0, 8, nothing, 0)
                                .post()
                                .await());
                        assertTrue(Words.plain(nothing, 0) != ContractPool.painted(0), "a guess learns nothing");
                    }
                }
                assertEquals(before, pool.fingerprint(0));
            });
        }
    }

    /** A handle is bound to its connection: a region opened on one link is not open on another. */
    @Test
    default void handleOfAnotherLinkOpensNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Region more = c.link().open(pool.fabric.control(0).createRegion(4096));
                assertEquals(more.number(), c.link().byHandle(more.handle()).number());
                c.round.write(c.link().byHandle(more.handle()), 0, 5).post().await();

                ContractClient other = pool.client();
                Region stolen = other.link().byHandle(more.handle());
                RefusalAssertions.by(
                        Refusal.KEY,
                        () -> other.round.write(stolen, 0, 6).post().await());
                c.round.read(more, 0, 8, c.here, 0).post().await();
                assertEquals(5, c.landed(0));
            });
        }
    }

    /** A capability has 128 bits; one wrong bit, or the right one at the wrong node, opens nothing. */
    @Test
    default void wrongCapabilityOpensNothing() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Id128 good = pool.capabilities[0];
                Id128[] bad = {
                    new Id128(good.high() ^ 1, good.low()),
                    new Id128(good.high(), good.low() ^ Long.MIN_VALUE),
                    new Id128(good.low(), good.high()),
                    new Id128(0, 0),
                    pool.capabilities[1]
                };
                for (Id128 wrong : bad)
                    RefusalAssertions.by(Refusal.KEY, () -> c.link().open(wrong));

                assertFalse(c.link().isBroken(), "nothing was sent, so nothing broke");
                c.put(0, 1);
                assertEquals(1, c.word(0));
            });
        }
    }

    /** A freed region refuses verbs of sessions that still have it open, and cannot be opened again. */
    @Test
    default void freedRegionIsRefused() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                Id128 capability = pool.fabric.control(0).createRegion(4096);
                Region region = c.link().open(capability);
                c.round.write(region, 0, 1).post().await();
                pool.fabric.control(0).freeRegion(capability);

                RefusalAssertions.by(
                        Refusal.KEY, () -> c.round.write(region, 0, 2).post().await());
                c.link().reconnect();
                RefusalAssertions.by(Refusal.KEY, () -> c.link().open(capability));
                RefusalAssertions.by(Refusal.KEY, () -> pool.fabric.control(0).freeRegion(capability));
                RefusalAssertions.by(Refusal.KEY, () -> pool.fabric.control(0).allocate(capability, 8, 1));
                Region other = c.link().open(pool.capabilities[0]);
                c.round.write(other, 0, 3).post().await();
            });
        }
    }

    /** CALL to a handler that does not exist is refused. */
    @Test
    default void unknownHandlerIsRefused() {
        for (int number : new int[] {-1, 255, 256, 70_000, Integer.MAX_VALUE})
            story(c -> {
                RefusalAssertions.by(Refusal.HANDLER, () -> c.round
                        .call(c.link(), number, c.here, 0, 8, c.here, 512, 8)
                        .post()
                        .await());

                assertTrue(c.link().isBroken());
            });
    }

    private static FabricException refused(Bad bad, ContractClient c) {
        try {
            return RefusalAssertions.by(bad.refusal(), () -> c.round.post().await());
        } catch (AssertionError e) {
            throw new AssertionError(bad.what() + ": " + e.getMessage(), e);
        }
    }

    private static long word(ContractPool pool, long offset) {
        try (ContractClient fresh = pool.client()) {
            return fresh.word(offset);
        }
    }
}
