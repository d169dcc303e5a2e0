package tidepool.tcp;

/** A frame that was sent and is not answered yet; reused by its {@link InFlightRing}. */
final class FrameInFlight {
    /** Null for a BEAT, and for a request that has failed; the answer is then dropped. */
    PendingReply pending;

    /** The link of a round's frame; null for other frames. */
    TcpLink link;

    int sequence;

    /** The index of the first verb; the frame has {@code verbs} verbs of its link from there on. */
    int firstVerb;

    int verbs;

    /** The offset of this frame's piece within a split verb, and the bytes of the piece; 0 bytes for whole verbs. */
    long pieceAt;

    long pieceBytes;

    /** Whether this frame was answered before an older one; it leaves the ring together with that one. */
    boolean answered;

    /** When the BEAT was sent. */
    long beatNanos;

    void set(PendingReply pending, TcpLink link, int sequence) {
        this.pending = pending;
        this.link = link;
        this.sequence = sequence;
        this.firstVerb = 0;
        this.verbs = 0;
        this.pieceAt = 0;
        this.pieceBytes = 0;
        this.answered = false;
    }

    void drop() {
        pending = null;
        link = null;
    }
}
