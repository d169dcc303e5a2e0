package tidepool.tcp;

/**
 * Frames that wait for room on a connection: those of a control call, or of a round's verbs for one link from one verb on.
 * Used under the write lock of a port.
 */
final class Unsent {
    final Pending pending;

    /** Null for a control call. */
    final TcpLink link;

    /** Which opening of the link they are for: after another one they are never sent. */
    final int opening;

    /** The first verb of the round that is in no frame, or not wholly. */
    int verb;

    /** Bytes of that verb that are in frames already. */
    long piece;

    Unsent(ControlCall call) {
        this.pending = call;
        this.link = null;
        this.opening = 0;
    }

    Unsent(RoundPending round, TcpLink link, int verb, long piece) {
        this.pending = round;
        this.link = link;
        this.opening = link.opening();
        this.verb = verb;
        this.piece = piece;
    }
}
