package tidepool.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.node.journal.EntryVisitor;
import tidepool.node.journal.JournalEntry;
import tidepool.node.journal.JournalException;
import tidepool.node.journal.JournalRecovery;
import tidepool.node.journal.Life;
import tidepool.node.journal.SystemDisk;

/**
 * Summary of a whole journal: whether it is sound, the last life of the node, and the epoch of each pool. Reads the
 * journal without keeping the rest of it, so it needs no memory.
 */
final class JournalSummary implements EntryVisitor {
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private long life;
    private long block;

    private JournalSummary() {}

    /**
     * Returns null if no journal has begun there. Throws {@link JournalException} if the journal must not be served.
     */
    static JournalSummary at(Path journal) {
        JournalSummary summary = new JournalSummary();
        try {
            JournalRecovery found = JournalRecovery.read(new SystemDisk(journal), summary);
            if (found == null) return null;
            summary.block = found.sequence();
            return summary;
        } catch (IOException e) {
            throw new UserError("cannot read " + journal + ": " + e.getMessage());
        }
    }

    /** Returns how often the node was started. */
    long life() {
        return life;
    }

    /** Returns the number of the last block of the journal. */
    long block() {
        return block;
    }

    boolean holds(String pool) {
        return names.containsValue(pool);
    }

    /** Returns the last epoch in which the node was in the pool; 0 if it never was. */
    long epoch(String pool) {
        for (Map.Entry<Integer, String> one : names.entrySet())
            if (one.getValue().equals(pool)) return epochs.getOrDefault(one.getKey(), 0L);
        return 0;
    }

    @Override
    public boolean pool(int pool, String name, Id128 id, int number, int nodes) {
        names.put(pool, name);
        return true;
    }

    @Override
    public boolean create(int pool, int region, long bytes) {
        return true;
    }

    @Override
    public boolean delete(int pool, int region) {
        return true;
    }

    @Override
    public boolean bytes(int pool, int region, long offset, MemorySegment from, long at, long length) {
        if (region == JournalEntry.META && hasEpoch(offset, length))
            epochs.put(pool, from.get(Words.U64.withByteAlignment(1), at + NodeLayout.EPOCH - offset));
        return true;
    }

    @Override
    public boolean zero(int pool, int region, long offset, long length) {
        if (region == JournalEntry.META && hasEpoch(offset, length)) epochs.put(pool, 0L);
        return true;
    }

    private static boolean hasEpoch(long offset, long length) {
        return offset <= NodeLayout.EPOCH && NodeLayout.EPOCH + Long.BYTES <= offset + length;
    }

    @Override
    public boolean life(Life begins) {
        life = begins.number();
        return true;
    }
}
