package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import tidepool.base.Checks;
import tidepool.base.Words;

/**
 * An executor of chained work, one step at a time, for every implementation of the memory side. {@link #begin} checks
 * the whole descriptor and copies it. So a refused one changes nothing, and later changes of the descriptor have no
 * effect. {@link #step} does the next step. {@link #finish} writes the result into the descriptor. Work that is dropped
 * half-way, because its session was revoked, is never finished.
 *
 * <p>Steps take effect in their order, each word atomically. One thread uses an executor, any number of times. It
 * allocates nothing.
 */
public final class ChainedWorkExecutor {
    private final int[] kinds = new int[ChainedWorkLayout.MAX_STEPS];
    private final NodeRegion[] regions = new NodeRegion[ChainedWorkLayout.MAX_STEPS];
    private final NodeRegion[] targets = new NodeRegion[ChainedWorkLayout.MAX_STEPS];
    private final long[] offsets = new long[ChainedWorkLayout.MAX_STEPS];
    private final long[] firsts = new long[ChainedWorkLayout.MAX_STEPS];
    private final long[] seconds = new long[ChainedWorkLayout.MAX_STEPS];

    private NodeRegion home;
    private long homeOffset;
    private int count;
    private int next;
    private boolean stopped;

    private final WriteListener listener;

    /** Creates an executor. Each thread of the memory side has its own. */
    public ChainedWorkExecutor() {
        this(WriteListener.UNTOLD);
    }

    /** Creates an executor that reports every write to a listener. */
    public ChainedWorkExecutor(WriteListener listener) {
        this.listener = listener;
    }

    /**
     * Takes on the descriptor at {@code offset} of {@code region}. Returns {@link AccessCode#GRANTED}, or the reason of
     * refusal: that of {@link NodeRegion#access} if a descriptor does not fit at that place, otherwise
     * {@link AccessCode#DESCRIPTOR}.
     */
    public int begin(MemoryNode node, OpenRegions open, NodeRegion region, long offset) {
        count = 0;
        next = 0;
        stopped = false;
        int access = region.access(offset, ChainedWorkLayout.STEPS);
        if (access != AccessCode.GRANTED) return access;
        NodeRegion known = node.region(region.number());
        if (known == null) return AccessCode.KEY; // freed at this moment
        Checks.invariant(known == region, "the region is one of this node", region.number());
        MemorySegment data = region.data();
        long word = Words.acquire(data, offset + ChainedWorkLayout.MAGIC_AND_COUNT);
        int steps = (int) word;
        if (word >>> 32 != ChainedWorkLayout.MAGIC || steps < 1 || steps > ChainedWorkLayout.MAX_STEPS)
            return AccessCode.DESCRIPTOR;
        if (Words.acquire(data, offset + ChainedWorkLayout.STATUS) != ChainedWorkLayout.STATUS_NEW)
            return AccessCode.DESCRIPTOR;
        if (region.access(offset, ChainedWorkLayout.bytes(steps)) != AccessCode.GRANTED) return AccessCode.DESCRIPTOR;
        for (int i = 0; i < steps; i++) {
            take(i, data, offset + ChainedWorkLayout.bytes(i), open);
            if (!mayRun(i)) return AccessCode.DESCRIPTOR;
        }
        home = region;
        homeOffset = offset;
        count = steps;
        return AccessCode.GRANTED;
    }

    /**
     * Does the next step. Returns false if all steps are done, a guard stopped the work or a region was freed
     * meanwhile. Then {@link #finish} follows.
     */
    public boolean step() {
        if (stopped || next == count) return false;
        int i = next++;
        stopped = !regions[i].isLive() || (targets[i] != null && !targets[i].isLive());
        if (stopped) return false;
        // A step must not read anything older than the writes of the previous step.
        VarHandle.fullFence();
        MemorySegment data = regions[i].data();
        long at = offsets[i];
        switch (kinds[i]) {
            case ChainedWorkLayout.GUARD -> stopped = Words.acquire(data, at) != firsts[i];
            case ChainedWorkLayout.COPY -> copy(data, at, targets[i].data(), firsts[i], seconds[i]);
            case ChainedWorkLayout.SET -> Words.release(data, at, firsts[i]);
            case ChainedWorkLayout.SWAP -> Words.compareAndSwap(data, at, firsts[i], seconds[i]);
            case ChainedWorkLayout.ADD -> Words.fetchAndAdd(data, at, firsts[i]);
            default -> Checks.invariant(false, "begin lets only known steps in", kinds[i]);
        }
        if (kinds[i] == ChainedWorkLayout.COPY) listener.written(targets[i], firsts[i], seconds[i]);
        else if (kinds[i] != ChainedWorkLayout.GUARD) listener.written(regions[i], at, Words.BYTES);
        return !stopped && next < count;
    }

    /** Writes the result into the descriptor and returns that status. Writes nothing to a freed region. */
    public long finish() {
        Checks.invariant(count > 0 && (stopped || next == count), "finish follows the last step", next);
        long status = stopped ? ChainedWorkLayout.STATUS_STOPPED : ChainedWorkLayout.STATUS_DONE;
        if (home.isLive()) {
            Words.release(home.data(), homeOffset + ChainedWorkLayout.STATUS, status);
            listener.written(home, homeOffset + ChainedWorkLayout.STATUS, Words.BYTES);
        }
        count = 0;
        next = 0;
        return status;
    }

    private void take(int i, MemorySegment data, long at, OpenRegions open) {
        long what = Words.acquire(data, at + ChainedWorkLayout.KIND_AND_REGIONS);
        int target = (int) (what >>> 32);
        kinds[i] = (int) what & 0xffff;
        regions[i] = opened(open, (int) what >>> 16);
        targets[i] = null;
        if (kinds[i] == ChainedWorkLayout.COPY) targets[i] = opened(open, target);
        else if (target != 0) kinds[i] = 0; // no valid kind: unused fields of a step must be zero
        offsets[i] = Words.acquire(data, at + ChainedWorkLayout.OFFSET);
        firsts[i] = Words.acquire(data, at + ChainedWorkLayout.FIRST);
        seconds[i] = Words.acquire(data, at + ChainedWorkLayout.SECOND);
    }

    private static NodeRegion opened(OpenRegions open, int number) {
        return number < 0 || number >= NodeLayout.REGIONS ? null : open.byNumber(number);
    }

    private boolean mayRun(int i) {
        return switch (kinds[i]) {
            case ChainedWorkLayout.GUARD, ChainedWorkLayout.SET, ChainedWorkLayout.ADD ->
                seconds[i] == 0 && mayTouch(regions[i], offsets[i], Words.BYTES);
            case ChainedWorkLayout.SWAP -> mayTouch(regions[i], offsets[i], Words.BYTES);
            case ChainedWorkLayout.COPY ->
                mayTouch(regions[i], offsets[i], seconds[i]) && mayTouch(targets[i], firsts[i], seconds[i]);
            default -> false;
        };
    }

    private static boolean mayTouch(NodeRegion region, long offset, long length) {
        return region != null && region.access(offset, length) == AccessCode.GRANTED;
    }

    /** Copies word by word, from the end at which no word is overwritten before it is copied. */
    private static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        boolean upwards = toOffset <= fromOffset;
        for (long done = 0; done < length; done += Words.BYTES) {
            long i = upwards ? done : length - Words.BYTES - done;
            Words.release(to, toOffset + i, Words.acquire(from, fromOffset + i));
        }
    }
}
