package tidepool.node.journal;

import java.lang.foreign.MemorySegment;
import tidepool.base.Id128;

/**
 * A visitor of the entries of a journal, in order. Each method returns whether the entry is consistent with the entries
 * before it. A journal with an inconsistent entry is damaged.
 */
public interface EntryVisitor {
    /**
     * Called when a pool begins, with memory of its own that is zero. Called again for a known pool when the node's
     * place in it may have changed.
     *
     * @param pool its number in the journal
     */
    boolean pool(int pool, String name, Id128 id, int number, int nodes);

    /** Called when a region begins, all zeros. It replaces any region of that number. */
    boolean create(int pool, int region, long bytes);

    /** Called when a region is deleted. */
    boolean delete(int pool, int region);

    /**
     * Called when bytes are set at an offset of the whole region, or of the pool's memory ({@link JournalEntry#META}).
     */
    boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length);

    boolean zero(int pool, int region, long offset, long length);

    /** Called when a life of the node begins. A checkpoint repeats the last lives before it, in order. */
    default boolean life(Life life) {
        return true;
    }

    /** Called when a life of the node has ended in order. */
    default boolean closed() {
        return true;
    }

    /** Called when a checkpoint ends. The checkpoint is valid only with a journal that reaches at least that block. */
    default boolean end(long block) {
        return true;
    }
}
