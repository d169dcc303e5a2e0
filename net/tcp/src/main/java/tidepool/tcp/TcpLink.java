package tidepool.tcp;

import java.util.ArrayList;
import java.util.List;
import tidepool.base.Id128;
import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Link;
import tidepool.fabric.Refusal;
import tidepool.fabric.Region;
import tidepool.wire.ControlCode;
import tidepool.wire.ControlStatus;

/**
 * A link of a lane to one node, identified by a number on a connection. It is broken when its connection is, or after a
 * refused verb.
 */
final class TcpLink extends Link {
    private final TcpLane lane;
    private final Endpoint endpoint;
    private final List<TcpRegion> regions = new ArrayList<>();
    private NodeConnection connection;
    private int number;
    private int opening;
    private volatile boolean broken = true;

    /**
     * The number of the last post of the endpoint that had verbs for this link. Used under the endpoint's write lock.
     */
    int lastPost;

    TcpLink(TcpLane lane, int node) {
        super(lane, node);
        this.lane = lane;
        this.endpoint = lane.endpoint();
        open();
    }

    int number() {
        return number;
    }

    NodeConnection connection() {
        return connection;
    }

    /** Returns how often the link was opened. */
    int opening() {
        return opening;
    }

    @Override
    public boolean isBroken() {
        return broken || !connection.isUp();
    }

    void breakDown() {
        broken = true;
    }

    boolean wasRevoked() {
        return connection.wasRevoked();
    }

    String why() {
        return connection.isUp() ? "a verb was refused" : connection.why();
    }

    @Override
    public Region open(Id128 capability) {
        lane.refuseIfClosed();
        refuseIfBroken();
        ControlCall call = new ControlCall(ControlCode.OPEN_REGION, number, capability.high(), capability.low());
        endpoint.post(call, connection);
        endpoint.await(call);
        if (call.status == ControlStatus.EPOCH) broken = true;
        long[] found = ControlResult.of(call, node(), 3);
        for (TcpRegion known : regions) if (known.handle() == (int) found[0]) return known;
        TcpRegion region = new TcpRegion(this, opening, (int) found[0], (int) found[1], found[2]);
        regions.add(region);
        return region;
    }

    private void refuseIfBroken() {
        if (!isBroken()) return;
        if (wasRevoked()) throw FabricException.refused(Refusal.EPOCH, why() + ": node=" + node());
        throw new FabricException(
                Reason.DISCONNECTED, Effect.NOT_DONE, "the link is broken (" + why() + "): node=" + node());
    }

    @Override
    public Region byHandle(int handle) {
        for (TcpRegion known : regions) if (known.handle() == handle) return known;
        return new TcpRegion(this, opening, handle, -1, 0);
    }

    @Override
    public void reconnect() {
        lane.refuseIfClosed();
        open();
    }

    private void open() {
        broken = true;
        regions.clear();
        opening++;
        NodeConnection up = lane.tcpSession().connected(endpoint, node());
        if (up != connection) number = up.nextLink();
        connection = up;
        ControlCall call = new ControlCall(ControlCode.OPEN_LINK, number);
        endpoint.post(call, connection);
        endpoint.await(call);
        ControlResult.of(call, node(), 1);
        broken = false;
    }
}
