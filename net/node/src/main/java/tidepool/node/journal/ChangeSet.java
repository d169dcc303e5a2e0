package tidepool.node.journal;

import java.lang.foreign.MemorySegment;

/** The changes of one control call. The thread that executes the call collects them for the owner of the journal. */
public final class ChangeSet {
    private final EntryBuffer entries = new EntryBuffer();
    private final int pool;
    private Runnable whenKept;

    public ChangeSet(int pool) {
        this.pool = pool;
    }

    /** Records the present bytes of a region, or of the pool's own memory ({@link JournalEntry#META}). */
    public void bytes(int region, MemorySegment memory, long offset, long length) {
        entries.bytes(pool, region, offset, memory, offset, length);
    }

    public void zero(int region, long offset, long length) {
        entries.zero(pool, region, offset, length);
    }

    /** Records a new region, all zeros. */
    public void create(int region, long bytes) {
        entries.create(pool, region, bytes);
    }

    public void delete(int region) {
        entries.delete(pool, region);
    }

    /** Sets a task to run when all these changes are kept. If that never happens, the next start does its work. */
    public void whenKept(Runnable task) {
        whenKept = task;
    }

    /** Returns null if there is no task. */
    public Runnable whenKept() {
        return whenKept;
    }

    EntryBuffer entries() {
        return entries;
    }
}
