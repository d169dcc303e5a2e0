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
    private final Endpoint endpoint;
    private volatile boolean closed;

    TcpLane(TcpSession session, Endpoint endpoint) {
        super(session);
        this.session = session;
        this.endpoint = endpoint;
    }

    TcpSession tcpSession() {
        return session;
    }

    Endpoint endpoint() {
        return endpoint;
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
        endpoint.post(pending, closed);
    }

    @Override
    protected void post(Round first, Round next) {
        PendingRound pending = PendingRound.of(first);
        pending.next = next;
        PendingRound.of(next).begin();
        pending.begin();
        endpoint.post(pending, closed);
        session.unattended();
    }

    @Override
    protected void await(Round round) {
        endpoint.await(PendingRound.of(round));
    }

    @Override
    protected boolean isComplete(Round round) {
        PendingRound pending = PendingRound.of(round);
        if (!pending.isDone()) endpoint.poll();
        return pending.isDone();
    }

    @Override
    public void close() {
        closed = true;
    }
}
