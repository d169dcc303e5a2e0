package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * Carries out chained work, one step at a time, for whoever plays the memory side. {@link #begin} checks the whole
 * descriptor and copies it, so that a refused one changes nothing and later changes of the descriptor do not matter;
 * {@link #step} does the next step; {@link #finish} says in the descriptor how it ended. Work that is dropped half-way,
 * because its session was revoked, is simply never finished.
 *
 * <p>Steps take effect in their order, each word at once. An object is used again and again by one thread; it allocates
 * nothing.
 */
public final class ChainWork {
    private final int[] kinds = new int[ChainLayout.MOST_STEPS];
    private final NodeRegion[] regions = new NodeRegion[ChainLayout.MOST_STEPS];
    private final NodeRegion[] targets = new NodeRegion[ChainLayout.MOST_STEPS];
    private final long[] offsets = new long[ChainLayout.MOST_STEPS];
    private final long[] firsts = new long[ChainLayout.MOST_STEPS];
    private final long[] seconds = new long[ChainLayout.MOST_STEPS];

    private NodeRegion home;
    private long homeOffset;
    private int count;
    private int next;
    private boolean stopped;

    private final Written written;

    /** One for each thread of the memory side. */
    public ChainWork() {
        this(Written.UNTOLD);
    }

    /** The same for a memory side that keeps what is written. */
    public ChainWork(Written written) {
        this.written = written;
    }

    /**
     * Takes on the descriptor that lies at {@code offset} of {@code region}. Returns {@link Access#GRANTED}, or why not:
     * the reason of {@link NodeRegion#access} if there is no room for a descriptor at that place, otherwise
     * {@link Access#DESCRIPTOR}.
     */
    public int begin(MemoryNode node, OpenRegions open, NodeRegion region, long offset) {
        count = 0;
        next = 0;
        stopped = false;
        int access = region.access(offset, ChainLayout.STEPS);
        if (access != Access.GRANTED) return access;
        NodeRegion known = node.region(region.number());
        if (known == null) return Access.KEY; // freed this moment
        Checks.invariant(known == region, "the region is one of this node", region.number());
        MemorySegment data = region.data();
        long word = Words.acquire(data, offset + ChainLayout.MAGIC_AND_COUNT);
        int steps = (int) word;
        if (word >>> 32 != ChainLayout.MAGIC || steps < 1 || steps > ChainLayout.MOST_STEPS) return Access.DESCRIPTOR;
        if (Words.acquire(data, offset + ChainLayout.STATUS) != ChainLayout.STATUS_NEW) return Access.DESCRIPTOR;
        if (region.access(offset, ChainLayout.bytes(steps)) != Access.GRANTED) return Access.DESCRIPTOR;
        for (int i = 0; i < steps; i++) {
            take(i, data, offset + ChainLayout.bytes(i), open);
            if (!mayRun(i)) return Access.DESCRIPTOR;
        }
        home = region;
        homeOffset = offset;
        count = steps;
        return Access.GRANTED;
    }

    /**
     * Does the next step. False when all are done, when a guard stopped the work or when a region was freed in the
     * meantime; then {@link #finish} follows.
     */
    public boolean step() {
        if (stopped || next == count) return false;
        int i = next++;
        stopped = !regions[i].isLive() || (targets[i] != null && !targets[i].isLive());
        if (stopped) return false;
        // What a step reads must not be older than what the step before it wrote.
        VarHandle.fullFence();
        MemorySegment data = regions[i].data();
        long at = offsets[i];
        switch (kinds[i]) {
            case ChainLayout.GUARD -> stopped = Words.acquire(data, at) != firsts[i];
            case ChainLayout.COPY -> copy(data, at, targets[i].data(), firsts[i], seconds[i]);
            case ChainLayout.SET -> Words.release(data, at, firsts[i]);
            case ChainLayout.SWAP -> Words.compareAndSwap(data, at, firsts[i], seconds[i]);
            case ChainLayout.ADD -> Words.fetchAndAdd(data, at, firsts[i]);
            default -> Checks.invariant(false, "begin lets only known steps in", kinds[i]);
        }
        if (kinds[i] == ChainLayout.COPY) written.written(targets[i], firsts[i], seconds[i]);
        else if (kinds[i] != ChainLayout.GUARD) written.written(regions[i], at, Words.BYTES);
        return !stopped && next < count;
    }

    /** Writes into the descriptor how the work ended; returns that status. Nothing is written to a freed region. */
    public long finish() {
        Checks.invariant(count > 0 && (stopped || next == count), "finish follows the last step", next);
        long status = stopped ? ChainLayout.STATUS_STOPPED : ChainLayout.STATUS_DONE;
        if (home.isLive()) {
            Words.release(home.data(), homeOffset + ChainLayout.STATUS, status);
            written.written(home, homeOffset + ChainLayout.STATUS, Words.BYTES);
        }
        count = 0;
        next = 0;
        return status;
    }

    private void take(int i, MemorySegment data, long at, OpenRegions open) {
        long what = Words.acquire(data, at + ChainLayout.KIND_AND_REGIONS);
        int target = (int) (what >>> 32);
        kinds[i] = (int) what & 0xffff;
        regions[i] = opened(open, (int) what >>> 16);
        targets[i] = null;
        if (kinds[i] == ChainLayout.COPY) targets[i] = opened(open, target);
        else if (target != 0) kinds[i] = 0; // no kind at all: what a step does not use must be zero
        offsets[i] = Words.acquire(data, at + ChainLayout.OFFSET);
        firsts[i] = Words.acquire(data, at + ChainLayout.FIRST);
        seconds[i] = Words.acquire(data, at + ChainLayout.SECOND);
    }

    private static NodeRegion opened(OpenRegions open, int number) {
        return number < 0 || number >= NodeLayout.REGIONS ? null : open.byNumber(number);
    }

    private boolean mayRun(int i) {
        return switch (kinds[i]) {
            case ChainLayout.GUARD, ChainLayout.SET, ChainLayout.ADD ->
                seconds[i] == 0 && mayTouch(regions[i], offsets[i], Words.BYTES);
            case ChainLayout.SWAP -> mayTouch(regions[i], offsets[i], Words.BYTES);
            case ChainLayout.COPY ->
                mayTouch(regions[i], offsets[i], seconds[i]) && mayTouch(targets[i], firsts[i], seconds[i]);
            default -> false;
        };
    }

    private static boolean mayTouch(NodeRegion region, long offset, long length) {
        return region != null && region.access(offset, length) == Access.GRANTED;
    }

    /** Word by word, and from the end that does not overwrite what is still to be copied. */
    private static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        boolean upwards = toOffset <= fromOffset;
        for (long done = 0; done < length; done += Words.BYTES) {
            long i = upwards ? done : length - Words.BYTES - done;
            Words.release(to, toOffset + i, Words.acquire(from, fromOffset + i));
        }
    }
}
