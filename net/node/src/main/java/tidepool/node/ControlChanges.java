package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.Extent;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.RegionLayout;
import tidepool.node.journal.ChangeSet;
import tidepool.node.journal.JournalEntry;

/**
 * The executor of one control call on regions and extents, which collects the changes for the journal. It runs on the
 * control thread, one call at a time. Memory that it reads after the call is therefore as the call has left it.
 */
final class ControlChanges {
    private final MemoryNode node;
    private final PoolJournal journal;
    private final ChangeSet changes;

    /** @param journal null if the node has no journal */
    ControlChanges(MemoryNode node, PoolJournal journal) {
        this.node = node;
        this.journal = journal;
        this.changes = journal == null ? null : journal.changes();
    }

    /** Returns null if the node has no journal. */
    ChangeSet changes() {
        return changes;
    }

    Id128 createRegion(long bytes) {
        Id128 capability = node.createRegion(bytes);
        if (changes != null) {
            NodeRegion region = node.openRegion(capability);
            int number = region.number();
            MemorySegment whole = region.whole();
            changes.create(number, whole.byteSize());
            changes.bytes(number, whole, 0, RegionLayout.HEADER.byteSize());
            entry(number);
            changes.bytes(JournalEntry.META, node.meta(), NodeLayout.REGION_COUNT, Words.BYTES);
        }
        return capability;
    }

    void freeRegion(Id128 capability) {
        NodeRegion region = changes == null ? null : node.openRegion(capability);
        node.freeRegion(capability);
        if (region == null) return;
        entry(region.number());
        journal.freed(changes, region.number());
    }

    Extent allocate(Id128 capability, long bytes, int session) {
        Extent extent = node.allocate(capability, bytes, session);
        NodeRegion region = changes == null ? null : node.openRegion(capability);
        if (region != null) {
            journal.zeroed(changes, region, extent.offset(), extent.bytes());
            map(region, extent);
        }
        return extent;
    }

    void free(Id128 capability, Extent extent) {
        NodeRegion region = changes == null ? null : node.openRegion(capability);
        node.free(capability, extent);
        if (region != null) map(region, extent);
    }

    private void entry(int number) {
        changes.bytes(JournalEntry.META, node.meta(), NodeLayout.region(number), NodeLayout.REGION.byteSize());
    }

    private void map(NodeRegion region, Extent extent) {
        long granule = Words.plain(region.whole(), RegionLayout.GRANULE);
        long at = RegionLayout.EXTENT_MAP + extent.offset() / granule * Words.BYTES;
        changes.bytes(region.number(), region.whole(), at, extent.bytes() / granule * Words.BYTES);
    }
}
