package tidepool.tcp;

import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;

/** A strand's way to the nodes, through a {@link Port} that it may share with others. */
final class TcpLane extends Lane {
    private final TcpSession session;
    private final Port port;
    private volatile boolean closed;

    TcpLane(TcpSession session, Port port) {
        super(session);
        this.session = session;
        this.port = port;
    }

    TcpSession tcpSession() {
        return session;
    }

    Port port() {
        return port;
    }

    void refuseIfClosed() {
        if (closed) throw new FabricException(Reason.CLOSED, Effect.NOT_DONE, "the lane is closed");
    }

    @Override
    protected Link newLink(int node) {
        refuseIfClosed();
        return new TcpLink(this, node);
    }

    /** A CALL travels in one frame, and so does its answer. */
    @Override
    protected void check(Round round) {
        for (int i = 0; i < round.count(); i++)
            if (round.verb(i).kind() == VerbKind.CALL) RoundWriter.checkCall(round.verb(i));
    }

    @Override
    protected void post(Round round) {
        RoundPending pending = RoundPending.of(round);
        pending.begin();
        port.post(pending, closed);
    }

    @Override
    protected void post(Round first, Round next) {
        RoundPending pending = RoundPending.of(first);
        pending.next = next;
        RoundPending.of(next).begin();
        pending.begin();
        port.post(pending, closed);
        session.unattended();
    }

    @Override
    protected void await(Round round) {
        port.await(RoundPending.of(round));
    }

    @Override
    protected boolean isComplete(Round round) {
        RoundPending pending = RoundPending.of(round);
        if (!pending.isDone()) port.poll();
        return pending.isDone();
    }

    @Override
    public void close() {
        closed = true;
    }
}
