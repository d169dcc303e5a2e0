package tidepool.tcp.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.memory.Access;
import tidepool.memory.RegionLayout;
import tidepool.tcp.wire.ControlCode;

/** S5: a verb reaches the region that it was opened for, and neither its neighbours nor what the node keeps beside it. */
class S5RangesTest {
    private static final long SEED = 5;

    private Attacked node;
    private RawClient raw;

    @BeforeEach
    void start() throws IOException {
        node = new Attacked();
        raw = node.insider(RawHandshake.NOBODY);
    }

    @AfterEach
    void stop() throws IOException {
        raw.close();
        node.close();
    }

    private long open() throws IOException {
        raw.control(ControlCode.OPEN_LINK, 0);
        return raw.control(ControlCode.OPEN_REGION, 0, node.capabilityHigh, node.capabilityLow)
                .word(0);
    }

    private int write(long offset, int words) throws IOException {
        return raw.round(new Verbs().write(open(), offset, new long[words])).status();
    }

    @Test
    void justPastBeforeAndAcrossTheEndsIsOutOfBounds() throws IOException {
        assertEquals(Access.BOUNDS, write(Attacked.REGION, 1));
        assertEquals(Access.BOUNDS, write(Attacked.REGION - 8, 2));
        assertEquals(Access.BOUNDS, write(-8, 1));
        assertEquals(Access.BOUNDS, write(-8, 2));
        assertEquals(
                Access.BOUNDS,
                raw.round(new Verbs().read(open(), Attacked.REGION - 8, 16)).status());
        assertEquals(
                Access.BOUNDS,
                raw.round(new Verbs().faa(open(), Attacked.REGION, 1)).status());
        assertEquals(6, node.count(NodeCounter.VERBS_REFUSED_BOUNDS));
        node.assertUnharmed();
    }

    /** Header and extent map lie before offset 0, out of reach: what the node believes cannot be written by a verb. */
    @Test
    void whatTheNodeKeepsOfARegionIsOutOfReach() throws IOException {
        long before = RegionLayout.EXTENT_MAP + 8 * 16;
        for (long offset = -before; offset < 0; offset += 64) assertEquals(Access.BOUNDS, write(offset, 1));
        node.assertUnharmed();
    }

    /** Memory of a region that is gone may be somebody else's. */
    @Test
    void aFreedRegionIsNoRegion() throws IOException {
        raw.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer made = raw.control(ControlCode.CREATE_REGION, 8192);
        long handle = raw.control(ControlCode.OPEN_REGION, 0, made.word(0), made.word(1))
                .word(0);
        assertEquals(0, raw.round(new Verbs().write(handle, 0, 1)).status());
        raw.control(ControlCode.FREE_REGION, made.word(0), made.word(1));

        assertEquals(Access.KEY, raw.round(new Verbs().write(handle, 0, 1)).status());
    }

    /** Chained work names memory by region number: only what this link has opened, and only inside. */
    @Test
    void chainedWorkDoesNotReachFurther() throws IOException {
        RawClient.Answer made = raw.control(ControlCode.CREATE_REGION, 4096);
        long magic = tidepool.memory.ChainLayout.MAGIC << 32 | 1;
        long set = tidepool.memory.ChainLayout.SET;
        long[][] steps = {
            {magic, 0, set, 0, 42, 0}, // region 0, which this link has not opened
            {magic, 0, set | 1L << 32, 0, 42, 0},
            {magic, 0, set, -8, 42, 0},
            {magic | 0xffff_ffffL, 0, set, 0, 42, 0}
        };
        for (long[] step : steps) {
            raw.control(ControlCode.OPEN_LINK, 0);
            long own = raw.control(ControlCode.OPEN_REGION, 0, made.word(0), made.word(1))
                    .word(0);
            raw.round(new Verbs().write(own, 0, step));
            raw.round(new Verbs().chain(own, 0));
        }
        // The pool has one more region now; its capability is what the hash does not know.
        raw.control(ControlCode.FREE_REGION, made.word(0), made.word(1));
        RawClient.Answer first = node.friend.round(new Verbs().read(node.handle, 0, 8));
        assertEquals(0xdead_beef_0000_0000L, first.word(0));
        assertEquals(0, node.count(NodeCounter.INTERNAL_ERRORS));
    }

    /** Whatever the range, the answer is that of three lines of arithmetic. */
    @Test
    void rangesAreJudgedAsTheArithmeticSays() throws IOException {
        Randomness random = new Randomness(SEED);
        long[] edges = {
            0, 8, 4096, Attacked.REGION - 8, Attacked.REGION, Attacked.REGION + 8, -8, 1L << 32, Long.MAX_VALUE - 7
        };
        for (int i = 0; i < 300; i++) {
            long offset = edges[random.nextInt(edges.length)] + random.nextInt(5) * 4 - 8;
            long length = random.chance(1, 4) ? edges[random.nextInt(edges.length)] : 8L * random.nextInt(64);
            int status = raw.round(new Verbs().read(open(), offset, length)).status();

            boolean aligned = offset % 8 == 0 && length % 8 == 0;
            boolean inside =
                    offset >= 0 && length > 0 && length <= Attacked.REGION && offset <= Attacked.REGION - length;
            int expected = !aligned ? Access.ALIGNMENT : inside ? Access.GRANTED : Access.BOUNDS;
            assertEquals(expected, status, "seed " + SEED + " case " + i + ": " + offset + " + " + length);
        }
        node.assertUnharmed();
    }
}
