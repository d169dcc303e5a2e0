package tidepool.tcp;

/**
 * A backlog entry of a connection: a control call, or the verbs of a round for one link from one verb on. It waits for
 * room. Used under the write lock of an endpoint.
 */
final class Unsent {
    final PendingReply pending;

    /** Null for a control call. */
    final TcpLink link;

    /** The opening of the link that the verbs are for; if the link is opened again they are never sent. */
    final int opening;

    /** The first verb of the round that is not completely in frames. */
    int verb;

    /** Bytes of that verb that are already in frames. */
    long piece;

    Unsent(ControlCall call) {
        this.pending = call;
        this.link = null;
        this.opening = 0;
    }

    Unsent(PendingRound round, TcpLink link, int verb, long piece) {
        this.pending = round;
        this.link = link;
        this.opening = link.opening();
        this.verb = verb;
        this.piece = piece;
    }
}
