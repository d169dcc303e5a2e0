package tidepool.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Randomness;
import tidepool.memory.AccessCode;
import tidepool.memory.RegionLayout;
import tidepool.wire.ControlCode;

/** S5: a verb reaches only the data of its region, neither neighbouring regions nor the node's own data next to it. */
class S5RangesTest {
    private static final long SEED = 5;

    private Attacked node;
    private RawClient raw;

    @BeforeEach
    void start() throws IOException {
        node = new Attacked();
        raw = node.insider(RawHandshake.ANONYMOUS);
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
        assertEquals(AccessCode.BOUNDS, write(Attacked.REGION, 1));
        assertEquals(AccessCode.BOUNDS, write(Attacked.REGION - 8, 2));
        assertEquals(AccessCode.BOUNDS, write(-8, 1));
        assertEquals(AccessCode.BOUNDS, write(-8, 2));
        assertEquals(
                AccessCode.BOUNDS,
                raw.round(new Verbs().read(open(), Attacked.REGION - 8, 16)).status());
        assertEquals(
                AccessCode.BOUNDS,
                raw.round(new Verbs().faa(open(), Attacked.REGION, 1)).status());
        assertEquals(6, node.count(NodeCounter.VERBS_REFUSED_BOUNDS));
        node.assertUnharmed();
    }

    /**
     * Header and extent map are before offset 0. No verb can reach them, so no verb can change data that the node
     * trusts.
     */
    @Test
    void whatTheNodeKeepsOfARegionIsOutOfReach() throws IOException {
        long before = RegionLayout.EXTENT_MAP + 8 * 16;
        for (long offset = -before; offset < 0; offset += 64) assertEquals(AccessCode.BOUNDS, write(offset, 1));
        node.assertUnharmed();
    }

    /** The memory of a freed region may belong to another region. */
    @Test
    void aFreedRegionIsNoRegion() throws IOException {
        raw.control(ControlCode.OPEN_LINK, 0);
        RawClient.Answer made = raw.control(ControlCode.CREATE_REGION, 8192);
        long handle = raw.control(ControlCode.OPEN_REGION, 0, made.word(0), made.word(1))
                .word(0);
        assertEquals(0, raw.round(new Verbs().write(handle, 0, 1)).status());
        raw.control(ControlCode.FREE_REGION, made.word(0), made.word(1));

        assertEquals(AccessCode.KEY, raw.round(new Verbs().write(handle, 0, 1)).status());
    }

    /**
     * Chained work names memory by region number. It reaches only regions that its link has opened, within their
     * bounds.
     */
    @Test
    void chainedWorkDoesNotReachFurther() throws IOException {
        RawClient.Answer made = raw.control(ControlCode.CREATE_REGION, 4096);
        long magic = tidepool.memory.ChainedWorkLayout.MAGIC << 32 | 1;
        long set = tidepool.memory.ChainedWorkLayout.SET;
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
        // The pool has one more region now, whose capability is not in the hash.
        raw.control(ControlCode.FREE_REGION, made.word(0), made.word(1));
        RawClient.Answer first = node.friend.round(new Verbs().read(node.handle, 0, 8));
        assertEquals(0xdead_beef_0000_0000L, first.word(0));
        assertEquals(0, node.count(NodeCounter.INTERNAL_ERRORS));
    }

    /** For any range, the answer equals that of three lines of arithmetic. */
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
            int expected = !aligned ? AccessCode.ALIGNMENT : inside ? AccessCode.GRANTED : AccessCode.BOUNDS;
            assertEquals(expected, status, "seed " + SEED + " case " + i + ": " + offset + " + " + length);
        }
        node.assertUnharmed();
    }
}
