package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.node.journal.ChangeSet;
import tidepool.node.journal.Journal;
import tidepool.node.journal.JournalEntry;

/** The recorder of the changes of one pool in the node's journal. Only the node's loop uses it. */
final class PoolJournal {
    private final NodeJournal node;
    private final Journal journal;
    private final int pool;
    private final MemorySegment meta;
    private final UnflushedLines lines;
    private final PoolDoubt doubt;

    /** @param pool its number in the journal */
    PoolJournal(NodeJournal node, int pool, MemorySegment meta) {
        this.node = node;
        this.journal = node.journal();
        this.pool = pool;
        this.meta = meta;
        this.lines = node.lines();
        this.doubt = new PoolDoubt(journal, pool, meta);
    }

    Journal journal() {
        return journal;
    }

    PoolDoubt doubt() {
        return doubt;
    }

    /** Returns whether more can be written: false if the disk is full and the waiting bytes are at their limit. */
    boolean hasJournalSpace() {
        return lines != null || journal.hasJournalSpace();
    }

    /** Returns the ticket of all writes so far; 0 if they are persistent already, -1 if the disk is full. */
    long flush() {
        if (lines == null) return journal.isFull() ? -1 : journal.ticket();
        lines.force();
        return 0;
    }

    /** Called when a control call on the control thread has zeroed an extent. */
    void zeroed(ChangeSet changes, NodeRegion region, long offset, long length) {
        long at = dataAt(region) + offset;
        if (lines == null) changes.zero(region.number(), at, length);
        else lines.force(region.whole(), at, at + length);
    }

    /** Called when a control call on the control thread has freed a region. */
    void freed(ChangeSet changes, int region) {
        changes.delete(region);
        if (lines != null) changes.whenKept(() -> lines.remove(pool, region));
    }

    /** Called when bytes that verbs can address were written. */
    void written(NodeRegion region, long offset, MemorySegment from, long at, long length) {
        if (lines != null) {
            lines.written(region.whole(), dataAt(region) + offset, length);
            return;
        }
        journal.bytes(pool, region.number(), dataAt(region) + offset, from, at, length);
    }

    void written(NodeRegion region, long offset, long value) {
        if (lines != null) {
            lines.written(region.whole(), dataAt(region) + offset, Words.BYTES);
            return;
        }
        journal.word(pool, region.number(), dataAt(region) + offset, value);
    }

    private static long dataAt(NodeRegion region) {
        return region.whole().byteSize() - region.dataBytes();
    }

    /** Called when the node has another place in the pool. */
    void placed(HostedPool.Place place) {
        node.placed(pool, place);
    }

    /** Called when a word of the node's own memory has changed. */
    void meta(long offset) {
        journal.word(pool, JournalEntry.META, offset, Words.plain(meta, offset));
    }

    /** Called when the slot of a session has changed. A negative slot means none. */
    void slot(int slot) {
        if (slot >= 0)
            journal.bytes(
                    pool, JournalEntry.META, NodeLayout.session(slot), meta, NodeLayout.session(slot), SLOT_BYTES);
    }

    private static final long SLOT_BYTES = NodeLayout.SESSION.byteSize();

    /** Returns an empty change set for a call on the control thread. */
    ChangeSet changes() {
        return new ChangeSet(pool);
    }
}
