package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * Writes a chained-work descriptor into memory here, from where a WRITE takes it to the node.
 *
 * <pre>
 *   long length = builder.into(source, 0)
 *           .guard(records, lock, txn)
 *           .copy(log, entry, records, body, 64)
 *           .set(records, lock, FREE)
 *           .end();
 * </pre>
 *
 * Used again and again; allocates nothing. See {@link ChainLayout} for what the steps do.
 */
public final class ChainBuilder {
    private MemorySegment memory;
    private long start;
    private int count;

    /** One for each lane or coordinator; it serves one thread. */
    public ChainBuilder() {}

    /** Begins a descriptor at {@code offset} of {@code memory}. */
    public ChainBuilder into(MemorySegment memory, long offset) {
        // A reference is stored only when it differs: a store costs the garbage collector's barrier.
        if (this.memory != memory) this.memory = memory;
        start = offset;
        count = 0;
        return this;
    }

    /** Stops here unless the word is as expected. */
    public ChainBuilder guard(int region, long offset, long expected) {
        return step(ChainLayout.GUARD, region, 0, offset, expected, 0);
    }

    /** Copies whole words; the ranges may overlap. */
    public ChainBuilder copy(int fromRegion, long fromOffset, int toRegion, long toOffset, long length) {
        return step(ChainLayout.COPY, fromRegion, toRegion, fromOffset, toOffset, length);
    }

    /** Writes one word. */
    public ChainBuilder set(int region, long offset, long value) {
        return step(ChainLayout.SET, region, 0, offset, value, 0);
    }

    /** Puts {@code desired} if the word is as expected; goes on either way. */
    public ChainBuilder swap(int region, long offset, long expected, long desired) {
        return step(ChainLayout.SWAP, region, 0, offset, expected, desired);
    }

    /** Adds to one word. */
    public ChainBuilder add(int region, long offset, long delta) {
        return step(ChainLayout.ADD, region, 0, offset, delta, 0);
    }

    /** Writes the header; returns the length of the descriptor in bytes. */
    public long end() {
        Checks.argument(count > 0, "chained work has at least one step");
        Words.plain(memory, start + ChainLayout.MAGIC_AND_COUNT, ChainLayout.magicAndCount(count));
        Words.plain(memory, start + ChainLayout.STATUS, ChainLayout.STATUS_NEW);
        return ChainLayout.bytes(count);
    }

    private ChainBuilder step(int kind, int region, int target, long offset, long first, long second) {
        Checks.argument(count < ChainLayout.MOST_STEPS, "chained work has at most 64 steps");
        Checks.argument(isRegion(region) && isRegion(target), "a node has no region of that number");
        long at = start + ChainLayout.bytes(count++);
        Words.plain(memory, at + ChainLayout.KIND_AND_REGIONS, ChainLayout.kindAndRegions(kind, region, target));
        Words.plain(memory, at + ChainLayout.OFFSET, offset);
        Words.plain(memory, at + ChainLayout.FIRST, first);
        Words.plain(memory, at + ChainLayout.SECOND, second);
        return this;
    }

    private static boolean isRegion(int number) {
        return number >= 0 && number < NodeLayout.REGIONS;
    }
}
