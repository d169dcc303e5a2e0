package tidepool.tcp;

import tidepool.fabric.Effect;
import tidepool.fabric.FabricException;
import tidepool.fabric.FabricException.Reason;
import tidepool.fabric.Lane;
import tidepool.fabric.Link;
import tidepool.fabric.Round;
import tidepool.fabric.VerbKind;

/** The lane of a strand: its links to the nodes through an {@link Endpoint} that other lanes may share. */
final class TcpLane extends Lane {
    private final TcpSession session;
    private final Endpoint port;
    private volatile boolean closed;

    TcpLane(TcpSession session, Endpoint port) {
        super(session);
        this.session = session;
        this.port = port;
    }

    TcpSession tcpSession() {
        return session;
    }

    Endpoint port() {
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

    /** Checks that each CALL and its answer fit into one frame. */
    @Override
    protected void check(Round round) {
        for (int i = 0; i < round.count(); i++)
            if (round.verb(i).kind() == VerbKind.CALL) RoundWriter.checkCall(round.verb(i));
    }

    @Override
    protected void post(Round round) {
        PendingRound pending = PendingRound.of(round);
        pending.begin();
        port.post(pending, closed);
    }

    @Override
    protected void post(Round first, Round next) {
        PendingRound pending = PendingRound.of(first);
        pending.next = next;
        PendingRound.of(next).begin();
        pending.begin();
        port.post(pending, closed);
        session.unattended();
    }

    @Override
    protected void await(Round round) {
        port.await(PendingRound.of(round));
    }

    @Override
    protected boolean isComplete(Round round) {
        PendingRound pending = PendingRound.of(round);
        if (!pending.isDone()) port.poll();
        return pending.isDone();
    }

    @Override
    public void close() {
        closed = true;
    }
}
