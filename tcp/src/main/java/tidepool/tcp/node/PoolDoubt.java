package tidepool.tcp.node;

import java.lang.foreign.MemorySegment;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.tcp.journal.Entry;
import tidepool.tcp.journal.Journal;
import tidepool.tcp.journal.Shortfall;

/**
 * Whether what a node holds of a pool may be older than what the node has acknowledged: its journal was found too short,
 * or a client has said so, and the pool has not been filled since. The node's loop alone uses it.
 *
 * <pre>
 *   word "doubt" of the pool's own memory
 *   bit 63      a client has said so: other copies are newer, or this one is being filled
 *   bits 0-62   the start with a shortfall, by its losses of power, up to which the pool was filled since
 * </pre>
 */
final class PoolDoubt {
    private static final long SAID = 1L << 63;

    /** Session numbers that are left out: they may have been given out before, and the journal does not know. */
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

    /** The node has started with it. */
    void started() {
        if (journal.isBelieved()) set(false);
        long next = Words.plain(meta, NodeLayout.NEXT_SESSION) + SKIPPED_SESSIONS;
        if (isDoubted() && next < NodeLayout.CONTROL_SESSION) put(NodeLayout.NEXT_SESSION, next);
    }

    private void put(long offset, long word) {
        Words.release(meta, offset, word);
        journal.word(pool, Entry.META, offset, word);
    }

    /** For the wire: whether it is doubted; segment, last block and acknowledged block of the last shortfall, or zeros. */
    long[] words() {
        Shortfall last = journal.shortfall();
        return new long[] {isDoubted() ? 1 : 0, last.segment(), last.sequence(), last.acknowledged()};
    }
}
