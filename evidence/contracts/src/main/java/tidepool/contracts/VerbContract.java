package tidepool.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.fabric.Round;
import tidepool.memory.ChainedWorkBuilder;
import tidepool.memory.ChainedWorkLayout;
import tidepool.memory.Handlers;

/** Contract tests of the effect of each verb, alone and in rounds, without faults. */
interface VerbContract extends ContractBase {

    /** A structure may rely on memory that was never written being zero: 0 means free, absent, no owner. */
    @Test
    default void newRegionIsZero() {
        story(c -> {
            MemorySegment all = c.lane.landing(ContractPool.BYTES);
            all.fill((byte) -1);
            c.lane.round(1)
                    .read(c.region(), 0, ContractPool.BYTES, all, 0)
                    .post()
                    .await();

            for (long at = 0; at < ContractPool.BYTES; at += Words.BYTES) assertEquals(0, Words.plain(all, at));
        });
    }

    /** A WRITE lands at its offset and nowhere else. */
    @Test
    default void writtenBytesAreReadAgain() {
        story(c -> {
            for (int i = 0; i < 8; i++) Words.plain(c.here, i * 8L, 100 + i);
            c.fill(1024, 16, -1);
            c.round.write(c.region(), 4096, 64, c.here, 0).post().await();
            c.round.read(c.region(), 4096, 64, c.here, 1024 + 32).post().await();

            for (int i = 0; i < 16; i++)
                assertEquals(i >= 4 && i < 12 ? 96 + i : -1, c.landed(1024 + i * 8L), "word " + i);
            assertEquals(0, c.word(4096 - 8));
            assertEquals(0, c.word(4096 + 64));
        });
    }

    /** Every length in words up to some cache lines, because copies change their method at some length. */
    @Test
    default void everyLengthArrives() {
        story(c -> {
            for (int words = 1; words <= 40; words++) {
                for (int i = 0; i < words; i++) Words.plain(c.here, i * 8L, words * 1000L + i);
                c.fill(1024, words + 1, -1);
                c.round.write(c.region(), 8, words * 8L, c.here, 0).post().await();
                c.round.read(c.region(), 8, words * 8L, c.here, 1024).post().await();

                for (int i = 0; i < words; i++) assertEquals(words * 1000L + i, c.landed(1024 + i * 8L));
                assertEquals(-1, c.landed(1024 + words * 8L));
            }
        });
    }

    /**
     * A lock is released by a word that travels in the verb; the caller does not have to keep a source buffer for it.
     */
    @Test
    default void oneWordWriteTravelsInTheVerb() {
        story(c -> {
            c.round.write(c.region(), 16, 0x1122334455667788L).post().await();

            assertEquals(0x1122334455667788L, c.word(16));
            assertEquals(0, c.word(8));
            assertEquals(0, c.word(24));
        });
    }

    /** The first and last word of a region behave as any other. */
    @Test
    default void bothEndsOfRegionCanBeReached() {
        story(c -> {
            long last = c.region().bytes() - 8;
            c.round
                    .write(c.region(), 0, 1)
                    .write(c.region(), last, 2)
                    .fetchAndAdd(c.region(), 0, 10, c.here, 0)
                    .compareAndSwap(c.region(), last, 2, 20, c.here, 8)
                    .post()
                    .await();

            assertEquals(11, c.word(0));
            assertEquals(20, c.word(last));
        });
    }

    /** The word found tells a client that its CAS succeeded. */
    @Test
    default void compareAndSwapPutsTheWordWhereTheExpectedStands() {
        story(c -> {
            c.put(64, 5);
            c.round.compareAndSwap(c.region(), 64, 5, 6, c.here, 0).post().await();

            assertEquals(5, c.landed(0));
            assertEquals(6, c.word(64));
        });
    }

    /** The word found tells a client that its CAS failed, and which value is there instead. */
    @Test
    default void compareAndSwapThatMissesChangesNothing() {
        story(c -> {
            c.put(64, 5);
            c.round.compareAndSwap(c.region(), 64, 4, 6, c.here, 0).post().await();

            assertEquals(5, c.landed(0));
            assertEquals(5, c.word(64));
        });
    }

    /** An addition wraps around: a word is 64 bits without a sign. */
    @Test
    default void fetchAndAddReturnsTheWordBefore() {
        story(c -> {
            c.put(64, Long.MAX_VALUE);
            c.round
                    .fetchAndAdd(c.region(), 64, 1, c.here, 0)
                    .fence(c.link())
                    .fetchAndAdd(c.region(), 64, -3, c.here, 8)
                    .post()
                    .await();

            assertEquals(Long.MAX_VALUE, c.landed(0));
            assertEquals(Long.MIN_VALUE, c.landed(8));
            assertEquals(Long.MAX_VALUE - 2, c.word(64));
        });
    }

    /** Counters whose old value is not needed need no landing buffer. */
    @Test
    default void atomicsWithoutALandingPlaceTakeEffect() {
        story(c -> {
            c.round
                    .fetchAndAdd(c.region(), 0, 7, null, 0)
                    .compareAndSwap(c.region(), 8, 0, 8, null, 0)
                    .maskedCompareAndSwap(c.region(), 16, 0, -1, 9, -1, null, 0)
                    .maskedFetchAndAdd(c.region(), 24, 10, 0, null, 0)
                    .post()
                    .await();

            for (int i = 0; i < 4; i++) assertEquals(7 + i, c.word(i * 8L));
        });
    }

    /** The compared and the swapped bits may differ; bits outside the masks neither matter nor change. */
    @Test
    default void maskedCompareAndSwapHeedsItsMasks() {
        story(c -> {
            c.put(64, 0xAAAA_BBBB_CCCC_DDDDL);
            c.round
                    .maskedCompareAndSwap(
                            c.region(),
                            64,
                            0x0000_0000_CCCC_9999L,
                            0xFFFF_0000L,
                            0x1111_2222_3333_4444L,
                            0xFFFF_0000_0000_FFFFL,
                            c.here,
                            0)
                    .post()
                    .await();

            assertEquals(0xAAAA_BBBB_CCCC_DDDDL, c.landed(0));
            assertEquals(0x1111_BBBB_CCCC_4444L, c.word(64));

            c.round
                    .maskedCompareAndSwap(c.region(), 64, 0x0000_0000_CCCD_0000L, 0xFFFF_0000L, -1, -1, c.here, 0)
                    .post()
                    .await();

            assertEquals(0x1111_BBBB_CCCC_4444L, c.landed(0));
            assertEquals(0x1111_BBBB_CCCC_4444L, c.word(64));
        });
    }

    /** Ticket and counter share a word; if one overflows, the other must not change. */
    @Test
    default void maskedFetchAndAddKeepsCarriesInTheirField() {
        story(c -> {
            long tops = 0x8000_8000_8000_8000L;
            c.put(64, 0xFFFF_0001_FFFF_7FFFL);
            c.round
                    .maskedFetchAndAdd(c.region(), 64, 0x0001_0001_0001_0001L, tops, c.here, 0)
                    .post()
                    .await();

            assertEquals(0xFFFF_0001_FFFF_7FFFL, c.landed(0));
            assertEquals(0x0000_0002_0000_8000L, c.word(64));

            c.put(64, 0x0000_0000_FFFF_FFFFL);
            c.round
                    .maskedFetchAndAdd(c.region(), 64, 1, 1L << 31, c.here, 0)
                    .post()
                    .await();

            assertEquals(0, c.word(64), "the lower half wraps, the upper half stays");
        });
    }

    /** Without field tops the word is one field of 64 bits. */
    @Test
    default void maskedFetchAndAddWithoutTopsIsPlain() {
        story(c -> {
            c.put(64, 0xFFFF_FFFFL);
            c.round.maskedFetchAndAdd(c.region(), 64, 1, 0, c.here, 0).post().await();

            assertEquals(0xFFFF_FFFFL, c.landed(0));
            assertEquals(0x1_0000_0000L, c.word(64));
        });
    }

    /** FLUSH is answered, whatever its cost on this fabric; its promise is visible only after a power failure. */
    @Test
    default void flushAnswers() {
        story(c -> {
            c.round
                    .write(c.region(), 0, 1)
                    .flush(c.link())
                    .flush(c.links[1])
                    .post()
                    .await();

            assertSame(Effect.DONE, c.round.verb(1).effect());
            assertSame(Effect.DONE, c.round.verb(2).effect());
        });
    }

    /** The two-sided verb reaches a handler, and its answer lands. */
    @Test
    default void callIsAnswered() {
        story(c -> {
            c.fill(0, 4, 77);
            c.fill(256, 6, -1);
            c.round
                    .call(c.links[2], Handlers.ECHO, c.here, 0, 32, c.here, 264, 32)
                    .post()
                    .await();

            for (int i = 0; i < 6; i++) assertEquals(i == 0 || i == 5 ? -1 : 77, c.landed(256 + i * 8L));
        });
    }

    /** An answer that is too long is cut: it must not overwrite the bytes after its landing buffer. */
    @Test
    default void answerThatDoesNotFitIsCut() {
        story(c -> {
            c.fill(0, 4, 77);
            c.fill(256, 4, -1);
            c.round
                    .call(c.link(), Handlers.ECHO, c.here, 0, 32, c.here, 256, 16)
                    .post()
                    .await();

            for (int i = 0; i < 4; i++) assertEquals(i < 2 ? 77 : -1, c.landed(256 + i * 8L));
        });
    }

    /** A memory node without a free CPU refuses CALL; all one-sided verbs work. */
    @Test
    default void handlersOffLeavesOneSidedVerbsWhole() {
        try (ContractPool pool = new ContractPool(open(1, false))) {
            pool.alone(c -> {
                RefusalAssertions.by(Refusal.HANDLER, () -> c.round
                        .call(c.link(), Handlers.ECHO, c.here, 0, 8, c.here, 8, 8)
                        .post()
                        .await());

                ContractClient d = pool.client();
                ChainedWorkBuilder chain =
                        new ChainedWorkBuilder().into(d.here, 0).set(d.region().number(), 512, 5);
                d.round
                        .write(d.region(), 0, chain.end(), d.here, 0)
                        .chain(d.region(), 0)
                        .fence(d.link())
                        .fetchAndAdd(d.region(), 512, 1, d.here, 1024)
                        .flush(d.link())
                        .post()
                        .await();
                assertEquals(5, d.landed(1024));
                assertEquals(6, d.word(512));
            });
        }
    }

    /**
     * HDTX: the memory side copies log to data, increments and unlocks by itself, from a descriptor of the same round.
     */
    @Test
    default void chainCarriesOutWhatItsDescriptorSays() {
        story(c -> {
            int r = c.region().number();
            c.fill(0, 8, 42);
            c.round
                    .write(c.region(), 8192, 64, c.here, 0)
                    .write(c.region(), 128, 99)
                    .post()
                    .await();
            long length = new ChainedWorkBuilder()
                    .into(c.here, 0)
                    .guard(r, 128, 99)
                    .copy(r, 8192, r, 256, 64)
                    .add(r, 136, 3)
                    .swap(r, 144, 0, 4)
                    .swap(r, 152, 1, 5)
                    .set(r, 128, 0)
                    .end();
            c.round
                    .write(c.region(), 16384, length, c.here, 0)
                    .chain(c.region(), 16384)
                    .fence(c.link())
                    .read(c.region(), 128, 32, c.here, 1024)
                    .read(c.region(), 256, 64, c.here, 2048)
                    .read(c.region(), 16384 + ChainedWorkLayout.STATUS, 8, c.here, 512)
                    .post()
                    .await();

            assertEquals(0, c.landed(1024), "unlocked");
            assertEquals(3, c.landed(1032), "bumped");
            assertEquals(4, c.landed(1040), "swapped");
            assertEquals(0, c.landed(1048), "a swap that misses leaves the word");
            for (int i = 0; i < 8; i++) assertEquals(42, c.landed(2048 + i * 8L), "copied");
            assertEquals(ChainedWorkLayout.STATUS_DONE, c.landed(512));
        });
    }

    /** The guard protects a record that another client locked in the meantime. */
    @Test
    default void chainStopsAtItsGuard() {
        story(c -> {
            int r = c.region().number();
            c.put(128, 98);
            long length = new ChainedWorkBuilder()
                    .into(c.here, 0)
                    .set(r, 256, 1)
                    .guard(r, 128, 99)
                    .set(r, 264, 1)
                    .end();
            c.round
                    .write(c.region(), 16384, length, c.here, 0)
                    .chain(c.region(), 16384)
                    .post()
                    .await();

            assertSame(Effect.DONE, c.round.verb(1).effect());
            assertEquals(1, c.word(256));
            assertEquals(0, c.word(264));
            assertEquals(ChainedWorkLayout.STATUS_STOPPED, c.word(16384 + ChainedWorkLayout.STATUS));
        });
    }

    /** Locking and reading share a trip: the READ sees what the CAS of the same round left. */
    @Test
    default void readAfterCompareAndSwapSeesItsEffect() {
        story(c -> {
            c.round
                    .compareAndSwap(c.region(), 64, 0, 42, c.here, 0)
                    .read(c.region(), 64, 8, c.here, 8)
                    .post()
                    .await();

            assertEquals(0, c.landed(0));
            assertEquals(42, c.landed(8));
        });
    }

    /** All replicas are written in one trip. */
    @Test
    default void roundReachesSeveralNodes() {
        story(c -> {
            for (int node = 0; node < 3; node++) c.round.write(c.regions[node], 8, 10 + node);
            for (int node = 0; node < 3; node++) c.round.read(c.regions[node], 8, 8, c.here, node * 8L);
            c.round.post().await();

            for (int node = 0; node < 3; node++) {
                assertEquals(10 + node, c.landed(node * 8L));
                assertEquals(10 + node, c.word(node, 8));
            }
        });
    }

    /** Answers of rounds that are under way at the same time are not mixed up, in whatever order they are awaited. */
    @Test
    default void roundsThatOverlapEachBringTheirAnswer() {
        story(c -> {
            Round[] rounds = new Round[5];
            for (int i = 0; i < rounds.length; i++) {
                rounds[i] = c.lane.round(2);
                rounds[i].write(c.regions[i % 3], 8L * i, 50 + i).read(c.regions[i % 3], 8L * i, 8, c.here, 8L * i);
            }
            for (Round round : rounds) round.post();
            for (int i = rounds.length - 1; i >= 0; i--) rounds[i].await();

            for (int i = 0; i < rounds.length; i++) assertEquals(50 + i, c.landed(8L * i));
        });
    }

    /** Release runs in the background; after settle it has happened. */
    @Test
    default void backgroundRoundHasTakenEffectOnceSettled() {
        story(c -> {
            Round release = c.lane.round(2);
            release.write(c.region(), 0, 1).write(c.regions[1], 0, 2).postInBackground();
            c.put(8, 3);
            release.settle();
            assertTrue(release.isComplete());
            release.settle();

            assertEquals(1, c.word(0));
            assertEquals(2, c.word(1, 0));
            release.write(c.region(), 0, 4).postInBackground().settle();
            assertEquals(4, c.word(0));
        });
    }

    /** If {@code isComplete} returns true, await returns with the answer; it becomes true by waiting alone. */
    @Test
    default void completeRoundsSaySo() {
        story(c -> {
            c.put(0, 9);
            c.round.read(c.region(), 0, 8, c.here, 0);
            assertTrue(!c.round.isComplete(), "not even posted");
            c.round.post();
            for (int i = 0; !c.round.isComplete(); i++) {
                assertTrue(i < 20_000, "never becomes complete");
                tidepool.base.Waiting.pause(200_000);
            }
            c.round.await();

            assertEquals(9, c.landed(0));
            assertTrue(c.round.isComplete());
        });
    }

    /** Rounds are made once and used for ever; nothing of one use may show in the next. */
    @Test
    default void roundIsUsedAgainAndAgain() {
        story(c -> {
            for (int i = 1; i <= 500; i++) {
                c.round.write(c.region(), 0, i);
                if (i % 2 == 0) c.round.fence(c.link()).write(c.region(), 8, i);
                if (i % 3 == 0) c.round.compareAndSwap(c.region(), 16, i - 3, i, c.here, 8);
                c.round.read(c.region(), 0, 8, c.here, 0);
                if (i % 5 == 0) c.round.flush(c.link());
                c.round.post().await();
                assertEquals(i, c.landed(0));
            }

            assertEquals(500, c.word(8));
            assertEquals(498, c.word(16));
        });
    }

    /** A new replica is filled by large transfers. */
    @Test
    default void largeTransfersArriveWhole() {
        try (ContractPool pool = pool()) {
            pool.alone(c -> {
                long bytes = 8L << 20;
                Region large = c.links[1].open(pool.fabric.control(1).createRegion(bytes + 64));
                MemorySegment source = c.lane.landing(bytes);
                MemorySegment landing = c.lane.landing(bytes);
                for (long at = 0; at < bytes; at += 8) Words.plain(source, at, at ^ 0x5eed);
                c.round
                        .deadline(1_000_000_000)
                        .write(large, 64, bytes, source, 0)
                        .read(large, 64, bytes, landing, 0)
                        .post()
                        .await();

                assertEquals(-1, source.mismatch(landing));
            });
        }
    }
}
