package tidepool.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.Journal;
import tidepool.node.journal.JournalEntry;
import tidepool.wire.Shortfall;

/**
 * The mark that a node's copy of a pool may be older than what the node has acknowledged. A copy is doubted if the
 * journal was found too short, or if a client has declared it, and the pool has not been filled since. Only the node's
 * loop uses it.
 *
 * <pre>
 *   word "doubt" of the pool's own memory
 *   bit 63      declared by a client: other copies are newer, or this one is being filled
 *   bits 0-62   the start with a shortfall, by its losses of power, up to which the pool was filled since
 * </pre>
 */
final class PoolDoubt {
    private static final long SAID = 1L << 63;

    /** Session numbers that are skipped: they may have been given out by a life whose records the journal has lost. */
    private static final long SKIPPED_SESSIONS = 1 << 14;

    private final Journal journal;
    private final int pool;
    private final MemorySegment meta;

    /** @param pool its number in the journal */
    PoolDoubt(Journal journal, int pool, MemorySegment meta) {
        this.journal = journal;
        this.pool = pool;
        this.meta = meta;
    }

    boolean isDoubted() {
        long word = Words.plain(meta, NodeLayout.DOUBT);
        return word < 0 || journal.shortfall().at() > word;
    }

    void set(boolean doubted) {
        long filled = journal.shortfall().at();
        put(NodeLayout.DOUBT, doubted ? Words.plain(meta, NodeLayout.DOUBT) | SAID : filled);
    }

    /** Called when the node has started with this pool. */
    void started() {
        if (journal.isBelieved()) set(false);
        long next = Words.plain(meta, NodeLayout.NEXT_SESSION) + SKIPPED_SESSIONS;
        if (isDoubted() && next < NodeLayout.CONTROL_SESSION) put(NodeLayout.NEXT_SESSION, next);
    }

    private void put(long offset, long word) {
        Words.release(meta, offset, word);
        journal.word(pool, JournalEntry.META, offset, word);
    }

    /**
     * Returns the words for the wire: 1 if the copy is doubted, else 0; then segment, last block and acknowledged block
     * of the last shortfall, or zeros.
     */
    long[] words() {
        Shortfall last = journal.shortfall();
        return new long[] {isDoubted() ? 1 : 0, last.segment(), last.sequence(), last.acknowledged()};
    }
}
