package tidepool.fabric.direct;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.memory.AccessCode;
import tidepool.memory.MemoryNode;
import tidepool.memory.MemoryNodeException;
import tidepool.memory.NodeLayout;
import tidepool.memory.NodeRegion;
import tidepool.memory.OpenRegions;
import tidepool.memory.SessionTable;

/** A connection without a network. It holds the opened regions, their epoch, and whether it is broken. */
final class DirectLink extends Link implements OpenRegions {
    final MemoryNode memory;

    private final MemorySegment meta;
    private final DirectLane lane;
    private final long attachedWord;
    private final List<DirectRegion> regions = new ArrayList<>();
    private long stateAt;
    private long epoch;
    private int connections;
    private boolean broken;
    private boolean nodeDirty;

    DirectLink(DirectLane lane, int node, MemoryNode memory) {
        super(lane, node);
        this.lane = lane;
        this.memory = memory;
        this.meta = memory.meta();
        this.attachedWord = SessionTable.attachedWord(lane.session().number());
        connect();
    }

    @Override
    public Region open(Id128 capability) {
        lane.refuseIfClosed();
        return lane.fabric().whileOpen(() -> openMapped(capability));
    }

    private Region openMapped(Id128 capability) {
        refuseIfBroken();
        NodeRegion opened = opened(capability);
        if (opened == null) throw FabricException.refused(Refusal.KEY, "no region has this capability: node=" + node());
        for (DirectRegion known : regions) if (known.opened == opened) return known;
        DirectRegion region = new DirectRegion(this, regions.size(), opened, connections);
        regions.add(region);
        return region;
    }

    private NodeRegion opened(Id128 capability) {
        try {
            return memory.openRegion(capability);
        } catch (MemoryNodeException e) {
            throw FabricException.unavailable(e.getMessage() + ": node=" + node(), e);
        }
    }

    @Override
    public Region byHandle(int handle) {
        return handle >= 0 && handle < regions.size()
                ? regions.get(handle)
                : new DirectRegion(this, handle, null, connections);
    }

    @Override
    public NodeRegion byNumber(int regionNumber) {
        for (int i = 0; i < regions.size(); i++) { // no iterator: chained work is a fast path
            NodeRegion opened = regions.get(i).opened;
            if (opened.number() == regionNumber && opened.isLive()) return opened;
        }
        return null;
    }

    @Override
    public boolean isBroken() {
        return broken;
    }

    @Override
    public void reconnect() {
        lane.refuseIfClosed();
        lane.fabric().whileOpen(() -> {
            connect();
            return null;
        });
    }

    void breakDown() {
        broken = true;
    }

    /** Checks whether the session may still send verbs to this node: one read of its slot, one of the node's epoch. */
    int access() {
        boolean attached = Words.acquire(meta, stateAt) == attachedWord;
        return attached && Words.acquire(meta, NodeLayout.EPOCH) <= epoch ? AccessCode.GRANTED : AccessCode.EPOCH;
    }

    /**
     * Checks whether a region is open: it belongs to this link only as long as the connection on which it was opened.
     */
    int access(DirectRegion region) {
        boolean open = region.opened != null && region.connection == connections && region.opened.isLive();
        return open ? AccessCode.GRANTED : AccessCode.KEY;
    }

    void markAllDirty() {
        for (int i = 0; i < regions.size(); i++)
            regions.get(i).dirty(0, regions.get(i).bytes());
    }

    /**
     * Called after a handler, which may have written anywhere in the node, also into regions that this link never
     * opened.
     */
    void markNodeDirty() {
        nodeDirty = true;
    }

    void force() {
        if (nodeDirty) forceNode();
        for (int i = 0; i < regions.size(); i++) regions.get(i).force();
    }

    private void forceNode() {
        for (int i = 0; i < memory.regionCount(); i++) {
            NodeRegion region = memory.region(i);
            if (region != null && region.whole().isMapped()) region.whole().force();
        }
        nodeDirty = false;
    }

    /**
     * Connects. The session is in the node's table since it joined the pool; if it is there no more, it was revoked.
     */
    private void connect() {
        regions.clear();
        connections++;
        broken = true;
        epoch = memory.epoch();
        try {
            stateAt = SessionTable.stateOffset(
                    memory.sessions().attached(lane.session().number()));
        } catch (MemoryNodeException e) {
            throw FabricException.refused(Refusal.EPOCH, e.getMessage() + ": node=" + node());
        }
        broken = false;
    }

    private void refuseIfBroken() {
        if (broken)
            throw new FabricException(Reason.DISCONNECTED, Effect.NOT_DONE, "the link is broken: node=" + node());
        if (access() != AccessCode.GRANTED) {
            broken = true;
            throw FabricException.refused(Refusal.EPOCH, Refusal.EPOCH.text() + ": node=" + node());
        }
    }
}
