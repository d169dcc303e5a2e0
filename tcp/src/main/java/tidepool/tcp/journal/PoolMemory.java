package tidepool.tcp.journal;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import tidepool.base.Id128;

/**
 * The memory of one pool of a node, for a checkpoint.
 *
 * @param pool its number in the journal
 * @param number which node of the pool this is
 * @param regions those that live, by number
 */
public record PoolMemory(
        int pool, String name, Id128 id, int number, int nodes, MemorySegment meta, Map<Integer, Region> regions) {

    /**
     * A region.
     *
     * @param bytes of all of it
     * @param kept what of it the journal has, from its beginning on
     */
    public record Region(long bytes, MemorySegment kept) {}
}
