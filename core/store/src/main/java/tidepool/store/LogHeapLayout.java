package tidepool.store;

import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * The log heap of a memory node: blocks that lie after the areas of all coordinators in the log region. A coordinator
 * claims some for a transaction whose intents or log do not fit its area, and gives them back when that transaction is
 * over.
 *
 * <pre>
 *    areas of the coordinators | owners: a word for each block | block 0 | block 1 | …
 *
 *    owner:  63      52 51       40 39   36 35   32 31                    0
 *            +---------+-----------+-------+-------+-----------------------+
 *            |    0    | coord + 1 | kind  | slot  | position              |     0 = free
 *            +---------+-----------+-------+-------+-----------------------+
 * </pre>
 *
 * An owner changes from 0 by CAS, and back to 0 only by its coordinator or by the recoverer of its session. A block is
 * {@link #CLAIMED} until its old content can no longer be mistaken for that of its new owner. A log lies in the blocks
 * of its slot, in the order of their positions, without gaps.
 *
 * <pre>
 *    field   written by                                         read by
 *    owner   a coordinator: CAS from 0, WRITE of kind, slot     coordinators that look for free blocks; the recoverer
 *            and position, WRITE of 0; the recoverer of its     of the owner's session; a roster change
 *            session: WRITE of 0
 *    block   the coordinator that owns it; OVER and zeros also  the recoverer of the owner's session; a roster change
 *            by the recoverer
 * </pre>
 *
 * @param at where the owners begin in the log region
 * @param blocks how many there are; 0 in a pool without a heap
 */
public record LogHeapLayout(long at, int blocks) {
    public static final long BLOCK_BYTES = 64 * 1024;

    /** The smallest heap of a new pool: a transaction needs a block for intents and one for a log. */
    private static final int MIN_BLOCKS = 4;

    /** The largest default. */
    private static final long MAX_DEFAULT_BYTES = 16 << 20;

    /** The maximum number of blocks of a pool. */
    private static final int MAX_BLOCKS = 1 << 20;

    /** The block belongs to a coordinator, and what lies in it means nothing yet. */
    public static final int CLAIMED = 1;

    /** The block has intents, or zeros. */
    public static final int INTENTS = 2;

    /** The block has a part of a log. */
    public static final int LOG = 3;

    private static final int COORDINATOR_SHIFT = 40;
    private static final int KIND_SHIFT = 36;
    private static final int SLOT_SHIFT = 32;
    private static final long LINE = 64;

    public LogHeapLayout {
        Checks.argument(blocks >= 0 && blocks <= MAX_BLOCKS, "a log heap has at most " + MAX_BLOCKS + " blocks");
    }

    /** Returns the default size of the heap of a pool. */
    static long defaultBytes(long partitionBytes) {
        return Math.clamp(partitionBytes / 4 & -BLOCK_BYTES, MIN_BLOCKS * BLOCK_BYTES, MAX_DEFAULT_BYTES);
    }

    /** Returns the blocks of a heap with these bytes. */
    static int blocks(long bytes) {
        return Math.toIntExact(bytes / BLOCK_BYTES);
    }

    /** Returns the bytes that owners and blocks take. */
    public long bytes() {
        return ownersBytes() + blocks * BLOCK_BYTES;
    }

    /** Returns the bytes of the owners, in whole cache lines. */
    public long ownersBytes() {
        return blocks * (long) Words.BYTES + LINE - 1 & -LINE;
    }

    /** Returns where the owner of a block lies in the log region. */
    public long owner(int block) {
        return at + block * (long) Words.BYTES;
    }

    /** Returns where a block begins in the log region. */
    public long block(int block) {
        return at + ownersBytes() + block * BLOCK_BYTES;
    }

    /** Returns the number of blocks that hold {@code bytes}. */
    public static int blocksFor(long bytes) {
        return Math.toIntExact((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
    }

    public static long owner(int coordinator, int kind, int slot, int position) {
        return coordinator + 1L << COORDINATOR_SHIFT | (long) kind << KIND_SHIFT | (long) slot << SLOT_SHIFT | position;
    }

    /** Returns the coordinator that an owner names; -1 if the block is free. */
    public static int coordinator(long owner) {
        return (int) (owner >>> COORDINATOR_SHIFT) - 1;
    }

    public static int kind(long owner) {
        return (int) (owner >>> KIND_SHIFT) & 0xf;
    }

    public static int slot(long owner) {
        return (int) (owner >>> SLOT_SHIFT) & 0xf;
    }

    public static int position(long owner) {
        return (int) owner;
    }
}
