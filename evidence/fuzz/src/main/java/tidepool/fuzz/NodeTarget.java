package tidepool.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.InvariantException;
import tidepool.base.Words;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;

/**
 * A node's own memory is opened and used, or refused by a {@link MemoryNodeException} or an {@link InvariantException}.
 * The input is words to change in the memory of a good node with one region.
 */
final class NodeTarget implements FuzzTarget, RegionStore {
    private static final long REGION_BYTES = 64 << 10;

    private final MemorySegment meta = Arena.ofAuto().allocate(NodeLayout.BYTES, 4096);
    private final MemorySegment region = Arena.ofAuto().allocate(REGION_BYTES, 4096);
    private final MemorySegment good = Arena.ofAuto().allocate(NodeLayout.over(0), 4096);
    private final MemorySegment goodRegion = Arena.ofAuto().allocate(REGION_BYTES, 4096);
    private MemorySegment regionNow = region;

    NodeTarget() {
        MemoryNode.format(meta, 0);
        node().createRegion(16 << 10);
        MemorySegment.copy(meta, 0, good, 0, good.byteSize());
        MemorySegment.copy(region, 0, goodRegion, 0, REGION_BYTES);
    }

    private MemoryNode node() {
        return new MemoryNode(
                0, this, () -> new Id128(7, 8), SessionLiveness.NEVER_DEAD, NodeLayout.CONTROL_SESSION, Handlers.off());
    }

    @Override
    public void feed(byte[] input) {
        MemorySegment.copy(good, 0, meta, 0, good.byteSize());
        MemorySegment.copy(goodRegion, 0, region, 0, REGION_BYTES);
        Bytes from = new Bytes(input);
        while (from.hasMore()) {
            long at = from.u16() * (long) Words.BYTES % good.byteSize();
            // A node waits for a lock that is held. This is right, but the wait would not end here.
            if (at != NodeLayout.CONTROL_LOCK) Words.plain(meta, at, from.u64());
        }
        try {
            MemoryNode node = node();
            for (Id128 capability : node.capabilities()) if (capability != null) node.openRegion(capability);
            node.openRegion(new Id128(7, 8));
            node.statistics();
            node.sessions().attach(5, 1, node.epoch());
            node.sessions().revoke(5);
            node.allocate(new Id128(7, 8), 4096, 0);
        } catch (MemoryNodeException | InvariantException e) {
            // Refused.
        }
    }

    @Override
    public MemorySegment meta() {
        return meta;
    }

    @Override
    public MemorySegment create(int number, long bytes) {
        regionNow = region.asSlice(0, bytes);
        return regionNow;
    }

    @Override
    public MemorySegment open(int number, long bytes) {
        if (number != 0 || bytes != regionNow.byteSize())
            throw new MemoryNodeException(MemoryNodeException.Reason.CORRUPT, "no such region: number=" + number);
        return regionNow;
    }

    @Override
    public void delete(int number) {
        // There is only one region, and it is made anew for each input.
    }
}
