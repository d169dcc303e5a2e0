package tidepool.store;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;

/**
 * A coordinator's local memory for one transaction: landing buffers, images being made. Handed out from the front and
 * taken back all at once.
 */
public final class Scratch {
    private final MemorySegment memory;
    private long used;

    public Scratch(MemorySegment memory) {
        this.memory = memory;
    }

    public MemorySegment memory() {
        return memory;
    }

    /** Offset of so many bytes; -1 when there is no room left. What lies there is whatever was left there. */
    public long take(long bytes) {
        long at = used;
        if (at + bytes > memory.byteSize()) return -1;
        used = at + bytes + Words.BYTES - 1 & -Words.BYTES;
        return at;
    }

    public long used() {
        return used;
    }

    /** Takes back everything that was taken since {@code used} was so. */
    public void reset(long used) {
        this.used = used;
    }
}
