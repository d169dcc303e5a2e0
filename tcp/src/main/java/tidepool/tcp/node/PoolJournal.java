package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.tcp.journal.Changes;
import tidepool.tcp.journal.Entry;
import tidepool.tcp.journal.Journal;

/** What happens to one pool, told to the node's journal. The node's loop alone uses it. */
final class PoolJournal {
    private final NodeJournal node;
    private final Journal journal;
    private final int pool;
    private final MemorySegment meta;
    private final Lines lines;
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

    /** Whether more can be written: not if the disk is full, and so is the memory that waits for it. */
    boolean takesMore() {
        return lines != null || journal.takesMore();
    }

    /** The ticket of all that was written so far; 0 if it is kept already, -1 if it cannot be now. */
    long flush() {
        if (lines == null) return journal.isFull() ? -1 : journal.ticket();
        lines.force();
        return 0;
    }

    /** An extent was zeroed, by a call beside the loop that collects what it changes. */
    void zeroed(Changes changes, NodeRegion region, long offset, long length) {
        long at = dataAt(region) + offset;
        if (lines == null) changes.zero(region.number(), at, length);
        else lines.force(region.whole(), at, at + length);
    }

    /** A region was freed, by such a call. */
    void freed(Changes changes, int region) {
        changes.delete(region);
        if (lines != null) changes.whenKept(() -> lines.remove(pool, region));
    }

    /** Bytes that verbs reach are these now. */
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

    /** The node has another place in the pool than before. */
    void placed(HostedPool.Place place) {
        node.placed(pool, place);
    }

    /** A word of the node's own memory has changed. */
    void meta(long offset) {
        journal.word(pool, Entry.META, offset, Words.plain(meta, offset));
    }

    /** The slot of a session has changed; a negative one is none. */
    void slot(int slot) {
        if (slot >= 0)
            journal.bytes(pool, Entry.META, NodeLayout.session(slot), meta, NodeLayout.session(slot), SLOT_BYTES);
    }

    private static final long SLOT_BYTES = NodeLayout.SESSION.byteSize();

    /** For a control call that is carried out beside the loop. */
    Changes changes() {
        return new Changes(pool);
    }
}
