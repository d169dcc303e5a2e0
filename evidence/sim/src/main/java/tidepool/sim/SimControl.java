package tidepool.sim;

import java.util.function.Supplier;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;
import tidepool.fabric.NodeControl;
import tidepool.fabric.Refusal;
import tidepool.memory.Extent;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeStatistics;

/** Control calls. From a strand they take a virtual round trip; from outside they happen at once. */
final class SimControl implements NodeControl {
    /** The interval at which a revocation checks whether the work it waits for is over. */
    private static final long LOOK_NANOS = 200;

    private final SimFabric fabric;
    private final SimNode node;

    SimControl(SimFabric fabric, SimNode node) {
        this.fabric = fabric;
        this.node = node;
    }

    @Override
    public Id128 createRegion(long bytes) {
        return ask(() -> memory().createRegion(bytes));
    }

    @Override
    public void freeRegion(Id128 capability) {
        ask(() -> {
            memory().freeRegion(capability);
            return null;
        });
    }

    @Override
    public Extent allocate(Id128 capability, long bytes, int session) {
        return ask(() -> {
            Extent extent = memory().allocate(capability, bytes, session);
            node.persist(memory().openRegion(capability), extent.offset(), extent.bytes());
            return extent;
        });
    }

    @Override
    public void free(Id128 capability, Extent extent) {
        ask(() -> {
            memory().free(capability, extent);
            return null;
        });
    }

    @Override
    public Id128[] regions() {
        return ask(() -> memory().capabilities());
    }

    @Override
    public void revoke(int session) {
        ask(() -> {
            memory().sessions().revoke(session);
            return null;
        });
        Simulation simulation = fabric.simulation();
        SimSession known = fabric.session(session);
        if (known == null) return;
        boolean waits = known.underWay[node.number()] > 0;
        if (waits) simulation.coverage(CoveragePoint.REVOCATION_WAITED);
        if (simulation.current() == null) {
            simulation.pump(() -> known.underWay[node.number()] == 0);
        } else {
            while (known.underWay[node.number()] > 0) simulation.sleep(LOOK_NANOS);
        }
    }

    @Override
    public boolean isRevoked(int session) {
        return ask(() -> memory().sessions().isRevoked(session));
    }

    @Override
    public int[] sessions() {
        return ask(() -> memory().sessions().all());
    }

    @Override
    public void forget(int session) {
        ask(() -> {
            memory().sessions().forget(session);
            return null;
        });
    }

    @Override
    public long epoch() {
        return ask(() -> memory().epoch());
    }

    @Override
    public void raiseEpoch(long epoch) {
        ask(() -> {
            memory().raiseEpoch(epoch);
            return null;
        });
    }

    @Override
    public long powerLosses() {
        return ask(node::powerLosses);
    }

    /** Takes no trip of its own, since it is asked together with {@link #powerLosses}. */
    @Override
    public String doubt() {
        return node.isDoubted() ? "node " + node.number() + " may hold less than it has acknowledged" : null;
    }

    @Override
    public void setDoubted(boolean doubted) {
        ask(() -> {
            node.doubt(doubted);
            return null;
        });
    }

    @Override
    public NodeStatistics statistics() {
        return ask(() -> memory().statistics());
    }

    private MemoryNode memory() {
        return node.memory();
    }

    /** Takes half a round trip, makes the call, takes the other half. */
    private <T> T ask(Supplier<T> call) {
        node.travelThere(fabric.simulation().currentMachine());
        try {
            fabric.simulation().note(Trace.CONTROL, node.number(), 0, 0);
            return call.get();
        } catch (MemoryNodeException e) {
            throw switch (e.reason()) {
                case KEY -> FabricException.refused(Refusal.KEY, e.getMessage());
                case ARGUMENT -> FabricException.refused(Refusal.BOUNDS, e.getMessage());
                case FULL, CORRUPT, BUSY -> FabricException.unavailable(e.getMessage(), e);
            };
        } finally {
            node.travelBack();
        }
    }
}
