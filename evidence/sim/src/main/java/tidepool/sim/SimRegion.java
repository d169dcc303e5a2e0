package tidepool.sim;

import tidepool.fabric.Region;
import tidepool.memory.AccessCode;
import tidepool.memory.NodeRegion;

/** A region opened on one connection. {@code opened} is null for a handle that opens nothing. */
final class SimRegion extends Region {
    final SimConnection connection;
    final NodeRegion opened;

    SimRegion(SimConnection connection, int handle, NodeRegion opened) {
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

    /** Returns the result of the node's check at this moment; only its check when the verb takes effect counts. */
    int accessHere(long offset, long length) {
        return opened == null ? AccessCode.KEY : opened.access(offset, length);
    }

    /** Checks a verb that came on this connection, for the node. */
    int access(SimConnection carrier, long offset, long length) {
        if (opened == null || connection != carrier) return AccessCode.KEY;
        return opened.access(offset, length);
    }
}
