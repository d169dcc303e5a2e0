package tidepool.cli;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.fabric.direct.DirectFabric;
import tidepool.fabric.direct.FlushMode;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;
import tidepool.node.journal.NodeImage;

/** A fabric over images of a pool's nodes, for inspection. Writes stay in the images. */
final class ImageFabric extends DirectFabric {
    private final MemoryNode[] nodes;

    /** @param images one for each node of the pool, in node order */
    ImageFabric(List<NodeImage.Pool> images) {
        nodes = images.stream().map(ImageFabric::node).toArray(MemoryNode[]::new);
    }

    private static MemoryNode node(NodeImage.Pool image) {
        return new MemoryNode(
                image.meta().get(Words.U32, NodeLayout.NODE),
                new Images(image),
                Ids.secure(),
                SessionLiveness.NEVER_DEAD,
                NodeLayout.CONTROL_SESSION,
                Handlers.off());
    }

    @Override
    public String name() {
        return "images";
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public FlushMode flushMode() {
        return FlushMode.NONE;
    }

    @Override
    protected MemoryNode memoryNode(int node) {
        return nodes[node];
    }

    @Override
    protected boolean beforeAttach(int session) {
        return true;
    }

    @Override
    protected void afterClose(int session) {
        // No other process has to be notified.
    }

    @Override
    protected void awaitForeignQuiet(int session, MemoryNode node) {
        // There is no other process.
    }

    @Override
    public boolean isDead(int session) {
        return false;
    }

    @Override
    protected void release() {
        // The images belong to the caller.
    }

    /** The regions of an image. No region is ever added. */
    private record Images(NodeImage.Pool image) implements RegionStore {
        @Override
        public MemorySegment meta() {
            return image.meta();
        }

        @Override
        public MemorySegment create(int number, long bytes) {
            throw new IllegalStateException("this pool was never made");
        }

        @Override
        public MemorySegment open(int number, long bytes) {
            return image.regions().get(number);
        }

        @Override
        public void delete(int number) {
            // The memory stays in the image.
        }
    }
}
