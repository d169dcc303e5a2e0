package tidepool.memory;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * Chained work as it lies in a region: what the memory side shall do by itself, step after step, when a CHAIN verb names
 * the descriptor. It is our form of HDTX's WAIT and ENABLE work requests: copy the log to the data, bump, unlock.
 *
 * <pre>
 *    0             4           8          16
 *    +-------------+-----------+----------+
 *    | count       | magic     | status   |      header; count and magic are one word, so they cannot tear
 *    +-------------+-----------+----------+
 *
 *    16 + 32·i  step i:
 *    0        2        4        6        8          16         24         32
 *    +--------+--------+--------+--------+----------+----------+----------+
 *    | kind   | region | target | 0      | offset   | first    | second   |
 *    +--------+--------+--------+--------+----------+----------+----------+
 *      GUARD    region   0                 offset     expected   0            goes on if the word is as expected, else stops
 *      COPY     source   target            of source  of target  length      bytes, whole words
 *      SET      region   0                 offset     value      0
 *      SWAP     region   0                 offset     expected   desired      CAS; goes on either way
 *      ADD      region   0                 offset     delta      0            FAA
 * </pre>
 *
 * A region is named by its number on the node and must be one that the posting connection has opened. Fields that a
 * kind does not use are zero.
 */
public final class ChainLayout {
    /** "CHN1" in ASCII, little-endian; in the upper half of the first word. */
    public static final long MAGIC = 0x314E4843L;

    /** A descriptor has 1 to this many steps. */
    public static final int MOST_STEPS = 64;

    /** Not yet run to its end. A descriptor must have it when it is posted. */
    public static final long STATUS_NEW = 0;
    /** All steps were carried out. */
    public static final long STATUS_DONE = 1;
    /** A guard found another word, or a region was freed; the steps before were carried out, those behind not. */
    public static final long STATUS_STOPPED = 2;

    public static final int GUARD = 1;
    public static final int COPY = 2;
    public static final int SET = 3;
    public static final int SWAP = 4;
    public static final int ADD = 5;

    public static final StructLayout HEADER = MemoryLayout.structLayout(
                    U64.withName("magicAndCount"), // magic << 32 | count
                    U64.withName("status")) // STATUS_NEW until the work is over
            .withName("chain-header");

    public static final StructLayout STEP = MemoryLayout.structLayout(
                    U64.withName("kindAndRegions"), // kind | region << 16 | target << 32
                    U64.withName("offset"),
                    U64.withName("first"),
                    U64.withName("second"))
            .withName("chain-step");

    public static final long MAGIC_AND_COUNT = offset(HEADER, "magicAndCount");
    public static final long STATUS = offset(HEADER, "status");
    public static final long STEPS = HEADER.byteSize();

    public static final long KIND_AND_REGIONS = offset(STEP, "kindAndRegions");
    public static final long OFFSET = offset(STEP, "offset");
    public static final long FIRST = offset(STEP, "first");
    public static final long SECOND = offset(STEP, "second");

    static {
        Checks.size(HEADER, 16);
        Checks.size(STEP, 32);
        Checks.invariant(NodeLayout.REGIONS <= 1 << 16, "a region's number has 16 bits in a step");
    }

    private ChainLayout() {}

    /** Bytes of a descriptor with that many steps. */
    public static long bytes(int steps) {
        return STEPS + steps * STEP.byteSize();
    }

    static long magicAndCount(int count) {
        return MAGIC << 32 | count;
    }

    static long kindAndRegions(int kind, int region, int target) {
        return kind | (long) region << 16 | (long) target << 32;
    }

    private static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }
}
