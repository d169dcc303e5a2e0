package tidepool.fabric.direct;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.memory.AccessCode;
import tidepool.memory.NodeRegion;

/**
 * A region mapped into this process. {@code opened} is null for a handle that opens nothing: every verb on it is
 * refused.
 */
final class DirectRegion extends Region {
    /** Bytes of a cache line. */
    private static final long LINE = 64;

    final NodeRegion opened;
    final MemorySegment data;
    final long dataBytes;

    /** The connection of its link on which it was opened. */
    final int connection;

    private final long address;

    /** Number of hints given by loads. */
    private int loads;

    /** The range written since the last FLUSH; kept only if durability was requested. */
    private long dirtyFrom = Long.MAX_VALUE;

    private long dirtyTo;

    DirectRegion(Link link, int handle, NodeRegion opened, int connection) {
        super(link, handle);
        this.connection = connection;
        this.opened = opened;
        this.data = opened == null ? MemorySegment.NULL : opened.data();
        this.dataBytes = opened == null ? 0 : opened.dataBytes();
        this.address = data.address();
    }

    @Override
    public int number() {
        return opened == null ? -1 : opened.number();
    }

    @Override
    public long bytes() {
        return dataBytes;
    }

    @Override
    public long expect(long offset, long length, boolean written) {
        if (Prefetch.isReady()) {
            // Two lines. The processor fetches the following lines by itself once it detects the access pattern.
            long at = address + offset;
            Prefetch.near(at, at + Math.min(length - 1, LINE), written);
            return 0;
        }
        Prefetch.hinted(++loads);
        if (opened == null || opened.range(offset, Words.BYTES) != AccessCode.GRANTED) return 0;
        try {
            return Words.opaque(data, offset);
        } catch (IllegalStateException e) {
            return 0; // the pool is closed; the verbs will report it
        }
    }

    void dirty(long from, long length) {
        dirtyFrom = Math.min(dirtyFrom, from);
        dirtyTo = Math.max(dirtyTo, from + length);
    }

    /** Makes the bytes persistent that were written through this connection since the last call. */
    void force() {
        if (dirtyTo > dirtyFrom && data.isMapped())
            data.asSlice(dirtyFrom, dirtyTo - dirtyFrom).force();
        dirtyFrom = Long.MAX_VALUE;
        dirtyTo = 0;
    }
}
