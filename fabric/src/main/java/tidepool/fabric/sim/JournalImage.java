package tidepool.fabric.sim;

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
 * What a node that keeps a journal would still have after a power failure: what verbs have left behind, in their order, up
 * to some verb. A FLUSH covers everything that was carried out before it, whoever sent it.
 */
final class JournalImage extends PersistentImage {
    /** What a verb has left behind. */
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

    /** A control call waits for all that was before it; so does what is written though nobody waits for it. */
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
    void failPower(Randomness random, Reached reached) {
        // All, nothing or some: where two nodes differ most, there is most to be repaired.
        int cut = random.chance(1, 2) ? random.nextInt(waiting.size() + 1) : random.nextBoolean() ? waiting.size() : 0;
        failPower(cut, reached);
    }

    /** Up to the first that does not survive. */
    @Override
    void failPower(SimFabric.Surviving surviving, Reached reached) {
        int cut = 0;
        for (Entry entry : waiting) {
            if (!surviving.survives(entry.region.number(), entry.offset & -LINE)) break;
            cut++;
        }
        failPower(cut, reached);
    }

    @Override
    void bringBack(List<byte[]> saved) {
        waiting.clear();
        super.bringBack(saved);
    }

    private void failPower(int cut, Reached reached) {
        for (int i = 0; i < cut; i++) reached.add(Reach.LINE_SURVIVED);
        for (int i = cut; i < waiting.size(); i++) reached.add(Reach.LINE_LOST);
        persist(cut);
        waiting.clear();
        for (int i = 0; i < memory.regionCount(); i++)
            if (memory.region(i) != null) memory.region(i).data().copyFrom(copyOf(memory.region(i)));
    }
}
