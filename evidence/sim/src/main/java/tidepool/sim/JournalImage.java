package tidepool.sim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import tidepool.base.Randomness;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeRegion;

/**
 * The data that a node with a journal has after a power failure: the writes of its verbs, in their order, up to some
 * verb. A FLUSH covers all verbs executed before it, of all sessions.
 */
final class JournalImage extends PersistentImage {
    /** The write of a verb. */
    private record Entry(NodeRegion region, long offset, MemorySegment bytes) {}

    private final Deque<Entry> waiting = new ArrayDeque<>();

    JournalImage(Arena arena, MemoryNode memory) {
        super(arena, memory);
    }

    @Override
    void written(NodeRegion region, long offset, long length) {
        byte[] bytes = region.data().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        waiting.add(new Entry(region, offset, MemorySegment.ofArray(bytes)));
    }

    @Override
    void flush(DirtyLines dirty) {
        persist(waiting.size());
        dirty.clear();
    }

    /**
     * Persists all earlier writes first: a control call waits for them, and a line that is written back by itself
     * follows them.
     */
    @Override
    void persist(NodeRegion region, long line) {
        persist(waiting.size());
        super.persist(region, line);
    }

    private void persist(int entries) {
        for (int i = 0; i < entries; i++) {
            Entry entry = waiting.remove();
            MemorySegment.copy(entry.bytes, 0, copyOf(entry.region), entry.offset, entry.bytes.byteSize());
        }
    }

    @Override
    void failPower(Randomness random, Coverage coverage) {
        // All, nothing or some: the more two nodes differ, the more there is to repair.
        int cut = random.chance(1, 2) ? random.nextInt(waiting.size() + 1) : random.nextBoolean() ? waiting.size() : 0;
        failPower(cut, coverage);
    }

    /** Keeps the writes up to the first that does not survive. */
    @Override
    void failPower(SimFabric.Surviving surviving, Coverage coverage) {
        int cut = 0;
        for (Entry entry : waiting) {
            if (!surviving.survives(entry.region.number(), entry.offset & -LINE)) break;
            cut++;
        }
        failPower(cut, coverage);
    }

    @Override
    void bringBack(List<byte[]> saved) {
        waiting.clear();
        super.bringBack(saved);
    }

    private void failPower(int cut, Coverage coverage) {
        for (int i = 0; i < cut; i++) coverage.add(CoveragePoint.LINE_SURVIVED);
        for (int i = cut; i < waiting.size(); i++) coverage.add(CoveragePoint.LINE_LOST);
        persist(cut);
        waiting.clear();
        for (int i = 0; i < memory.regionCount(); i++)
            if (memory.region(i) != null) memory.region(i).data().copyFrom(copyOf(memory.region(i)));
    }
}
