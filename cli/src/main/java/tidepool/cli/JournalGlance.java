package tidepool.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.memory.NodeLayout;
import tidepool.tcp.journal.Entry;
import tidepool.tcp.journal.JournalException;
import tidepool.tcp.journal.Life;
import tidepool.tcp.journal.Recovery;
import tidepool.tcp.journal.Replay;
import tidepool.tcp.journal.SystemDisk;

/**
 * Reads a whole journal for three things: whether it is sound, which life of the node was the last, and in which epoch each pool
 * was. Keeps nothing else of it, so it needs no memory.
 */
final class JournalGlance implements Replay {
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private long life;
    private long block;

    private JournalGlance() {}

    /** Null if no journal has begun there. Fails with {@link JournalException} if it is not to be served. */
    static JournalGlance at(Path journal) {
        JournalGlance glance = new JournalGlance();
        try {
            Recovery found = Recovery.read(new SystemDisk(journal), glance);
            if (found == null) return null;
            glance.block = found.sequence();
            return glance;
        } catch (IOException e) {
            throw new UserError("cannot read " + journal + ": " + e.getMessage());
        }
    }

    /** How often it was started. */
    long life() {
        return life;
    }

    /** The last block that is there. */
    long block() {
        return block;
    }

    boolean holds(String pool) {
        return names.containsValue(pool);
    }

    /** The epoch in which the node last was in that pool; 0 if it was in none. */
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
        if (region == Entry.META && hasEpoch(offset, length))
            epochs.put(pool, from.get(Words.U64.withByteAlignment(1), at + NodeLayout.EPOCH - offset));
        return true;
    }

    @Override
    public boolean zero(int pool, int region, long offset, long length) {
        if (region == Entry.META && hasEpoch(offset, length)) epochs.put(pool, 0L);
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
