package tidepool.memory;

import java.lang.foreign.MemorySegment;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * A writer of chained-work descriptors. It writes into local memory, from where a WRITE takes the descriptor to the
 * node.
 *
 * <pre>
 *   long length = builder.into(source, 0)
 *           .guard(records, lock, txn)
 *           .copy(log, entry, records, body, 64)
 *           .set(records, lock, FREE)
 *           .end();
 * </pre>
 *
 * Reusable; allocates nothing. {@link ChainedWorkLayout} describes the steps.
 */
public final class ChainedWorkBuilder {
    private MemorySegment memory;
    private long start;
    private int count;

    /** Creates a builder. Each lane or coordinator has its own, since it serves one thread. */
    public ChainedWorkBuilder() {}

    /** Begins a descriptor at {@code offset} of {@code memory}. */
    public ChainedWorkBuilder into(MemorySegment memory, long offset) {
        // A reference is stored only if it differs: a store costs the barrier of the garbage collector.
        if (this.memory != memory) this.memory = memory;
        start = offset;
        count = 0;
        return this;
    }

    /** Stops the work here unless the word is as expected. */
    public ChainedWorkBuilder guard(int region, long offset, long expected) {
        return step(ChainedWorkLayout.GUARD, region, 0, offset, expected, 0);
    }

    /** Copies whole words; the ranges may overlap. */
    public ChainedWorkBuilder copy(int fromRegion, long fromOffset, int toRegion, long toOffset, long length) {
        return step(ChainedWorkLayout.COPY, fromRegion, toRegion, fromOffset, toOffset, length);
    }

    /** Writes one word. */
    public ChainedWorkBuilder set(int region, long offset, long value) {
        return step(ChainedWorkLayout.SET, region, 0, offset, value, 0);
    }

    /** Writes {@code desired} if the word is as expected; continues either way. */
    public ChainedWorkBuilder swap(int region, long offset, long expected, long desired) {
        return step(ChainedWorkLayout.SWAP, region, 0, offset, expected, desired);
    }

    /** Adds to one word. */
    public ChainedWorkBuilder add(int region, long offset, long delta) {
        return step(ChainedWorkLayout.ADD, region, 0, offset, delta, 0);
    }

    /** Writes the header. Returns the length of the descriptor in bytes. */
    public long end() {
        Checks.argument(count > 0, "chained work has at least one step");
        Words.plain(memory, start + ChainedWorkLayout.MAGIC_AND_COUNT, ChainedWorkLayout.magicAndCount(count));
        Words.plain(memory, start + ChainedWorkLayout.STATUS, ChainedWorkLayout.STATUS_NEW);
        return ChainedWorkLayout.bytes(count);
    }

    private ChainedWorkBuilder step(int kind, int region, int target, long offset, long first, long second) {
        Checks.argument(count < ChainedWorkLayout.MAX_STEPS, "chained work has at most 64 steps");
        Checks.argument(isRegion(region) && isRegion(target), "a node has no region of that number");
        long at = start + ChainedWorkLayout.bytes(count++);
        Words.plain(
                memory,
                at + ChainedWorkLayout.KIND_AND_REGIONS,
                ChainedWorkLayout.kindAndRegions(kind, region, target));
        Words.plain(memory, at + ChainedWorkLayout.OFFSET, offset);
        Words.plain(memory, at + ChainedWorkLayout.FIRST, first);
        Words.plain(memory, at + ChainedWorkLayout.SECOND, second);
        return this;
    }

    private static boolean isRegion(int number) {
        return number >= 0 && number < NodeLayout.REGIONS;
    }
}
