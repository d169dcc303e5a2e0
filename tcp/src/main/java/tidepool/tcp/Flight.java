package tidepool.tcp;

/** One frame that was sent and not answered yet; used again and again by its {@link FlightRing}. */
final class Flight {
    /** Null for a BEAT, and for what was given up: its answer is thrown away. */
    Pending pending;

    /** The link of a round's frame; null for others. */
    TcpLink link;

    int sequence;

    /** The verbs of the frame: those of the link from this one on, so many. */
    int firstVerb;

    int verbs;

    /** Where a verb that was split goes on, and how many bytes of it are in this frame; length 0 for whole verbs. */
    long pieceAt;

    long pieceBytes;

    /** Answered before one that was sent earlier; it is forgotten together with that one. */
    boolean answered;

    /** When a BEAT was sent. */
    long beatNanos;

    void set(Pending pending, TcpLink link, int sequence) {
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
