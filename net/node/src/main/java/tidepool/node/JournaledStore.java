package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.memory.RegionStore;

/** The regions of a node with a journal. They are recovered from the journal when the node starts. */
interface JournaledStore extends RegionStore {
    /** Returns the memory of a region; null if there is none. */
    MemorySegment known(int number);

    /** Releases all memory, when no verb and no other thread uses it any more. */
    void close();
}
