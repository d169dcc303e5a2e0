package tidepool.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tidepool.base.Id128;
import tidepool.base.InvariantException;
import tidepool.base.Words;

/**
 * Tests on a node with three regions of 4 KiB: 0 and 1 are open to the connection, 2 is not. Descriptors lie in region
 * 0.
 */
class ChainedWorkExecutorTest {
    private static final long BYTES = 4096;

    /** The offset of descriptors; data lies below it. */
    private static final long AT = 1024;

    private final MemoryNode node = Nodes.node();
    private final List<Id128> capabilities = new ArrayList<>();
    private final OpenRegions open = number -> number < 2 ? node.region(number) : null;
    private final MemorySegment local = Arena.ofAuto().allocate(4096, 8);
    private final ChainedWorkBuilder builder = new ChainedWorkBuilder();
    private final ChainedWorkExecutor work = new ChainedWorkExecutor();

    @BeforeEach
    void threeRegions() {
        for (int i = 0; i < 3; i++) capabilities.add(node.createRegion(BYTES));
        Random random = new Random(1);
        for (int i = 0; i < 3; i++) for (long at = 0; at < AT; at += 8) word(i, at, random.nextLong());
    }

    private long word(int region, long at) {
        return Words.acquire(node.region(region).data(), at);
    }

    private void word(int region, long at, long value) {
        Words.release(node.region(region).data(), at, value);
    }

    private void post(long length) {
        MemorySegment.copy(local, 0, node.region(0).data(), AT, length);
    }

    private int begin() {
        return work.begin(node, open, node.region(0), AT);
    }

    private long status() {
        return word(0, AT + ChainedWorkLayout.STATUS);
    }

    /** Posts the built descriptor and executes all of it. */
    private long run(ChainedWorkBuilder built) {
        post(built.end());
        assertEquals(AccessCode.GRANTED, begin());
        while (work.step()) {}
        long status = work.finish();
        assertEquals(status, status());
        return status;
    }

    private ChainedWorkBuilder build() {
        return builder.into(local, 0);
    }

    private long[] everything() {
        long[] words = new long[(int) (3 * BYTES / 8)];
        for (int i = 0; i < words.length; i++) words[i] = word((int) (i / (BYTES / 8)), i % (BYTES / 8) * 8);
        return words;
    }

    // ---- every kind of step

    @Test
    void setWritesOneWord() {
        long[] expected = everything();

        assertEquals(ChainedWorkLayout.STATUS_DONE, run(build().set(1, 64, 42)));

        assertEquals(42, word(1, 64));
        assertEquals(expected[(int) (BYTES + 56) / 8], word(1, 56));
        assertEquals(expected[(int) (BYTES + 72) / 8], word(1, 72));
    }

    @Test
    void addAddsAndWraps() {
        word(1, 0, -1);
        run(build().add(1, 0, 3).add(1, 0, Long.MAX_VALUE).add(1, 0, Long.MIN_VALUE));

        assertEquals(1, word(1, 0));
    }

    @Test
    void swapSwapsOnlyWhatItExpectsAndGoesOn() {
        word(1, 0, 5);
        word(1, 8, 5);
        assertEquals(
                ChainedWorkLayout.STATUS_DONE,
                run(build().swap(1, 0, 5, 6).swap(1, 8, 4, 7).set(1, 16, 8)));

        assertEquals(6, word(1, 0));
        assertEquals(5, word(1, 8));
        assertEquals(8, word(1, 16));
    }

    @Test
    void copyCopiesBetweenRegions() {
        long[] before = everything();
        run(build().copy(0, 0, 1, 512, 256).copy(1, 0, 0, 800, 8));

        for (int i = 0; i < 256; i += 8) assertEquals(before[i / 8], word(1, 512 + i));
        assertEquals(before[(int) BYTES / 8], word(0, 800));
        assertEquals(before[(int) (BYTES + 768) / 8], word(1, 768), "nothing behind the range");
    }

    /** Overlapping ranges are copied as if through a buffer, in both directions. */
    @ParameterizedTest
    @ValueSource(longs = {-120, -64, -8, 0, 8, 64, 120})
    void copyMayOverlap(long distance) {
        long[] before = everything();
        run(build().copy(0, 256, 0, 256 + distance, 128));

        for (int i = 0; i < 128; i += 8) assertEquals(before[(256 + i) / 8], word(0, 256 + distance + i), "i=" + i);
        assertEquals(before[(int) (256 + Math.min(distance, 0)) / 8 - 1], word(0, 256 + Math.min(distance, 0) - 8));
    }

    /** The use in HDTX: the guard proves that the lock is still held, then log to data, bump, unlock. */
    @Test
    void logIsCopiedAndTheRecordUnlocked() {
        word(1, 0, 77); // lock
        word(1, 8, 3); // version
        long logged = word(0, 128);

        long status =
                run(build().guard(1, 0, 77).copy(0, 128, 1, 16, 64).add(1, 8, 1).swap(1, 0, 77, 0));

        assertEquals(ChainedWorkLayout.STATUS_DONE, status);
        assertEquals(logged, word(1, 16));
        assertEquals(4, word(1, 8));
        assertEquals(0, word(1, 0));
    }

    @Test
    void guardStopsOnlyTheStepsAfterIt() {
        word(1, 0, 77);
        word(1, 8, 1);
        word(1, 16, 1);

        long status = run(build().set(1, 8, 2).guard(1, 0, 78).set(1, 16, 2).set(1, 0, 0));

        assertEquals(ChainedWorkLayout.STATUS_STOPPED, status);
        assertEquals(2, word(1, 8));
        assertEquals(1, word(1, 16));
        assertEquals(77, word(1, 0));
    }

    /** A step sees the writes of earlier steps. */
    @Test
    void stepsTakeEffectInOrder() {
        word(1, 0, 0);
        long status = run(build().set(1, 0, 5)
                .guard(1, 0, 5)
                .add(1, 0, 1)
                .guard(1, 0, 6)
                .copy(1, 0, 1, 8, 8)
                .guard(1, 8, 6));

        assertEquals(ChainedWorkLayout.STATUS_DONE, status);
    }

    // ---- one step at a time

    @Test
    void oneCallDoesOneStep() {
        for (int i = 0; i < 3; i++) word(1, 8 * i, 0);
        post(build().set(1, 0, 1).set(1, 8, 1).set(1, 16, 1).end());
        assertEquals(AccessCode.GRANTED, begin());

        assertThrows(InvariantException.class, work::finish);
        assertTrue(work.step());
        assertEquals(1, word(1, 0));
        assertEquals(0, word(1, 8));
        assertTrue(work.step());
        assertFalse(work.step());
        assertEquals(1, word(1, 16));
        assertEquals(ChainedWorkLayout.STATUS_NEW, status());
        assertFalse(work.step());
        work.finish();
        assertEquals(ChainedWorkLayout.STATUS_DONE, status());
        assertFalse(work.step());
        assertThrows(InvariantException.class, work::finish);
    }

    /** The session was revoked half-way: the rest is dropped, and the executor serves the next descriptor. */
    @Test
    void droppedWorkIsNeverFinished() {
        word(1, 0, 0);
        word(1, 8, 0);
        post(build().set(1, 0, 1).set(1, 8, 1).end());
        begin();
        work.step();

        post(build().set(1, 16, 9).end());
        begin();
        while (work.step()) {}
        work.finish();

        assertEquals(1, word(1, 0));
        assertEquals(0, word(1, 8));
        assertEquals(9, word(1, 16));
    }

    /** The client may reuse the memory of the descriptor, and the steps themselves may overwrite it. */
    @Test
    void changesOfTheDescriptorDoNotMatterOnceItBegan() {
        word(1, 0, 0);
        word(1, 8, 0);
        post(build().set(0, AT + ChainedWorkLayout.bytes(1) + ChainedWorkLayout.OFFSET, 4000)
                .set(1, 0, 1)
                .set(1, 8, 2)
                .end());
        begin();
        for (long at = AT + 16; at < AT + ChainedWorkLayout.bytes(3); at += 8) word(0, at, -1);
        while (work.step()) {}
        work.finish();

        assertEquals(1, word(1, 0));
        assertEquals(2, word(1, 8));
        assertEquals(ChainedWorkLayout.STATUS_DONE, status());
    }

    @Test
    void regionFreedInBetweenStopsTheWork() {
        NodeRegion target = node.region(1);
        long before = Words.acquire(target.data(), 0);
        post(build().set(0, 0, 1).set(1, 0, before + 1).set(0, 8, 2).end());
        long untouched = word(0, 8);
        begin();
        work.step();
        node.freeRegion(capabilities.get(1));

        assertFalse(work.step());
        assertEquals(ChainedWorkLayout.STATUS_STOPPED, work.finish());
        assertEquals(before, Words.acquire(target.data(), 0));
        assertEquals(untouched, word(0, 8));
    }

    @Test
    void statusOfADescriptorInAFreedRegionIsNotWritten() {
        NodeRegion home = node.region(0);
        post(build().set(1, 0, 1).end());
        begin();
        work.step();
        node.freeRegion(capabilities.get(0));

        assertEquals(ChainedWorkLayout.STATUS_DONE, work.finish());
        assertEquals(ChainedWorkLayout.STATUS_NEW, Words.acquire(home.data(), AT + ChainedWorkLayout.STATUS));
        assertEquals(AccessCode.KEY, work.begin(node, open, home, AT));
    }

    // ---- a refused descriptor changes nothing

    private void assertRefused(String why) {
        long[] before = everything();
        assertEquals(AccessCode.DESCRIPTOR, begin(), why);
        assertFalse(work.step(), why);
        assertTrue(Arrays.equals(before, everything()), why + ": something changed");
    }

    /** A good SET, then a bad step: if checks and execution were mixed, the SET would have happened. */
    private void assertRefusedAfterASet(String why, long what, long offset, long first, long second) {
        post(build().set(1, 0, ~word(1, 0)).set(1, 8, 0).end());
        long step = AT + ChainedWorkLayout.bytes(1);
        word(0, step, what);
        word(0, step + 8, offset);
        word(0, step + 16, first);
        word(0, step + 24, second);
        assertRefused(why);
    }

    private static long what(int kind, int region, int target) {
        return ChainedWorkLayout.kindAndRegions(kind, region, target);
    }

    @Test
    void everyWrongFieldOfAStepIsRefused() {
        for (int kind : new int[] {0, 6, 7, 255, 256, 0xffff})
            assertRefusedAfterASet("kind " + kind, what(kind, 1, 0), 0, 0, 0);
        for (int kind :
                new int[] {ChainedWorkLayout.GUARD, ChainedWorkLayout.SET, ChainedWorkLayout.SWAP, ChainedWorkLayout.ADD
                }) {
            String name = "kind " + kind;
            for (int region : new int[] {2, 3, 255, 256, 0xffff})
                assertRefusedAfterASet(name + " in region " + region, what(kind, region, 0), 0, 0, 0);
            for (long offset : new long[] {BYTES, -8, 1, 4, 4095, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 7})
                assertRefusedAfterASet(name + " at " + offset, what(kind, 1, 0), offset, 0, 0);
            assertRefusedAfterASet(name + " with a target", what(kind, 1, 1), 0, 0, 0);
            assertRefusedAfterASet(name + " with upper bits", what(kind, 1, 0) | 1L << 48, 0, 0, 0);
            assertRefusedAfterASet(name + " with the sign bit", what(kind, 1, 0) | 1L << 63, 0, 0, 0);
            if (kind != ChainedWorkLayout.SWAP)
                assertRefusedAfterASet(name + " with a second operand", what(kind, 1, 0), 0, 0, 1);
        }
    }

    @Test
    void everyWrongFieldOfACopyIsRefused() {
        int copy = ChainedWorkLayout.COPY;
        for (long length : new long[] {0, -8, 4, 7, BYTES + 8, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 7})
            assertRefusedAfterASet("length " + length, what(copy, 0, 1), 0, 0, length);
        for (long bad : new long[] {-8, 1, BYTES - 8, BYTES, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
            assertRefusedAfterASet("from " + bad, what(copy, 0, 1), bad, 0, 16);
            assertRefusedAfterASet("to " + bad, what(copy, 0, 1), 0, bad, 16);
        }
        for (int region : new int[] {2, 3, 256, 0xffff}) {
            assertRefusedAfterASet("from region " + region, what(copy, region, 1), 0, 0, 16);
            assertRefusedAfterASet("to region " + region, what(copy, 1, region), 0, 0, 16);
        }
        assertRefusedAfterASet("upper bits", what(copy, 0, 1) | 1L << 48, 0, 0, 16);
    }

    @Test
    void everyWrongFieldOfTheHeaderIsRefused() {
        post(build().set(1, 0, ~word(1, 0)).end());
        for (int count : new int[] {0, -1, 65, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            word(0, AT, ChainedWorkLayout.MAGIC << 32 | count & 0xffffffffL);
            assertRefused("count " + count);
        }
        for (int bit = 32; bit < 64; bit++) {
            word(0, AT, ChainedWorkLayout.magicAndCount(1) ^ 1L << bit);
            assertRefused("bit " + bit + " of the magic");
        }
        word(0, AT, ChainedWorkLayout.magicAndCount(1));
        for (long status : new long[] {ChainedWorkLayout.STATUS_DONE, ChainedWorkLayout.STATUS_STOPPED, 3, -1}) {
            word(0, AT + ChainedWorkLayout.STATUS, status);
            assertRefused("status " + status);
        }
        word(0, AT + ChainedWorkLayout.STATUS, ChainedWorkLayout.STATUS_NEW);
        assertEquals(AccessCode.GRANTED, begin(), "and so it is accepted");
    }

    /** Shows that the test can fail: the comparison notices the effect of an accepted descriptor. */
    @Test
    void comparisonNoticesAChange() {
        post(build().set(1, 0, ~word(1, 0)).end());
        long[] before = everything();
        begin();
        work.step();

        assertFalse(Arrays.equals(before, everything()));
    }

    @Test
    void descriptorMustLieInTheRegion() {
        NodeRegion region = node.region(0);
        post(build().set(1, 0, 1).end());
        assertEquals(AccessCode.ALIGNMENT, work.begin(node, open, region, AT + 4));
        for (long at : new long[] {-16, BYTES - 8, BYTES, Long.MAX_VALUE - 7, Long.MIN_VALUE})
            assertEquals(AccessCode.BOUNDS, work.begin(node, open, region, at), "at=" + at);
        word(0, BYTES - 16, ChainedWorkLayout.magicAndCount(1));
        assertEquals(AccessCode.DESCRIPTOR, work.begin(node, open, region, BYTES - 16), "its step is outside");
    }

    @Test
    void freedRegionIsNoLongerNamed() {
        post(build().set(1, 0, 1).end());
        NodeRegion freed = node.region(1);
        node.freeRegion(capabilities.get(1));

        assertEquals(AccessCode.DESCRIPTOR, work.begin(node, number -> number == 1 ? freed : null, node.region(0), AT));
    }

    /** A fabric that confuses its nodes is a bug of Tidepool, not of the client. */
    @Test
    void regionOfAnotherNodeIsABug() {
        MemoryNode other = Nodes.node();
        NodeRegion foreign = other.openRegion(other.createRegion(BYTES));

        assertThrows(InvariantException.class, () -> work.begin(node, open, foreign, AT));
    }

    // ---- building

    @Test
    void longestDescriptorRuns() {
        word(1, 0, 0);
        ChainedWorkBuilder built = build();
        for (int i = 0; i < ChainedWorkLayout.MAX_STEPS; i++) built.add(1, 0, 1);
        assertThrows(IllegalArgumentException.class, () -> built.add(1, 0, 1));

        run(built);
        assertEquals(64, word(1, 0));
    }

    @Test
    void builderRefusesWhatNoNodeHas() {
        assertThrows(IllegalArgumentException.class, () -> build().end());
        assertThrows(IllegalArgumentException.class, () -> build().set(-1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> build().set(256, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> build().copy(0, 0, 256, 0, 8));
    }

    @Test
    void builderStartsAnewWhereItIsTold() {
        build().set(1, 0, 1).set(1, 8, 1);
        assertEquals(
                ChainedWorkLayout.bytes(1),
                builder.into(local, 2048).set(1, 16, 5).end());
        assertEquals(ChainedWorkLayout.magicAndCount(1), Words.plain(local, 2048));
        assertEquals(0, Words.plain(local, 0), "the first one was never ended");
    }

    /** Random chains against a model on arrays. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void chainsAgreeWithAModel(long seed) {
        Random random = new Random(seed);
        int stops = 0;
        for (int i = 0; i < 2000; i++) {
            ChainedWorkBuilder built = build();
            ChainModel model = new ChainModel(words(0), words(1));
            int steps = 1 + random.nextInt(12);
            for (int s = 0; s < steps; s++) {
                int region = random.nextInt(2);
                int at = random.nextInt(16);
                long value = random.nextInt(3);
                switch (random.nextInt(5)) {
                    case 0 -> {
                        long expected = random.nextInt(4) == 0 ? value : model.words[region][at];
                        built.guard(region, 8L * at, expected);
                        model.guard(region, at, expected);
                    }
                    case 1 -> {
                        int to = random.nextInt(2);
                        int toAt = random.nextInt(16);
                        int length = 1 + random.nextInt(16 - Math.max(at, toAt));
                        built.copy(region, 8L * at, to, 8L * toAt, 8L * length);
                        model.copy(region, at, to, toAt, length);
                    }
                    case 2 -> {
                        built.set(region, 8L * at, value);
                        model.set(region, at, value);
                    }
                    case 3 -> {
                        built.swap(region, 8L * at, value, value + 1);
                        model.swap(region, at, value, value + 1);
                    }
                    default -> {
                        built.add(region, 8L * at, value);
                        model.add(region, at, value);
                    }
                }
            }
            long status = run(built);

            String when = "seed=" + seed + " chain=" + i;
            assertEquals(
                    model.stopped ? ChainedWorkLayout.STATUS_STOPPED : ChainedWorkLayout.STATUS_DONE, status, when);
            for (int region = 0; region < 2; region++)
                assertTrue(Arrays.equals(model.words[region], words(region)), when + " region=" + region);
            if (model.stopped) stops++;
        }
        assertTrue(stops > 100 && stops < 1900, "the generator is one-sided: stops=" + stops);
    }

    private long[] words(int region) {
        long[] words = new long[16];
        for (int i = 0; i < 16; i++) words[i] = word(region, 8L * i);
        return words;
    }

    /** A model of chained work, on arrays. */
    private static final class ChainModel {
        final long[][] words;
        boolean stopped;

        ChainModel(long[]... words) {
            this.words = words;
        }

        void guard(int region, int at, long expected) {
            if (words[region][at] != expected) stopped = true;
        }

        void copy(int from, int at, int to, int toAt, int length) {
            if (!stopped) System.arraycopy(words[from], at, words[to], toAt, length);
        }

        void set(int region, int at, long value) {
            if (!stopped) words[region][at] = value;
        }

        void swap(int region, int at, long expected, long desired) {
            if (!stopped && words[region][at] == expected) words[region][at] = desired;
        }

        void add(int region, int at, long delta) {
            if (!stopped) words[region][at] += delta;
        }
    }
}
