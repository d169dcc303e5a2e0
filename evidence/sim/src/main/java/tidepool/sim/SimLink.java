package tidepool.sim;

import tidepool.base.Id128;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.memory.AccessCode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeRegion;

/** A link of the simulated network: one {@link SimConnection} after the other. */
final class SimLink extends Link {
    final SimLane simLane;
    final SimNode simNode;
    final int id;
    SimConnection connection;

    /** The last round that rang this link's doorbell. */
    long doorbellStamp;

    /** The delay of the next verb on its way; see {@link SimFabric#delayNext}. */
    long delayNextNanos;

    /** Lines written through this link and not flushed; null unless persistence is simulated. */
    final DirtyLines dirty;

    SimLink(SimLane lane, int position, SimNode node, int id) {
        super(lane, position);
        this.simLane = lane;
        this.simNode = node;
        this.id = id;
        this.dirty = node.tellsPersistence() ? new DirtyLines() : null;
        reconnect();
    }

    Simulation simulation() {
        return simLane.simulation;
    }

    @Override
    public Region open(Id128 capability) {
        simLane.refuseIfClosed();
        if (connection.broken)
            throw new FabricException(Reason.DISCONNECTED, Effect.NOT_DONE, "the link is broken: node=" + node());
        SimConnection asked = connection;
        simNode.roundTrip(simLane.machine);
        if (asked.broken || asked.brokenAtNode || asked.nodeLife != simNode.life())
            throw new FabricException(Reason.DISCONNECTED, Effect.NOT_DONE, "the link broke: node=" + node());
        if (asked.access() != AccessCode.GRANTED) {
            simLane.breakDown(asked, Reason.DISCONNECTED);
            throw FabricException.refused(Refusal.EPOCH, Refusal.EPOCH.text() + ": node=" + node());
        }
        NodeRegion opened = simNode.memory().openRegion(capability);
        if (opened == null) throw FabricException.refused(Refusal.KEY, "no region has this capability: node=" + node());
        for (SimRegion known : asked.regions) if (known.opened == opened) return known;
        SimRegion region = new SimRegion(asked, asked.regions.size(), opened);
        asked.regions.add(region);
        return region;
    }

    @Override
    public Region byHandle(int handle) {
        return handle >= 0 && handle < connection.regions.size()
                ? connection.regions.get(handle)
                : new SimRegion(connection, handle, null);
    }

    @Override
    public boolean isBroken() {
        return connection.broken;
    }

    @Override
    public void reconnect() {
        simLane.refuseIfClosed();
        if (connection != null && !connection.broken) simLane.breakDown(connection, Reason.DISCONNECTED);
        simNode.roundTrip(simLane.machine);
        simLane.fabric.refuseIfOutdated(simNode);
        try {
            long epoch = simNode.memory().epoch();
            int session = lane().session().number();
            int slot = simNode.memory().sessions().attach(session, simLane.machine.number() + 1, epoch);
            connection = new SimConnection(this, simNode.memory(), slot, epoch, simNode.life());
        } catch (MemoryNodeException e) {
            if (e.reason() == MemoryNodeException.Reason.KEY)
                throw FabricException.refused(Refusal.EPOCH, e.getMessage() + ": node=" + node());
            throw FabricException.unavailable(e.getMessage() + ": node=" + node(), e);
        }
    }
}
