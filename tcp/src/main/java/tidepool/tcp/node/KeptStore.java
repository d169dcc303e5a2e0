package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.memory.RegionStore;

/** Regions of a node that has a journal, which come out of it when the node starts. */
interface KeptStore extends RegionStore {
    /** The memory of a region; null if there is none. */
    MemorySegment known(int number);

    /** Nobody looks any more. */
    void close();
}
