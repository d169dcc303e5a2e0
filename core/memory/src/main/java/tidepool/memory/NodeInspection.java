package tidepool.memory;

import java.lang.foreign.MemorySegment;
import java.util.function.ObjIntConsumer;
import tidepool.base.Id128;
import tidepool.base.InvariantException;
import tidepool.base.Words;

/**
 * A read-only inspection of the memory of a node or region. It takes no lock, changes nothing, and needs only memory
 * that can be read. It returns faults as text and does not throw them.
 */
public final class NodeInspection {
    private NodeInspection() {}

    /** Returns the fault of a node's own memory as a sentence, or null. A negative number means any node. */
    public static String faultOfNode(MemorySegment meta, int number) {
        if (meta.byteSize() < NodeLayout.HEADER.byteSize())
            return "too short for a memory node: bytes=" + meta.byteSize();
        int expected = number >= 0 ? number : meta.get(Words.U32, NodeLayout.NODE);
        try {
            new MemoryNode(
                    expected,
                    new MetaAlone(meta),
                    () -> new Id128(0, 0),
                    SessionLiveness.NEVER_DEAD,
                    1,
                    Handlers.off());
            return null;
        } catch (MemoryNodeException e) {
            return e.getMessage();
        }
    }

    /** Returns the fault of a region's header as a sentence, or null. A negative number means any region. */
    public static String faultOfRegion(MemorySegment whole, int number) {
        if (whole.byteSize() < RegionLayout.EXTENT_MAP) return "too short for a region: bytes=" + whole.byteSize();
        try {
            NodeRegion.open(
                    null,
                    whole,
                    number >= 0 ? number : whole.get(Words.U32, RegionLayout.NUMBER),
                    NodeLayout.REGION_LIVE);
            return null;
        } catch (MemoryNodeException e) {
            return e.getMessage();
        }
    }

    /** Visits the extents of a region without fault, each with its session. Returns the fault of the map, or null. */
    public static String extents(MemorySegment whole, ObjIntConsumer<Extent> visitor) {
        try {
            new ExtentMap(whole).visit(visitor);
            return null;
        } catch (MemoryNodeException | InvariantException e) {
            return e.getMessage();
        }
    }

    /** A node whose regions are never used. */
    private record MetaAlone(MemorySegment meta) implements RegionStore {
        @Override
        public MemorySegment create(int number, long bytes) {
            throw new UnsupportedOperationException("create");
        }

        @Override
        public MemorySegment open(int number, long bytes) {
            throw new UnsupportedOperationException("open");
        }

        @Override
        public void delete(int number) {
            throw new UnsupportedOperationException("delete");
        }
    }
}
