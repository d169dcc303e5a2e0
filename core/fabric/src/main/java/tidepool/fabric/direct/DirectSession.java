package tidepool.fabric.direct;

import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Session;

/** A session of a pool whose memory is mapped into this process. */
final class DirectSession extends Session {
    private final DirectFabric fabric;
    private boolean closed;

    DirectSession(DirectFabric fabric, int number) {
        super(fabric, number);
        this.fabric = fabric;
    }

    DirectFabric directFabric() {
        return fabric;
    }

    @Override
    protected synchronized Lane newLane() {
        refuseIfClosed();
        return new DirectLane(this);
    }

    synchronized void refuseIfClosed() {
        if (closed)
            throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the session is closed: session=" + number());
    }

    /** Waits until no lane of this session is inside a round that began before the call. */
    void awaitQuiet() {
        ProcessBarrier.run();
        for (Lane lane : lanes()) while (((DirectLane) lane).isBusy()) Thread.onSpinWait();
    }

    @Override
    public synchronized void close() {
        if (closed) return;
        closed = true;
        for (Lane lane : lanes()) ((DirectLane) lane).close();
        awaitQuiet();
        fabric.leaveTables(number());
        fabric.closed(this);
    }
}
