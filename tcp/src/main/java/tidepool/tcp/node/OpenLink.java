package tidepool.tcp.node;

import java.util.Arrays;
import java.util.function.LongSupplier;
import tidepool.base.Checks;
import tidepool.base.Words;
import tidepool.memory.Access;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/**
 * A link as the node sees it: under which epoch it was opened, which regions were opened on it, and whether a refusal has
 * broken it. Handles of an earlier opening open nothing, nor do those of regions that were freed.
 */
final class OpenLink implements OpenRegions {
    private static final int MOST_REGIONS = NodeLayout.REGIONS;
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

    /** @param journal null if nothing is kept */
    OpenLink(MemoryNode node, PoolJournal journal, int session) {
        this.node = node;
        this.journal = journal;
        this.session = session;
        this.epoch = node.epoch();
        // Readers have no slot. Their links look at a word of the node that never changes.
        boolean reads = session == NodeLayout.READER_SESSION;
        this.attachedWord = reads ? NodeLayout.MAGIC : SessionTable.attachedWord(session);
        this.stateAt = reads
                ? NodeLayout.MAGIC_AT
                : SessionTable.stateOffset(node.sessions().attached(session));
    }

    /** Memory that it takes in the node, about. */
    long heldBytes() {
        return OWN_BYTES + (long) REGION_BYTES * regions.length;
    }

    MemoryNode node() {
        return node;
    }

    /** Null if nothing is kept. */
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

    /** Whether the session may still send verbs: one read of its slot, one of the node's epoch. */
    int access() {
        boolean attached = Words.acquire(node.meta(), stateAt) == attachedWord;
        return attached && node.epoch() <= epoch ? Access.GRANTED : Access.EPOCH;
    }

    /**
     * The handle of a region, the same one if it is open already. The place of a region that was freed is used again,
     * under
     * another handle; so there is always one, since no more live than a node has entries.
     */
    long open(NodeRegion region, LongSupplier generations) {
        int place = -1;
        for (int i = 0; i < count; i++) {
            if (regions[i] == region) return handles[i];
            if (place < 0 && !regions[i].isLive()) place = i;
        }
        if (place < 0) place = count;
        Checks.invariant(place < MOST_REGIONS, "no more regions live than there are entries", place);
        if (place == regions.length) {
            regions = Arrays.copyOf(regions, Math.min(2 * count, MOST_REGIONS));
            handles = Arrays.copyOf(handles, regions.length);
        }
        regions[place] = region;
        handles[place] = generations.getAsLong() % GENERATIONS << HANDLE_BITS | place;
        if (place == count) count++;
        return handles[place];
    }

    /** The region behind a handle if it is one of this opening and lives; null otherwise. */
    NodeRegion region(long handle) {
        int place = (int) handle & MOST_REGIONS - 1;
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
