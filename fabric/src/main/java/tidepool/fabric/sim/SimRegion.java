package tidepool.fabric.sim;

import tidepool.fabric.Region;
import tidepool.memory.Access;
import tidepool.memory.NodeRegion;

/** A region opened on one connection. {@code opened} is null for a handle that opens nothing. */
final class SimRegion extends Region {
    final Connection connection;
    final NodeRegion opened;

    SimRegion(Connection connection, int handle, NodeRegion opened) {
        super(connection.link, handle);
        this.connection = connection;
        this.opened = opened;
    }

    @Override
    public int number() {
        return opened == null ? -1 : opened.number();
    }

    @Override
    public long bytes() {
        return opened == null ? 0 : opened.dataBytes();
    }

    /** What the node would say at this moment; only the node's answer at arrival counts. */
    int accessHere(long offset, long length) {
        return opened == null ? Access.KEY : opened.access(offset, length);
    }

    /** The node's check of a verb that came on this connection. */
    int access(Connection carrier, long offset, long length) {
        if (opened == null || connection != carrier) return Access.KEY;
        return opened.access(offset, length);
    }
}
