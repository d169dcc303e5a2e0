package tidepool.memory;

import static tidepool.base.Words.U64;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import tidepool.base.Checks;

/**
 * The layout of chained work in a region: the steps that the memory side executes by itself, in order, when a CHAIN
 * verb names the descriptor. It is Tidepool's form of HDTX's WAIT and ENABLE work requests: copy the log to the data,
 * bump, unlock.
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
 *      GUARD    region   0                 offset     expected   0            stops unless the word is as expected
 *      COPY     source   target            of source  of target  length       bytes, whole words
 *      SET      region   0                 offset     value      0
 *      SWAP     region   0                 offset     expected   desired      CAS; continues either way
 *      ADD      region   0                 offset     delta      0            FAA
 * </pre>
 *
 * A region is named by its number on the node and must be open on the posting connection. Fields that a kind does not
 * use are zero.
 *
 * <pre>
 *    field             written by                                        read by
 *    count and magic,  the client: ChainedWorkBuilder, by a WRITE        ChainedWorkExecutor.begin, all at once: later
 *      steps           ahead of the CHAIN on its link                    changes have no effect
 *    status            the client, with the steps: STATUS_NEW; then      ChainedWorkExecutor.begin; clients that want
 *                      ChainedWorkExecutor.finish                        to know the end
 * </pre>
 */
public final class ChainedWorkLayout {
    /** "CHN1" in ASCII, little-endian; in the upper half of the first word. */
    public static final long MAGIC = 0x314E4843L;

    /** A descriptor has 1 to {@code MAX_STEPS} steps. */
    public static final int MAX_STEPS = 64;

    /** Not yet run to its end. A descriptor must have this status when it is posted. */
    public static final long STATUS_NEW = 0;
    /** All steps were executed. */
    public static final long STATUS_DONE = 1;
    /** A guard found another word, or a region was freed. The earlier steps were executed, the later ones were not. */
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

    private ChainedWorkLayout() {}

    /** Returns the bytes of a descriptor with {@code steps} steps. */
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
