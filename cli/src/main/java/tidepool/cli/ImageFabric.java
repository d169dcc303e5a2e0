package tidepool.cli;

import java.lang.foreign.MemorySegment;
import java.util.List;
import tidepool.base.Ids;
import tidepool.base.Words;
import tidepool.fabric.direct.DirectFabric;
import tidepool.fabric.direct.Durability;
import tidepool.memory.Handlers;
import tidepool.memory.MemoryNode;
import tidepool.memory.NodeLayout;
import tidepool.memory.RegionStore;
import tidepool.memory.SessionLiveness;
import tidepool.tcp.journal.NodeImage;

/** A pool as it lies in images of its nodes, for whoever looks at it. What is written stays in the images. */
final class ImageFabric extends DirectFabric {
    private final MemoryNode[] nodes;

    /** @param images of all nodes of the pool, in their order */
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
    public Durability durability() {
        return Durability.NONE;
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
        // There is nobody to tell.
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
        // The images are somebody else's.
    }

    /** Regions that are there; no others come. */
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
            // It stays in the image.
        }
    }
}
