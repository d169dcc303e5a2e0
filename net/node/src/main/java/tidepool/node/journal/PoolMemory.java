package tidepool.node.journal;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import tidepool.base.Id128;

/**
 * The memory of one pool of a node, for a checkpoint.
 *
 * @param pool its number in the journal
 * @param number the number of this node in the pool
 * @param regions the live regions, by number
 */
public record PoolMemory(
        int pool, String name, Id128 id, int number, int nodes, MemorySegment meta, Map<Integer, KeptRegion> regions) {

    /**
     * A region of the pool, of which the journal has a part.
     *
     * @param bytes of the whole region
     * @param kept the part that the journal has, from the beginning of the region on
     */
    public record KeptRegion(long bytes, MemorySegment kept) {}
}
