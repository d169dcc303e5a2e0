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

/** Control calls, executed by the caller on the mapped node. */
final class DirectControl implements NodeControl {
    private final DirectFabric fabric;
    private final MemoryNode node;

    DirectControl(DirectFabric fabric, MemoryNode node) {
        this.fabric = fabric;
        this.node = node;
    }

    @Override
    public Id128 createRegion(long bytes) {
        return asked(() -> {
            Id128 capability = node.createRegion(bytes);
            fabric.afterControl(node, node.openRegion(capability));
            return capability;
        });
    }

    @Override
    public void freeRegion(Id128 capability) {
        asked(() -> {
            node.freeRegion(capability);
            fabric.afterControl(node, null);
            return null;
        });
    }

    @Override
    public Extent allocate(Id128 capability, long bytes, int session) {
        return asked(() -> {
            Extent extent = node.allocate(capability, bytes, session);
            fabric.afterControl(node, node.openRegion(capability));
            return extent;
        });
    }

    @Override
    public void free(Id128 capability, Extent extent) {
        asked(() -> {
            node.free(capability, extent);
            fabric.afterControl(node, node.openRegion(capability));
            return null;
        });
    }

    @Override
    public Id128[] regions() {
        return asked(node::capabilities);
    }

    @Override
    public void revoke(int session) {
        asked(() -> {
            node.sessions().revoke(session);
            // A session that left, or was forgotten, is in no table. It was idle before, and no link accepts it again.
            if (!node.sessions().isRevoked(session)) return null;
            if (fabric.localSession(session) == null) {
                fabric.awaitForeignQuiet(session, node);
                return null;
            }
            fabric.awaitLocalQuiet(session);
            fabric.afterLocalRevoke(session);
            return null;
        });
    }

    @Override
    public boolean isRevoked(int session) {
        return asked(() -> node.sessions().isRevoked(session));
    }

    @Override
    public int[] sessions() {
        return asked(() -> node.sessions().all());
    }

    @Override
    public void forget(int session) {
        asked(() -> {
            node.sessions().forget(session);
            fabric.afterForget(session);
            return null;
        });
    }

    @Override
    public long epoch() {
        return asked(node::epoch);
    }

    @Override
    public void raiseEpoch(long epoch) {
        asked(() -> {
            node.raiseEpoch(epoch);
            fabric.afterControl(node, null);
            return null;
        });
    }

    @Override
    public NodeStatistics statistics() {
        return asked(node::statistics);
    }

    private <T> T asked(Supplier<T> call) {
        try {
            return fabric.whileOpen(call);
        } catch (MemoryNodeException e) {
            throw switch (e.reason()) {
                case KEY -> FabricException.refused(Refusal.KEY, e.getMessage());
                case ARGUMENT -> FabricException.refused(Refusal.BOUNDS, e.getMessage());
                case FULL, CORRUPT, BUSY -> FabricException.unavailable(e.getMessage(), e);
            };
        }
    }
}
