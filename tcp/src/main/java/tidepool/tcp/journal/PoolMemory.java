package tidepool.tcp.journal;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import tidepool.base.Id128;

/**
 * The memory of one pool of a node, for a checkpoint.
 *
 * @param pool its number in the journal
 * @param number which node of the pool this is
 * @param regions whole regions that live, by number
 */
public record PoolMemory(
        int pool,
        String name,
        Id128 id,
        int number,
        int nodes,
        MemorySegment meta,
        Map<Integer, MemorySegment> regions) {}
