package tidepool.fabric.direct;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.fabric.Link;
import tidepool.fabric.Region;
import tidepool.memory.Access;
import tidepool.memory.NodeRegion;

/** A region mapped here. {@code opened} is null for a handle that opens nothing: every verb on it is refused. */
final class DirectRegion extends Region {
    /** Bytes that a processor fetches at once. */
    private static final long LINE = 64;

    final NodeRegion opened;
    final MemorySegment data;
    final long dataBytes;

    /** The connection of its link on which it was opened. */
    final int connection;

    private final long address;

    /** Hints given by loads. */
    private int loads;

    /** The range written since the last FLUSH; kept only where durability was asked for. */
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
            // Two lines; what lies behind them the processor fetches by itself once it sees where it goes.
            long at = address + offset;
            Prefetch.near(at, at + Math.min(length - 1, LINE), written);
            return 0;
        }
        Prefetch.hinted(++loads);
        if (opened == null || opened.range(offset, Words.BYTES) != Access.GRANTED) return 0;
        try {
            return Words.opaque(data, offset);
        } catch (IllegalStateException e) {
            return 0; // the pool is closed, as the verbs will say
        }
    }

    void dirty(long from, long length) {
        dirtyFrom = Math.min(dirtyFrom, from);
        dirtyTo = Math.max(dirtyTo, from + length);
    }

    /** Makes persistent what was written through this connection since the last time. */
    void force() {
        if (dirtyTo > dirtyFrom && data.isMapped())
            data.asSlice(dirtyFrom, dirtyTo - dirtyFrom).force();
        dirtyFrom = Long.MAX_VALUE;
        dirtyTo = 0;
    }
}
