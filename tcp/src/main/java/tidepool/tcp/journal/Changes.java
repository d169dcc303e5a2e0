package tidepool.tcp.journal;

import java.lang.foreign.MemorySegment;

/** What a control call has changed, collected where it is carried out and handed to the owner of the journal. */
public final class Changes {
    private final EntryBuffer entries = new EntryBuffer();
    private final int pool;
    private Runnable whenKept;

    public Changes(int pool) {
        this.pool = pool;
    }

    /** Bytes of a region, or of the pool's own memory ({@link Entry#META}), are as they are in this memory. */
    public void bytes(int region, MemorySegment memory, long offset, long length) {
        entries.bytes(pool, region, offset, memory, offset, length);
    }

    public void zero(int region, long offset, long length) {
        entries.zero(pool, region, offset, length);
    }

    /** A region has come, all zeros. */
    public void create(int region, long bytes) {
        entries.create(pool, region, bytes);
    }

    public void delete(int region) {
        entries.delete(pool, region);
    }

    /** Something that is done when all of this is kept, and at the next start if it never comes to that. */
    public void whenKept(Runnable task) {
        whenKept = task;
    }

    /** Null if there is nothing. */
    public Runnable whenKept() {
        return whenKept;
    }

    EntryBuffer entries() {
        return entries;
    }
}
