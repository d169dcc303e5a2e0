package tidepool.node;

import java.util.Arrays;
import java.util.function.LongSupplier;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.memory.AccessCode;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/**
 * The node's side of a link: the epoch under which it was opened, the regions that were opened on it, and whether a
 * refusal has broken it. Handles from an earlier opening of the link are invalid, and so are handles of freed regions.
 */
final class OpenLink implements OpenRegions {
    private static final int MAX_REGIONS = NodeLayout.REGIONS;
    private static final int OWN_BYTES = 128;
    private static final int REGION_BYTES = 16;
    private static final int HANDLE_BITS = 8;
    private static final long GENERATIONS = 1L << 23;

    private final MemoryNode node;
    private final PoolJournal journal;
    private final int session;
    private final long attachedWord;
    private final long stateAt;
    private final long epoch;
    private NodeRegion[] regions = new NodeRegion[4];
    private long[] handles = new long[4];
    private int count;
    private boolean broken;

    OpenLink(MemoryNode node, int session) {
        this(node, null, session);
    }

    /** @param journal null if the node has no journal */
    OpenLink(MemoryNode node, PoolJournal journal, int session) {
        this.node = node;
        this.journal = journal;
        this.session = session;
        this.epoch = node.epoch();
        // Reader sessions have no slot. Their links check a word of the node that never changes.
        boolean reads = session == NodeLayout.READER_SESSION;
        this.attachedWord = reads ? NodeLayout.MAGIC : SessionTable.attachedWord(session);
        this.stateAt = reads
                ? NodeLayout.MAGIC_AT
                : SessionTable.stateOffset(node.sessions().attached(session));
    }

    /** Returns the approximate memory of the node that the link uses. */
    long heldBytes() {
        return OWN_BYTES + (long) REGION_BYTES * regions.length;
    }

    MemoryNode node() {
        return node;
    }

    /** Returns null if the node has no journal. */
    PoolJournal journal() {
        return journal;
    }

    int session() {
        return session;
    }

    long epoch() {
        return epoch;
    }

    boolean isBroken() {
        return broken;
    }

    void breakDown() {
        broken = true;
    }

    /** Checks whether the session may still send verbs, with one read of its slot and one of the node's epoch. */
    int access() {
        boolean attached = Words.acquire(node.meta(), stateAt) == attachedWord;
        return attached && node.epoch() <= epoch ? AccessCode.GRANTED : AccessCode.EPOCH;
    }

    /**
     * Returns the handle of a region; the present handle if it is open already. The place of a freed region is used
     * again, under another handle. So there is always a place, because a node has no more live regions than entries.
     */
    long open(NodeRegion region, LongSupplier generations) {
        int place = -1;
        for (int i = 0; i < count; i++) {
            if (regions[i] == region) return handles[i];
            if (place < 0 && !regions[i].isLive()) place = i;
        }
        if (place < 0) place = count;
        Checks.invariant(place < MAX_REGIONS, "no more regions live than there are entries", place);
        if (place == regions.length) {
            regions = Arrays.copyOf(regions, Math.min(2 * count, MAX_REGIONS));
            handles = Arrays.copyOf(handles, regions.length);
        }
        regions[place] = region;
        handles[place] = generations.getAsLong() % GENERATIONS << HANDLE_BITS | place;
        if (place == count) count++;
        return handles[place];
    }

    /** Returns the region of a handle; null if the handle is not of this opening or the region was freed. */
    NodeRegion region(long handle) {
        int place = (int) handle & MAX_REGIONS - 1;
        if (place >= count || handles[place] != handle) return null;
        NodeRegion region = regions[place];
        return region.isLive() ? region : null;
    }

    @Override
    public NodeRegion byNumber(int regionNumber) {
        for (int i = 0; i < count; i++)
            if (regions[i].number() == regionNumber && regions[i].isLive()) return regions[i];
        return null;
    }
}
