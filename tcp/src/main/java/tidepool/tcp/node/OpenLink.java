package tidepool.tcp.node;

import tidepool.base.Words;
import tidepool.memory.Access;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/**
 * A link as the node sees it: under which epoch it was opened, which regions were opened on it, and whether a refusal has
 * broken it. Handles of an earlier opening open nothing.
 */
final class OpenLink implements OpenRegions {
    private static final int MOST_REGIONS = NodeLayout.REGIONS;
    private static final int HANDLE_BITS = 8;
    private static final long GENERATIONS = 1L << 23;

    private final MemoryNode node;
    private final PoolJournal journal;
    private final int session;
    private final long attachedWord;
    private final long stateAt;
    private final long epoch;
    private final long firstHandle;
    private NodeRegion[] regions = new NodeRegion[4];
    private int count;
    private boolean broken;

    OpenLink(MemoryNode node, int session, long generation) {
        this(node, null, session, generation);
    }

    /** @param journal null if nothing is kept */
    OpenLink(MemoryNode node, PoolJournal journal, int session, long generation) {
        this.node = node;
        this.journal = journal;
        this.session = session;
        this.attachedWord = SessionTable.attachedWord(session);
        this.stateAt = SessionTable.stateOffset(node.sessions().attached(session));
        this.epoch = node.epoch();
        this.firstHandle = generation % GENERATIONS << HANDLE_BITS;
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

    /** The handle of a region, the same one if it is open already. */
    long open(NodeRegion region) {
        for (int i = 0; i < count; i++) if (regions[i] == region) return firstHandle + i;
        if (count == regions.length) regions = java.util.Arrays.copyOf(regions, Math.min(2 * count, MOST_REGIONS));
        regions[count] = region;
        return firstHandle + count++;
    }

    /** The region behind a handle if it is one of this opening and lives; null otherwise. */
    NodeRegion region(long handle) {
        long index = handle - firstHandle;
        if (index < 0 || index >= count) return null;
        NodeRegion region = regions[(int) index];
        return region.isLive() ? region : null;
    }

    @Override
    public NodeRegion byNumber(int regionNumber) {
        for (int i = 0; i < count; i++) if (regions[i].number() == regionNumber) return regions[i];
        return null;
    }
}
