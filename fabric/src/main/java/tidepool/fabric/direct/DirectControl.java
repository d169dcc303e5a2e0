package tidepool.fabric.direct;

import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.memory.Extent;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeStatistics;

/** Control calls, carried out by the caller on the mapped node. */
final class DirectControl implements NodeControl {
    private final DirectFabric fabric;
    private final MemoryNode node;

    DirectControl(DirectFabric fabric, MemoryNode node) {
        this.fabric = fabric;
        this.node = node;
    }

    @Override
    public Id128 createRegion(long bytes) {
        return asked(() -> node.createRegion(bytes));
    }

    @Override
    public void freeRegion(Id128 capability) {
        asked(() -> {
            node.freeRegion(capability);
            return null;
        });
    }

    @Override
    public Extent allocate(Id128 capability, long bytes, int session) {
        return asked(() -> node.allocate(capability, bytes, session));
    }

    @Override
    public void free(Id128 capability, Extent extent) {
        asked(() -> {
            node.free(capability, extent);
            return null;
        });
    }

    @Override
    public Id128[] regions() {
        return node.capabilities();
    }

    @Override
    public void revoke(int session) {
        node.sessions().revoke(session);
        DirectSession local = fabric.localSession(session);
        if (local != null) local.awaitQuiet();
        else fabric.awaitForeignQuiet(session, node);
    }

    @Override
    public boolean isRevoked(int session) {
        return node.sessions().isRevoked(session);
    }

    @Override
    public int[] sessions() {
        return node.sessions().all();
    }

    @Override
    public void forget(int session) {
        node.sessions().forget(session);
    }

    @Override
    public long epoch() {
        return node.epoch();
    }

    @Override
    public void raiseEpoch(long epoch) {
        node.raiseEpoch(epoch);
    }

    @Override
    public NodeStatistics statistics() {
        return node.statistics();
    }

    private static <T> T asked(Supplier<T> call) {
        try {
            return call.get();
        } catch (MemoryNodeException e) {
            throw switch (e.reason()) {
                case KEY -> FabricException.refused(Refusal.KEY, e.getMessage());
                case ARGUMENT -> FabricException.refused(Refusal.BOUNDS, e.getMessage());
                case FULL, CORRUPT, BUSY -> FabricException.unavailable(e.getMessage(), e);
            };
        }
    }
}
