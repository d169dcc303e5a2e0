package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;

/**
 * A coordinator's local memory for one transaction: landing buffers, images being made. It is handed out from the front
 * and taken back all at once.
 */
public final class ScratchMemory {
    private final MemorySegment memory;
    private long used;

    public ScratchMemory(MemorySegment memory) {
        this.memory = memory;
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Returns the offset of a free piece; -1 when there is no room left. The piece is not cleared. */
    public long take(long bytes) {
        long at = used;
        if (at + bytes > memory.byteSize()) return -1;
        used = at + bytes + Words.BYTES - 1 & -Words.BYTES;
        return at;
    }

    /** Returns the bytes that are in use. */
    public long used() {
        return used;
    }

    /** Takes back every piece that was taken since {@code used()} returned {@code used}. */
    public void reset(long used) {
        this.used = used;
    }
}
